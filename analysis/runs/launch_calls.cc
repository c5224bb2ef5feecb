// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/launch_calls.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"

namespace tfprof {
namespace {

const LaunchCall* AroundOn(const CallsOfName::OnLane& lane, int64_t at_ps) {
  const auto after = std::ranges::upper_bound(lane.calls, at_ps, {}, &LaunchCall::start_ps);
  if (after == lane.calls.begin()) return nullptr;
  const LaunchCall& last = *(after - 1);
  return at_ps <= last.end_ps ? &last : nullptr;
}

void Add(LaneId lane, const LaunchCall& call, CallsOfName* calls) {
  if (calls->lanes.empty() || calls->lanes.back().lane != lane) calls->lanes.push_back({lane, {}});
  calls->lanes.back().calls.push_back(call);
}

bool RunsPrograms(const Store& store, const Process& process) {
  const auto labels = store.labels.Rows(process.labels.first, process.labels.count);
  return std::ranges::any_of(
      labels, [](const Label& label) { return label.role == EventRole::program_run; });
}

void TakeLane(const Store& store, LaneId id, LaneNesting* nesting, LaunchCalls* calls) {
  const Events& events = store.events;
  NestEvents(store, store.lanes[id.value], nesting);
  std::vector<uint32_t> program_of(nesting->parent.size(), kNoRow);
  for (const uint32_t row : nesting->order) {
    const Label& label = store.labels[events.label[row].value];
    const std::string_view name = store.Text(label.name);
    const uint32_t around = nesting->ParentOf(row);
    uint32_t& program = program_of[row - nesting->first];
    const bool is_program = label.role == EventRole::program_run;
    if (is_program) program = row;
    if (!is_program && around != kNoRow) program = program_of[around - nesting->first];
    if (program == kNoRow) continue;
    const int64_t start_ps = events.start_ps[row];
    const LaunchCall call{row, program, start_ps, SaturatingAdd(start_ps, events.duration_ps[row])};
    if (is_program) {
      Add(id, call, &calls->programs[std::string(name.substr(0, name.size() - label.suffix))]);
    } else {
      Add(id, call, &calls->instructions[label.name.value]);
    }
  }
}

}  // namespace

const LaunchCall* CallsOfName::Around(LaneId lane, int64_t at_ps) const {
  const LaunchCall* found = nullptr;
  for (const OnLane& on : lanes) {
    const LaunchCall* call = AroundOn(on, at_ps);
    if (call == nullptr) continue;
    if (on.lane == lane) return call;
    if (found == nullptr || call->start_ps > found->start_ps) found = call;
  }
  return found;
}

Result<LaunchCalls> LaunchCalls::Build(const Indexes& indexes, HostId host, Context& context) {
  const Store& store = *indexes.store();
  LaunchCalls calls;
  LaneNesting nesting;
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host || process.host != host) continue;
    if (!RunsPrograms(store, process)) continue;
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      TFPROF_TRY(Poll(context));
      TakeLane(store, LaneId(process.lanes.first + i), &nesting, &calls);
    }
  }
  return calls;
}

}  // namespace tfprof
