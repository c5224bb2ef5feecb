// SPDX-License-Identifier: Apache-2.0
// The Python functions that a thread is in, as events: "$FILE:LINE FUNCTION", as XLA's tracer of
// Python names them, but with the line of the call instead of the function's first.
//
// Calls of CUDA say which functions their thread is in, and samples do. An event lasts from the
// first to the last of consecutive ones in the same function on the same line; a sample is for the
// time since the one before it. It ends where a range begins or ends, so that it never crosses one.
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
    uint64_t last_end = 0;            // of a call or sample
    uint64_t earliest = 0;            // what is new begins later
    bool is_sampled = false;          // the last one was a sample
    uint32_t calls = 0;
    bool is_gradient = false;  // all of them are
  };

  // Takes a call in this stack.
  void Take(PythonStack stack, uint64_t start, uint64_t end, XSpace::LineId line, Open* open);
  // Takes the stack of a sample. `end`: its time, or the end of the call that it was taken in.
  void TakeSample(const PythonSample& sample, uint64_t end, XSpace::LineId line, Open* open);
  // Ends all.
  void Close(XSpace::LineId line, Open* open) { CloseTo(0, line, open); }
  // Ends all where a range begins or ends.
  void CloseAt(uint64_t time, XSpace::LineId line, Open* open);

  static bool MustClose(const Open& open, uint64_t start) {
    return open.calls >= kMostCalls && start >= open.last_end;
  }

 private:
  static constexpr uint32_t kMostCalls = 10'000;

  static void Extend(uint64_t time, Open* open);
  void CloseTo(size_t count, XSpace::LineId line, Open* open);
  // 0: the frame is not known.
  uint64_t EventOf(uint32_t frame, bool is_gradient);

  const Definitions& definitions_;
  XSpace& to_;
  XSpace::PlaneId plane_;
  std::unordered_map<uint64_t, uint64_t> events_;  // by is_gradient << 32 | frame
};

}  // namespace tfprof::capture
