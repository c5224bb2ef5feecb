// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/ops/device_ops.h"
#include "analysis/ops/eager.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

// Sums over the events of a label. Small, because there are many labels and their events come in
// random order.
struct LabelSums {
  int64_t occurrences = 0;
  int64_t total_ps = 0;
  int64_t self_ps = 0;
  OpFamily family = OpFamily::none;
  bool is_eager = false;
};

// The labels of a process.
struct LabelOps {
  Range labels;
  std::vector<LabelSums> sums;
  std::vector<OpExecutions*> executions;  // by label, as `sums`; empty: not asked for

  LabelSums& Of(LabelId label) { return sums[label.value - labels.first]; }
};

LabelOps FindOps(const Store& store, const Process& process) {
  LabelOps ops{process.labels, std::vector<LabelSums>(process.labels.count), {}};
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const LabelId label(process.labels.first + i);
    const Label& of = store.labels[label.value];
    ops.Of(label).family = OpNameOf(of.of, store.Text(OpText(of))).family;
  }
  return ops;
}

std::vector<OpTime> TimesOf(const Store& store, LabelOps* ops) {
  const auto ran = [](const LabelSums& sums) { return sums.occurrences > 0; };
  std::vector<OpTime> times;
  times.reserve(static_cast<size_t>(std::count_if(ops->sums.begin(), ops->sums.end(), ran)));
  for (uint32_t i = 0; i < ops->labels.count; ++i) {
    const LabelId label(ops->labels.first + i);
    const LabelSums& sums = ops->Of(label);
    if (!ran(sums)) continue;
    OpTime& time = times.emplace_back();
    time.provenance = store.Text(OpText(store.labels[label.value]));
    time.of = store.labels[label.value].of;
    time.occurrences = sums.occurrences;
    time.total_ps = sums.total_ps;
    time.self_ps = sums.self_ps;
    time.is_eager = sums.is_eager;
    if (!ops->executions.empty()) time.executions = ops->executions[i];
  }
  return times;
}

// Adds the operations of one thread; returns its time outside of operations.
int64_t AddLane(const Measuring& measuring, const Lane& lane, const DetailColumn& eager,
                const DetailColumn& is_func, LabelOps* ops, std::vector<TimedEvent>* events) {
  const Store& store = measuring.store;
  events->clear();
  SpanOfEvents span;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    const OpFamily family = ops->Of(store.events.label[row]).family;
    if (family == OpFamily::none || !measuring.chosen.Takes(row)) continue;
    const int64_t start_ps = store.events.start_ps[row], ps = store.events.duration_ps[row];
    events->push_back({row, start_ps, ps, 0});
    span.Add(start_ps, ps);
  }
  MeasureSelfTimes(events);
  const std::vector<uint8_t> eager_rows = EagerRows(store, lane, is_func);
  const uint32_t first = lane.rows.first + lane.unplaced;
  int64_t idle_ps = span.ps();
  const bool has_eager = eager.rows.count > 0;
  DetailCursor is_eager(eager);
  for (const TimedEvent& event : *events) {
    LabelSums& sums = ops->Of(store.events.label[event.row]);
    ++sums.occurrences;
    sums.total_ps = SaturatingAdd(sums.total_ps, event.duration_ps);
    sums.self_ps = SaturatingAdd(sums.self_ps, event.self_ps);
    if (measuring.executions != nullptr) {
      const uint32_t label = store.events.label[event.row].value - ops->labels.first;
      measuring.Of(&ops->executions[label]).ps.push_back(event.self_ps);
    }
    idle_ps = SaturatingAdd(idle_ps, -event.self_ps);
    if (has_eager) sums.is_eager |= is_eager.Integer(event.row) > 0;
    if (sums.family != OpFamily::tensorflow || eager_rows.empty()) continue;
    sums.is_eager |= eager_rows[event.row - first] != 0;
  }
  return idle_ps;
}

}  // namespace

Result<ProcessOps> MeasureHost(const Measuring& measuring, ProcessId id) {
  const Store& store = measuring.store;
  const Process& process = store.processes[id.value];
  constexpr DetailKey kKeys[] = {AttributeKey::eager, AttributeKey::function_call};
  TFPROF_ASSIGN(const auto columns, measuring.indexes.Details(id, kKeys, measuring.context));
  const auto &eager = columns[0], &is_func = columns[1];
  LabelOps ops = FindOps(store, process);
  if (measuring.executions != nullptr) ops.executions.resize(ops.sums.size());
  std::vector<TimedEvent> events;
  ProcessOps found{id, false, {}, kNoInt};
  int64_t idle_ps = 0;
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    TFPROF_TRY(Poll(measuring.context));
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (!lane.derived)
      idle_ps = SaturatingAdd(idle_ps, AddLane(measuring, lane, *eager, *is_func, &ops, &events));
  }
  found.ops = TimesOf(store, &ops);
  if (!found.ops.empty()) found.idle_ps = idle_ps;
  return found;
}

}  // namespace tfprof
