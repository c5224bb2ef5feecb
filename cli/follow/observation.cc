// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/observation.h"

#include <algorithm>

#include "analysis/intervals/span_statistics.h"
#include "analysis/memory/events.h"
#include "analysis/memory/peak.h"
#include "analysis/place.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/idle_shares.h"
#include "core/query/query.h"
#include "views/advice/checker.h"
#include "views/explore/wall_screen.h"

namespace tfprof {
namespace {

Result<int64_t> PeakBytes(const Indexes& indexes, Context& context) {
  TFPROF_ASSIGN(const auto memory, indexes.Get<MemoryEvents>(context));
  int64_t peak = kNoInt;
  for (const Allocator& allocator : memory->allocators) {
    const uint32_t at = PeakOf(*memory, allocator);
    if (at != kNoMemoryEvent) peak = std::max(peak, memory->events[at].InUseBytes());
  }
  return peak;
}

}  // namespace

bool SeenSteps::KeepNew(const Store& store, std::vector<StepRow>* steps) {
  const std::string source = store.sources.empty() ? std::string() : store.sources[0].path;
  if (source != source_) until_ps_.clear();
  source_ = source;
  const auto host = [](const StepRow& step) {
    return step.host.some() ? step.host.value : ~uint32_t{0};
  };
  // A profile of the end of a recording has another time 0 in each look.
  if (until_ps_.empty()) epoch_ns_ = store.epoch_ns;
  const int64_t moved_ps = (store.epoch_ns - epoch_ns_) * kPsPerNs;
  std::vector<StepRow> fresh;
  for (const StepRow& step : *steps) {
    const auto until = until_ps_.find(host(step));
    if (until == until_ps_.end() || step.start_ps + moved_ps >= until->second)
      fresh.push_back(step);
  }
  const auto ends_earlier = [&](const StepRow& step) {
    return step.end_ps + moved_ps < until_ps_.at(host(step));
  };
  const bool is_anew =
      fresh.empty() && !steps->empty() && std::ranges::all_of(*steps, ends_earlier);
  if (is_anew) {
    fresh = *steps;
    until_ps_.clear();
  }
  for (const StepRow& step : *steps) {
    int64_t& until = until_ps_.try_emplace(host(step), step.end_ps + moved_ps).first->second;
    until = std::max(until, step.end_ps + moved_ps);
  }
  const bool removes = fresh.size() < steps->size();
  *steps = std::move(fresh);
  return removes;
}

Result<Observation> Observe(const StorePtr& store, const Indexes& indexes, SeenSteps* seen,
                            Context& context) {
  Observation observed;
  TFPROF_TRY(ReadFacts(*store, indexes, {}, context));
  TFPROF_ASSIGN(std::vector<StepRow> steps,
                StepsOf(*store, indexes, PlaceFilter::Exact(), context));
  std::erase_if(steps, [](const StepRow& step) { return step.SpanPs() == kNoInt; });
  LastUntilNext(&steps);
  observed.sees_all = seen == nullptr || !seen->KeepNew(*store, &steps);
  std::ranges::stable_sort(steps, {}, &StepRow::start_ps);
  for (const StepRow& step : steps) observed.spans_ps.push_back(step.SpanPs());
  if (!steps.empty()) {
    const auto [first, last] = std::ranges::minmax(steps, {}, &StepRow::number);
    observed.first_step = first.number;
    observed.last_step = last.number;
  }
  observed.steps = static_cast<int64_t>(steps.size());
  observed.step_ps = StepTimeOf(steps);
  TFPROF_ASSIGN(const IdleShares times, IdleSharesOf(*store, indexes, context));
  observed.busy_pct = 100 - times.idle_pct;  // NaN stays NaN
  TFPROF_ASSIGN(observed.memory_bytes, PeakBytes(indexes, context));
  TFPROF_ASSIGN(const std::vector<Finding> findings, AllFindings(store, indexes, context));
  for (const Finding& finding : ShownFindings(findings))
    observed.findings.emplace_back(finding.id, WhatOf(finding));
  return observed;
}

}  // namespace tfprof
