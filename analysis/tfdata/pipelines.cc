// SPDX-License-Identifier: Apache-2.0
#include "analysis/tfdata/pipelines.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/place.h"

namespace tfprof {
namespace {

// The calls that work for each call.
struct CallsWithin {
  std::vector<uint32_t> first;  // by call, plus one
  std::vector<uint32_t> calls;
};

CallsWithin ChildrenOf(const std::vector<IteratorCall>& calls) {
  CallsWithin children;
  children.first.assign(calls.size() + 1, 0);
  for (const IteratorCall& call : calls) {
    if (call.parent != IteratorCall::kNone) ++children.first[call.parent + 1];
  }
  for (size_t i = 1; i < children.first.size(); ++i) children.first[i] += children.first[i - 1];
  children.calls.resize(children.first.back());
  std::vector<uint32_t> next(children.first.begin(), children.first.end());
  for (uint32_t i = 0; i < calls.size(); ++i) {
    if (calls[i].parent != IteratorCall::kNone) children.calls[next[calls[i].parent]++] = i;
  }
  return children;
}

int64_t OverlapPs(const IteratorCall& a, const IteratorCall& b) {
  const int64_t start_ps = std::max(a.start_ps, b.start_ps);
  return std::max(int64_t{0}, SaturatingAdd(std::min(a.end_ps, b.end_ps), -start_ps));
}

// Sums up the calls below one root at a time.
class Summing {
 public:
  Summing(const std::vector<IteratorCall>& calls, std::vector<IteratorWork>* work)
      : calls_(calls), children_(ChildrenOf(calls)), work_(*work) {
    std::unordered_map<int64_t, uint32_t> numbers;
    for (const IteratorCall& call : calls) {
      const auto next = static_cast<uint32_t>(numbers.size());
      iterator_.push_back(numbers.try_emplace(call.iterator.bits, next).first->second);
    }
    place_.resize(numbers.size(), IteratorCall::kNone);
  }

  // Every call has one parent and a root has none: whatever a file contains, nothing is visited
  // twice.
  RootCall Sum(uint32_t root) {
    const size_t first = work_.size();
    queue_.assign(1, {root, true});
    for (size_t at = 0; at < queue_.size(); ++at) Add(queue_[at], first);
    RootCall sum{root, {static_cast<uint32_t>(first), static_cast<uint32_t>(work_.size() - first)}};
    int64_t longest_ps = 0;
    for (auto i = static_cast<uint32_t>(first); i < work_.size(); ++i) {
      if (!work_[i].is_blocking || work_[i].self_ps <= longest_ps) continue;
      longest_ps = work_[i].self_ps;
      sum.bottleneck = i;
    }
    return sum;
  }

 private:
  struct Open {
    uint32_t call;
    bool is_blocking;
  };

  void Add(Open open, size_t first) {
    const IteratorCall& call = calls_[open.call];
    uint32_t& place = place_[iterator_[open.call]];
    if (place == IteratorCall::kNone || place < first) {
      place = static_cast<uint32_t>(work_.size());
      work_.push_back({call.iterator, call.label});
    }
    const int64_t duration_ps = SaturatingAdd(call.end_ps, -call.start_ps);
    int64_t self_ps = duration_ps;
    for (uint32_t i = children_.first[open.call]; i < children_.first[open.call + 1]; ++i) {
      const uint32_t child = children_.calls[i];
      const int64_t overlap_ps = OverlapPs(call, calls_[child]);
      self_ps = SaturatingAdd(self_ps, -overlap_ps);
      queue_.push_back({child, open.is_blocking && overlap_ps > 0});
    }
    IteratorWork& work = work_[place];
    work.duration_ps = SaturatingAdd(work.duration_ps, duration_ps);
    work.self_ps = SaturatingAdd(work.self_ps, self_ps);
    work.is_blocking |= open.is_blocking;
    ++work.calls;
  }

  const std::vector<IteratorCall>& calls_;
  CallsWithin children_;
  std::vector<IteratorWork>& work_;
  std::vector<uint32_t> iterator_;  // by call: dense number of its iterator
  std::vector<uint32_t> place_;     // by that number: the last position in work_
  std::vector<Open> queue_;
};

// Returns the root calls of a process by pipeline, in order of their first calls, then by start.
std::vector<std::vector<uint32_t>> RootsOf(const std::vector<IteratorCall>& calls) {
  std::vector<uint32_t> roots;
  for (uint32_t i = 0; i < calls.size(); ++i) {
    if (calls[i].is_root) roots.push_back(i);
  }
  std::sort(roots.begin(), roots.end(), [&](uint32_t a, uint32_t b) {
    return calls[a].start_ps != calls[b].start_ps ? calls[a].start_ps < calls[b].start_ps : a < b;
  });
  std::unordered_map<int64_t, size_t> known;
  std::vector<std::vector<uint32_t>> pipelines;
  for (const uint32_t root : roots) {
    const auto [at, added] = known.try_emplace(calls[root].iterator.bits, pipelines.size());
    if (added) pipelines.emplace_back();
    pipelines[at->second].push_back(root);
  }
  return pipelines;
}

void AddPipeline(const IteratorCalls& found, const std::vector<uint32_t>& roots, Summing* summing,
                 Pipeline pipeline, Pipelines* pipelines) {
  const IteratorCall& first = found.calls[roots.front()];
  pipeline.id = first.iterator;
  pipeline.label = first.label;
  pipeline.is_device = std::ranges::binary_search(found.device_roots, first.iterator.bits);
  pipeline.roots = {static_cast<uint32_t>(pipelines->roots.size()),
                    static_cast<uint32_t>(roots.size())};
  pipeline.min_ps = kMaxPs;
  pipeline.max_ps = kMinPs;
  for (const uint32_t root : roots) {
    const IteratorCall& call = found.calls[root];
    const int64_t latency_ps = SaturatingAdd(call.end_ps, -call.start_ps);
    pipeline.sum_ps = SaturatingAdd(pipeline.sum_ps, latency_ps);
    pipeline.min_ps = std::min(pipeline.min_ps, latency_ps);
    pipeline.slow_calls += latency_ps > kSlowCallPs;
    if (latency_ps > pipeline.max_ps) {
      pipeline.max_ps = latency_ps;
      pipeline.slowest = static_cast<uint32_t>(pipelines->roots.size());
    }
    pipelines->roots.push_back(summing->Sum(root));
  }
  pipelines->pipelines.push_back(pipeline);
}

}  // namespace

Result<Pipelines> Pipelines::Build(const Store& store, Context& context) {
  Pipelines pipelines;
  pipelines.calls.resize(store.processes.size());
  for (const ProcessId id : SelectedProcesses(store, {}, ProcessKind::host)) {
    IteratorCalls& found = pipelines.calls[id.value];
    TFPROF_ASSIGN(found, FindIteratorCalls(store, id, context));
    Summing summing(found.calls, &pipelines.work);
    for (const std::vector<uint32_t>& roots : RootsOf(found.calls)) {
      TFPROF_TRY(Poll(context));
      Pipeline pipeline;
      pipeline.host = store.processes[id.value].host;
      pipeline.process = id;
      AddPipeline(found, roots, &summing, pipeline, &pipelines);
    }
  }
  return pipelines;
}

}  // namespace tfprof
