// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/arith.h"
#include "core/base/hash.h"
#include "core/base/ids.h"

namespace tfprof {

// Identifies a GPU kernel: the operation, in EventOps::ops (kNone if the launching call determines
// the node), and the label. An operation may launch several kernels per run.
struct Kernel {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  uint32_t op = kNone;
  // kNone: the work is not a kernel of an operation but a run of the node itself
  uint32_t label = kNone;
  bool some() const { return label != kNone; }
  bool operator==(const Kernel&) const = default;
};

// A part of an execution of a node.
struct ExecutionPart {
  // `execution` of work that does not show which execution it belongs to; of each kernel of the
  // node, `label` then tells whether a run launches several.
  static constexpr uint32_t kUnknown = 0xFFFFFFFFu;

  uint32_t node = 0;
  uint32_t execution = kUnknown;  // the row of the event that identifies it
  uint32_t label = Kernel::kNone;
  int64_t ps = 0;
};

// Sums over the work of one node in one process.
struct NodeWork {
  int64_t first_ps = kNoTime;
  int64_t ps = 0;
  int64_t runs = 0;
  int64_t flops = 0;     // of the runs whose flops are known
  Kernel kernel;         // the first kernel
  int64_t launched = 0;  // number of its launches

  void Add(int64_t start_ps, int64_t of_ps) {
    const bool first = first_ps == kNoTime || (start_ps != kNoTime && start_ps < first_ps);
    if (first) first_ps = start_ps;
    ps = SaturatingAdd(ps, of_ps);
  }
  bool some() const { return runs != 0 || launched != 0 || ps != 0; }
};

// Work by node; nodes may be created while work is added.
class WorkSums {
 public:
  size_t size() const { return of_.size(); }
  const NodeWork& operator[](size_t node) const { return of_[node]; }
  void Clear() {
    of_.clear();
    parts_.clear();
  }
  // Parts of executions, where the durations of single executions count.
  void AddPart(const ExecutionPart& part) { parts_.push_back(part); }
  const std::vector<ExecutionPart>& parts() const { return parts_; }

  // `kernel`: the work is a launch of it; none: the work is a run of the node.
  void Add(NodeId node, int64_t start_ps, int64_t ps, int64_t runs, Kernel kernel = {}) {
    if (node.value >= of_.size()) [[unlikely]]
      of_.resize(node.value + size_t{1});
    NodeWork& work = of_[node.value];
    work.Add(start_ps, ps);
    if (kernel.some()) {
      Launch(node.value, kernel, runs);
    } else {
      work.runs = SaturatingAdd(work.runs, runs);
    }
  }
  // Adds what one run computed. REQUIRES: the run was added.
  void AddFlops(NodeId node, int64_t flops) {
    of_[node.value].flops = SaturatingAdd(of_[node.value].flops, flops);
  }
  void Add(const WorkSums& other);
  // Converts launches to runs: for each operation, those of the kernel that was launched most, as
  // in op_stats. REQUIRED before Clear.
  void CountRuns();

 private:
  struct OfNode {
    uint32_t node = 0;
    Kernel kernel = {};
    bool operator==(const OfNode&) const = default;
    uint64_t Hash() const { return HashPair(node, uint64_t{kernel.op} << 32 | kernel.label); }
  };

  void Launch(uint32_t node, Kernel kernel, int64_t times) {
    NodeWork& work = of_[node];
    if (!work.kernel.some()) work.kernel = kernel;
    if (work.kernel == kernel) {
      work.launched = SaturatingAdd(work.launched, times);
      return;
    }
    const uint32_t at = others_.Of({node, kernel});
    if (at == launched_.size()) launched_.push_back(0);
    launched_[at] = SaturatingAdd(launched_[at], times);
  }

  std::vector<NodeWork> of_;
  GroupIndex<OfNode> others_;  // kernels other than the first one of their node
  std::vector<int64_t> launched_;
  std::vector<ExecutionPart> parts_;
};

// What a note reports: how many, the first one, their time.
template <class First>
struct Tally {
  int64_t count = 0;
  int64_t ps = 0;
  First first;

  void Add(First one, int64_t of_ps) { Add({1, of_ps, one}); }
  // Adds a later part.
  void Add(const Tally& next) {
    if (count == 0) first = next.first;
    count += next.count;
    ps = SaturatingAdd(ps, next.ps);
  }
};

// Time of events that belongs to no node, or already counts for one. Labels of the trace.
using Unattributed = Tally<LabelId>;

// Work that nodes do not have, or already have; except for `stepless`, work of devices.
struct UnattributedWork {
  Unattributed unnamed = {};   // neither its own operation nor that of its launch is recorded
  Unattributed unplaced = {};  // recorded as an aggregate over many executions
  Unattributed nested = {};    // within other operations of the same lane
  Unattributed stepless = {};  // outside of any step, if -step is given

  void Add(const UnattributedWork& next) {
    unnamed.Add(next.unnamed);
    unplaced.Add(next.unplaced);
    nested.Add(next.nested);
    stepless.Add(next.stepless);
  }
};

}  // namespace tfprof
