// SPDX-License-Identifier: Apache-2.0
// The Python functions that calls of CUDA are in, as events around them: "$FILE:LINE FUNCTION", as
// XLA's tracer of Python names them, but with the line of the call instead of the function's first.
//
// Only calls of CUDA say which functions their thread is in. An event lasts from the first to the
// last of consecutive calls in the same function on the same line. It ends where a range begins or
// ends, so that it never crosses one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/writers/xspace.h"

namespace tfprof::capture {

// "$FILE:LINE FUNCTION", or "... FUNCTION(gradient)"; empty: the frame is not known.
std::string PythonEventName(const Definitions& definitions, uint32_t frame, bool is_gradient);

struct PythonStack {
  uint32_t id = 0;           // 0: none
  bool is_gradient = false;  // of the operator that the call is the gradient of
};

class PythonCalls {
 public:
  PythonCalls(const Definitions& definitions, XSpace* to, XSpace::PlaneId plane)
      : definitions_(definitions), to_(*to), plane_(plane) {}

  // What a thread is in since its first call there.
  struct Open {
    struct Function {
      uint32_t frame = 0;
      uint64_t start = 0;
    };
    std::vector<Function> functions;  // the outermost first
    uint64_t last_end = 0;            // of a call
    uint32_t calls = 0;
    bool is_gradient = false;  // all of them are
  };

  // Takes a call in this stack.
  void Take(PythonStack stack, uint64_t start, uint64_t end, XSpace::LineId line, Open* open);
  // Ends all.
  void Close(XSpace::LineId line, Open* open) { CloseTo(0, line, open); }

  // Events are held until those around them end, so that these must end now and then.
  static bool MustClose(const Open& open, uint64_t start) {
    return open.calls >= kMostCalls && start >= open.last_end;
  }

 private:
  static constexpr uint32_t kMostCalls = 10'000;

  void CloseTo(size_t count, XSpace::LineId line, Open* open);
  // 0: the frame is not known.
  uint64_t EventOf(uint32_t frame, bool is_gradient);

  const Definitions& definitions_;
  XSpace& to_;
  XSpace::PlaneId plane_;
  std::unordered_map<uint64_t, uint64_t> events_;  // by is_gradient << 32 | frame
};

}  // namespace tfprof::capture
