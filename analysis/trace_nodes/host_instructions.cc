// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/trace_nodes/node_maker.h"

namespace tfprof {
namespace {

void TakeLane(const Lane& lane, NodeMaker* maker) {
  const Store& trace = maker->trace;
  for (const uint32_t row : lane.PlacedRows()) {
    if (maker->python.of_event[row] == PythonStacks::kNone) continue;
    const Label& label = trace.labels[trace.events.label[row].value];
    const auto known = maker->host_instructions.rows.find(trace.Text(label.name));
    if (known != maker->host_instructions.rows.end()) known->second.push_back(row);
  }
}

}  // namespace

uint32_t HostInstructions::CallAt(std::string_view instruction, EventId launch,
                                  const NodeMaker& maker) const {
  const auto known = rows.find(instruction);
  if (known == rows.end()) return PythonStacks::kNone;
  const Events& events = maker.trace.events;
  const int64_t at_ps = events.start_ps[launch.value];
  const std::vector<uint32_t>& of_name = known->second;
  const auto after = std::upper_bound(
      of_name.begin(), of_name.end(), at_ps,
      [&](int64_t time_ps, uint32_t row) { return time_ps < events.start_ps[row]; });
  if (after == of_name.begin()) return PythonStacks::kNone;
  const uint32_t row = *(after - 1);
  return at_ps <= events.EndPs(row) ? maker.python.of_event[row] : PythonStacks::kNone;
}

void FindHostInstructions(const std::vector<DeviceOps>& devices, NodeMaker* maker) {
  if (maker->python.empty()) return;
  auto& rows = maker->host_instructions.rows;
  for (const DeviceOps& device : devices) {
    for (const EventOp& op : device.Ops().ops) {
      if (!op.hlo_name.empty()) rows.try_emplace(op.hlo_name);
    }
  }
  if (rows.empty()) return;
  const Store& trace = maker->trace;
  for (const Lane& lane : trace.lanes) {
    if (lane.measures == Measures::host_time) TakeLane(lane, maker);
  }
  for (auto& [name, of_name] : rows) {
    std::sort(of_name.begin(), of_name.end(), [&](uint32_t a, uint32_t b) {
      const int64_t of_a = trace.events.start_ps[a], of_b = trace.events.start_ps[b];
      return of_a != of_b ? of_a < of_b : a < b;
    });
  }
}

}  // namespace tfprof
