// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// The host events within which compiled programs launch their kernels: an event per execution of a
// program, and within it one per execution of an instruction, named like the instruction.

namespace tfprof {

class Indexes;

struct LaunchCall {
  uint32_t row = kNoRow;
  uint32_t program_row = kNoRow;  // the execution of the program; of a program, the row itself
  int64_t start_ps = 0;
  int64_t end_ps = 0;
};

// The calls of one name.
struct CallsOfName {
  struct OnLane {
    LaneId lane;
    std::vector<LaunchCall> calls;  // by start
  };
  std::vector<OnLane> lanes;

  // Returns the call around that time: on the same lane, else on another one of the host, since
  // some drivers launch from a thread of their own; of several, the last one to start. Null: none.
  const LaunchCall* Around(LaneId lane, int64_t at_ps) const;
};

// An index, per host.
struct LaunchCalls {
  using Key = HostId;
  static constexpr size_t kKept = 64;

  std::map<std::string, CallsOfName, std::less<>> programs;
  std::unordered_map<uint32_t, CallsOfName> instructions;  // by name, a NameId of the store

  // Cost: a pass over the events of threads that run programs. Error: cancelled.
  static Result<LaunchCalls> Build(const Indexes& indexes, HostId host, Context& context);
};

}  // namespace tfprof
