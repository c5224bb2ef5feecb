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

// The collectives that a device ran, or a host without its devices, per call.

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

// Classifies the name of an instruction, its opcode, or the name of a kernel (NCCL, RCCL).
Collective CollectiveOf(std::string_view name);

// Returns the ratio of bus bandwidth to algorithm bandwidth in a group of that size, as defined by
// nccl-tests. NaN: it depends on the size, and the size is unknown.
double BusFactor(Collective of, int64_t group_size);

// Returns the replica groups of a printed instruction; empty if it has none.
std::string_view ReplicaGroups(std::string_view instruction);
// Returns the devices per group: 2 for "{{0,1},{2,3}}" and for "[4,2]<=[8]". kNoInt: not recorded.
int64_t GroupSize(std::string_view replica_groups);

// An instruction of a program, or what a kernel outside of any program exchanges: calls of one
// kernel differ in group, element type and kind.
struct CollectiveOp {
  std::string name;
  uint64_t program_id = 0;
  Collective kind = Collective::other;
  std::string groups;           // as recorded: the ranks of the group; XLA prints replica groups
  std::string element_type;     // XLA's name, such as f32, else TensorFlow's, such as float
  int64_t group_size = kNoInt;  // devices per group
};

struct CollectiveCall {
  uint32_t op = 0;  // of DeviceCollectives::ops
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  int64_t overlapped_ps = 0;  // part of the time in which the device also computes
  int64_t bytes = kNoInt;     // the larger of bytes read and bytes produced
};

struct DeviceCollectives {
  ProcessId device;
  std::vector<CollectiveOp> ops;
  std::vector<CollectiveCall> calls;  // by start
  int64_t unfinished = 0;             // omitted starts without a done, and dones without a start
};

// all-reduce-start and its all-reduce-done are one call, from the start of the first to the end of
// the second. Compute is a kernel that is not a collective, or a TPU operation that neither
// encloses others nor is an async-done; on a host, an operation that encloses no others. Error:
// cancelled.
Result<DeviceCollectives> FindCollectives(const Store& store, const Indexes& indexes,
                                          ProcessId process, const ChosenEvents& selected,
                                          Context& context);

}  // namespace tfprof
