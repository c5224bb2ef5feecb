// SPDX-License-Identifier: Apache-2.0
#include "capture/model/threads.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tfprof::capture {
namespace {

// How many steps before an instant may still be open: one per thread that has steps.
constexpr int kMostOpenSteps = 64;

// The steps were found in a first pass over the same records.
int32_t StepThatStarts(const Definitions& definitions, uint64_t time, uint32_t thread) {
  const auto& steps = definitions.steps;
  auto at = std::lower_bound(steps.begin(), steps.end(), time,
                             [](const StepSpan& step, uint64_t t) { return step.start < t; });
  for (; at != steps.end() && at->start == time; ++at) {
    if (at->thread == thread) return static_cast<int32_t>(at - steps.begin());
  }
  return -1;
}

// TensorFlow's, JAX's and XLA's.
constexpr std::string_view kFrameworks = "TSL";

// The scope inside a range, which is in the first `around` of the open ones.
ScopeId ScopeInside(const Definitions& definitions, Scopes* scopes,
                    const std::vector<OpenRange>& open, size_t around, const OpenRange& range) {
  const NameFacts& name = definitions.Name(range.name);
  const RangeRole role = RoleOf(definitions, range);
  // Paths of operations are whole: an operation inside another is not part of its path.
  while (role == RangeRole::operation && around > 0 &&
         scopes->IsOperation(open[around - 1].scope)) {
    --around;
  }
  const ScopeId parent = around == 0 ? kNoScope : open[around - 1].scope;
  if (role == RangeRole::operation) return scopes->Operation(parent, range.name, name);
  return role == RangeRole::scope ? scopes->Inside(parent, range.name, name) : parent;
}

}  // namespace

RangeRole RoleOf(const Definitions& definitions, const OpenRange& range) {
  if (range.step >= 0) return RangeRole::step;
  if (range.is_part) return RangeRole::activity;
  if (range.domain == 0) return RangeRole::scope;
  const std::string_view domain = definitions.DomainName(range.domain);
  if (domain == kFrameworks) {
    return definitions.Name(range.name).op_path.empty() ? RangeRole::activity
                                                        : RangeRole::operation;
  }
  const auto& scopes = definitions.scope_domains;
  const bool is_scope = std::any_of(scopes.begin(), scopes.end(), [&](const std::string& scope) {
    return scope == domain || scope == "all";
  });
  return is_scope ? RangeRole::scope : RangeRole::foreign;
}

const OpenRange& Push(const Definitions& definitions, Scopes* scopes, uint32_t thread,
                      const PushRecord& push, ThreadRanges* ranges) {
  OpenRange range{.start = push.time,
                  .name = push.head.id,
                  .domain = push.domain,
                  .payload_type = push.payload_type,
                  .category = push.category};
  if (const auto* with = As<PushPayloadRecord>(push.head)) range.payload = with->payload;
  if (ranges->step == -1 && definitions.Name(range.name).is_step) {
    range.step = StepThatStarts(definitions, push.time, thread);
    range.is_part = definitions.is_cut && range.step < 0;
    ranges->step = range.is_part ? kPartOfStep : range.step;
  }
  range.scope = ScopeInside(definitions, scopes, ranges->open, ranges->open.size(), range);
  ranges->open.push_back(range);
  ranges->last_time = std::max(ranges->last_time, push.time);
  return ranges->open.back();
}

bool Pop(const Definitions& definitions, Scopes* scopes, const PopRecord& pop, ThreadRanges* ranges,
         OpenRange* closed) {
  ranges->last_time = std::max(ranges->last_time, pop.time);
  auto& open = ranges->open;
  size_t at = open.size();
  while (at > 0 && open[at - 1].domain != pop.head.id) --at;
  if (at == 0) return false;
  *closed = open[at - 1];
  open.erase(open.begin() + static_cast<std::ptrdiff_t>(at - 1));
  if (closed->step >= 0 || closed->is_part) ranges->step = -1;
  // Of time that is in two ranges the inner one has it; ranges of other domains do not count.
  if (at >= 2) {
    const bool has_scope = HasScope(RoleOf(definitions, *closed));
    open[at - 2].inner_ns +=
        has_scope ? pop.time - std::min(pop.time, closed->start) : closed->inner_ns;
  }
  // Ranges of other domains may have been opened inside.
  for (size_t i = at - 1; i < open.size(); ++i) {
    open[i].scope = ScopeInside(definitions, scopes, open, i, open[i]);
  }
  return true;
}

int32_t StepAt(const Definitions& definitions, uint64_t time) {
  const auto& steps = definitions.steps;
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), time,
                       [](uint64_t t, const StepSpan& step) { return t < step.start; });
  auto at = static_cast<int32_t>(after - steps.begin()) - 1;
  for (int tried = 0; at >= 0 && tried < kMostOpenSteps; --at, ++tried) {
    if (time < steps[static_cast<size_t>(at)].end) return at;
  }
  return -1;
}

}  // namespace tfprof::capture
