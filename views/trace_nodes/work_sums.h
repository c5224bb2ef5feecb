// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "core/arith.h"
#include "core/ids.h"

namespace tfprof {

// What is known of the work of one node in one process.
struct NodeWork {
  int64_t first_ps = kNoTime;
  int64_t ps = 0;
  int64_t runs = 0;

  void Add(int64_t start_ps, int64_t of_ps, int64_t of_runs) {
    const bool first = first_ps == kNoTime || (start_ps != kNoTime && start_ps < first_ps);
    if (first) first_ps = start_ps;
    ps = SaturatingAdd(ps, of_ps);
    runs = SaturatingAdd(runs, of_runs);
  }
  bool some() const { return runs != 0 || ps != 0; }
};

// Work by node; nodes may come to be while it is added up.
class WorkSums {
 public:
  size_t size() const { return of_.size(); }
  const NodeWork& operator[](size_t node) const { return of_[node]; }
  void Clear() { of_.clear(); }

  void Add(NodeId node, int64_t start_ps, int64_t ps, int64_t runs) {
    if (node.value >= of_.size()) [[unlikely]]
      of_.resize(node.value + size_t{1});
    of_[node.value].Add(start_ps, ps, runs);
  }
  void Add(const WorkSums& other) {
    of_.resize(std::max(size(), other.size()));
    for (size_t i = 0; i < other.size(); ++i) {
      if (other[i].some()) of_[i].Add(other[i].first_ps, other[i].ps, other[i].runs);
    }
  }

 private:
  std::vector<NodeWork> of_;
};

// Time of events that belongs to no node, or to one already.
struct Unattributed {
  int64_t events = 0;
  int64_t ps = 0;
  LabelId first;  // of the trace

  void Add(LabelId label, int64_t duration_ps) {
    if (events++ == 0) first = label;
    ps = SaturatingAdd(ps, duration_ps);
  }
  // Of what comes behind.
  void Add(const Unattributed& next) {
    if (events == 0) first = next.first;
    events += next.events;
    ps = SaturatingAdd(ps, next.ps);
  }
};

// Work that nodes do not have, or have already; but for `stepless` that of devices.
struct NotOfNodes {
  Unattributed unnamed = {};   // neither its operation nor that of its launch is told
  Unattributed unplaced = {};  // told as a sum over many executions
  Unattributed nested = {};    // within other operations of the same lane
  Unattributed stepless = {};  // of no step, where one is asked for

  void Add(const NotOfNodes& next) {
    unnamed.Add(next.unnamed);
    unplaced.Add(next.unplaced);
    nested.Add(next.nested);
    stepless.Add(next.stepless);
  }
};

}  // namespace tfprof
