// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/work_sums.h"

#include <algorithm>
#include <tuple>

namespace tfprof {

void WorkSums::Add(const WorkSums& other) {
  of_.resize(std::max(size(), other.size()));
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  for (size_t i = 0; i < other.size(); ++i) {
    const NodeWork& more = other[i];
    if (!more.some()) continue;
    of_[i].Add(more.first_ps, more.ps);
    of_[i].runs = SaturatingAdd(of_[i].runs, more.runs);
    of_[i].flops = SaturatingAdd(of_[i].flops, more.flops);
    if (more.kernel.some()) Launch(static_cast<uint32_t>(i), more.kernel, more.launched);
  }
  for (size_t i = 0; i < other.launched_.size(); ++i) {
    const OfNode& of = other.others_.keys()[i];
    Launch(of.node, of.kernel, other.launched_[i]);
  }
}

void WorkSums::CountRuns() {
  struct Launches {
    uint32_t node, op;
    int64_t times;
  };
  std::vector<Launches> launches;
  for (uint32_t i = 0; i < of_.size(); ++i) {
    if (of_[i].kernel.some()) launches.push_back({i, of_[i].kernel.op, of_[i].launched});
    of_[i].kernel = {};
    of_[i].launched = 0;
  }
  for (size_t i = 0; i < launched_.size(); ++i) {
    const OfNode& of = others_.keys()[i];
    launches.push_back({of.node, of.kernel.op, launched_[i]});
  }
  others_ = {};
  launched_.clear();
  std::sort(launches.begin(), launches.end(), [](const Launches& a, const Launches& b) {
    return std::tie(a.node, a.op, b.times) < std::tie(b.node, b.op, a.times);
  });
  const Launches* before = nullptr;
  for (const Launches& of : launches) {
    const bool is_most = before == nullptr || before->node != of.node || before->op != of.op;
    if (is_most) of_[of.node].runs = SaturatingAdd(of_[of.node].runs, of.times);
    before = &of;
  }
}

}  // namespace tfprof
