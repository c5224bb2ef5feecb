// SPDX-License-Identifier: Apache-2.0
#include "core/detail_cursor.h"
#include "views/ops/device_ops.h"
#include "views/ops/eager.h"

namespace tfprof {
namespace {

// Operations among the labels of a process.
struct HostOps {
  Range labels;
  std::vector<OpName> of_label;
  std::vector<OpTime> times;  // likewise

  const OpName& Name(LabelId label) const { return of_label[label.value - labels.first]; }
};

HostOps FindOps(const Store& store, const Process& process) {
  HostOps ops{process.labels, {}, std::vector<OpTime>(process.labels.count)};
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const std::string_view text = store.Text(store.labels[process.labels.first + i].name);
    ops.of_label.push_back(ParseOpName(text));
    ops.times[i].provenance = text;
  }
  return ops;
}

// Adds the operations of one thread; returns how long it was in none of them.
int64_t AddLane(const Measuring& measuring, const Lane& lane, const DetailColumn& eager,
                const DetailColumn& is_func, HostOps* ops, std::vector<TimedEvent>* events) {
  const Store& store = measuring.store;
  events->clear();
  SpanOfEvents span;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    if (!ops->Name(store.events.label[row]) || !measuring.chosen.Takes(row)) continue;
    const int64_t start_ps = store.events.start_ps[row], ps = store.events.duration_ps[row];
    events->push_back({row, start_ps, ps, 0});
    span.Add(start_ps, ps);
  }
  MeasureSelfTimes(events);
  const std::vector<uint8_t> eager_rows = EagerRows(store, lane, is_func);
  const uint32_t first = lane.rows.first + lane.unplaced;
  int64_t idle_ps = span.ps();
  DetailCursor is_eager(eager);
  for (const TimedEvent& event : *events) {
    const LabelId label = store.events.label[event.row];
    OpTime& time = ops->times[label.value - ops->labels.first];
    ++time.occurrences;
    time.total_ps = SaturatingAdd(time.total_ps, event.duration_ps);
    time.self_ps = SaturatingAdd(time.self_ps, event.self_ps);
    idle_ps = SaturatingAdd(idle_ps, -event.self_ps);
    time.is_eager |= is_eager.Integer(event.row) > 0;
    if (ops->Name(label).family != OpFamily::tensorflow || eager_rows.empty()) continue;
    time.is_eager |= eager_rows[event.row - first] != 0;
  }
  return idle_ps;
}

}  // namespace

Result<ProcessOps> MeasureHost(const Measuring& measuring, ProcessId id) {
  const Store& store = measuring.store;
  const Process& process = store.processes[id.value];
  constexpr std::string_view kKeys[] = {"is_eager", "is_func"};
  TFPROF_ASSIGN(const auto columns, measuring.indexes.Details(id, kKeys, measuring.context));
  const auto &eager = columns[0], &is_func = columns[1];
  HostOps ops = FindOps(store, process);
  std::vector<TimedEvent> events;
  ProcessOps found{id, false, {}, kNoInt};
  int64_t idle_ps = 0;
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    TFPROF_TRY(Poll(measuring.context));
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (!lane.derived)
      idle_ps = SaturatingAdd(idle_ps, AddLane(measuring, lane, *eager, *is_func, &ops, &events));
  }
  KeepRan(&ops.times);
  found.ops = std::move(ops.times);
  if (!found.ops.empty()) found.idle_ps = idle_ps;
  return found;
}

}  // namespace tfprof
