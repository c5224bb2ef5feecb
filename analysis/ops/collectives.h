// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/store.h"

// The collectives that a device ran, call by call.

namespace tfprof {

enum class Collective : uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  send_receive,
  other,
};
std::string_view CollectiveName(Collective of);

// By the name of an instruction, its opcode, or the name of a kernel (NCCL, RCCL).
Collective CollectiveOf(std::string_view name);

// Bus bandwidth over algorithm bandwidth in a group of that size, as nccl-tests defines it. NaN:
// the size is needed and is not known.
double BusFactor(Collective of, int64_t group_size);

// The replica groups of a printed instruction, empty where it has none.
std::string_view ReplicaGroups(std::string_view instruction);
// Devices of one group: 2 of "{{0,1},{2,3}}" and of "[4,2]<=[8]". kNoInt: not recorded.
int64_t GroupSize(std::string_view replica_groups);

// An instruction of a program, or a kernel that belongs to none.
struct CollectiveOp {
  std::string name;
  uint64_t program_id = 0;
  Collective kind = Collective::other;
  std::string groups;           // replica groups as XLA prints them
  int64_t group_size = kNoInt;  // devices of a group
  int64_t bytes = kNoInt;       // of a call: the larger of what it reads and what it makes
};

struct CollectiveCall {
  uint32_t op = 0;  // of DeviceCollectives::ops
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  int64_t overlapped_ps = 0;  // of it, time in which something else computes on the device
};

struct DeviceCollectives {
  ProcessId device;
  std::vector<CollectiveOp> ops;
  std::vector<CollectiveCall> calls;  // by start
  int64_t unfinished = 0;  // starts without their done, and the other way round: left out
};

// A pair all-reduce-start and all-reduce-done is one call from the start of the first to the end of
// the second. What computes is a kernel that is no collective, or an operation of a TPU that
// neither encloses nor awaits others. Error: cancelled.
Result<DeviceCollectives> FindCollectives(const Store& store, const Indexes& indexes,
                                          ProcessId device, const ChosenEvents& asked,
                                          Context& context);

}  // namespace tfprof
