// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "core/store/store.h"

// Arrays that programs make and release, for runtimes that record this but no allocations: their
// number is exact, their sizes are those of the results of programs.

namespace tfprof {

// What one execution of a program returns.
struct ProgramResults {
  std::string_view call;       // the name by which it is called
  std::vector<int64_t> bytes;  // of the arrays, descending
  std::string largest;         // the type of the first of them: "f32[1024,1024]"
  int64_t single = 0;          // arrays of one element
};

struct ArrayEvent {
  enum Kind : uint8_t {
    made,      // by an execution
    put,       // copied to a device by the program
    argument,  // copied for a call, to which alone it belongs
    freed,
  };
  Kind kind = freed;
  int64_t time_ps = 0;
  uint32_t program = 0;  // made: of HostArrays::programs
};

struct HostArrays {
  static constexpr uint32_t kUnknown = 0xFFFFFFFFu;  // the number of arrays is not known

  std::vector<ProgramResults> programs;
  std::vector<ArrayEvent> events;  // by time
};

// Finds the events of arrays on the threads of a host. An execution belongs to the innermost call
// around it, and that to the compiled programs of its name: where these return different numbers
// of arrays, to those that ran. If their numbers still differ, the program is unknown; else each
// result has the largest size, and as many have one element as in any of them. Errors: cancelled;
// those of ProgramRuns.
Result<HostArrays> ArraysOn(const Store& store, const Indexes& indexes, ProcessId process,
                            Context& context);

}  // namespace tfprof
