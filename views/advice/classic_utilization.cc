// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "analysis/wall_time.h"
#include "core/base/context.h"
#include "core/base/sorting.h"
#include "core/store/event_runs.h"
#include "core/store/rounded_time.h"
#include "views/advice/classic.h"

namespace tfprof {
namespace {

// A node's records in the last step that has any. Wall time in us; 0: unknown.
struct LastStep {
  StepId step;
  int64_t first_us = 0;
  int64_t end_us = 0;
  int64_t accelerator_us = 0;
};

struct Reading {
  const Store& store;
  const NodeAccounts& accounts;
  std::vector<bool> accelerators;  // by lane
  Column<LastStep> nodes;
};

int64_t MicrosOf(const Store& store, int64_t time_ps) {
  return time_ps == kNoTime ? 0 : IntegerWallMicros(store, time_ps);
}

// Returns the earlier start; 0 means unknown.
int64_t Earlier(int64_t a, int64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); }

void AddRow(const Store& store, const Lane& lane, uint32_t row, LastStep* last) {
  const int64_t start_ps = RoundedStart(store, row);
  if (start_ps == kNoTime) return;
  const int64_t us = RoundedDuration(store, lane, row) / kPsPerUs;
  const int64_t start_us = MicrosOf(store, start_ps);
  last->first_us = Earlier(last->first_us, start_us);
  last->end_us = std::max(last->end_us, WrapAdd(start_us, us));
  if (lane.measures == Measures::accelerator_time) {
    last->accelerator_us = WrapAdd(last->accelerator_us, us);
  }
}

// REQUIRES: runs are ordered by step.
void AddRows(const EventRun& run, uint32_t first, uint32_t end, Reading* reading) {
  const Store& store = reading->store;
  const Lane& lane = store.lanes[run.lane.value];
  const bool counts = reading->accounts.lane_counts[run.lane.value];
  for (uint32_t row = first; row < end; ++row) {
    const NodeId node = store.labels[store.events.label[row].value].node;
    if (!node.some()) continue;
    const LaneId counting = reading->accounts.counting_lane[node.value];
    if (!counting.some() || !reading->accelerators[counting.value]) continue;
    if (counts && counting != run.lane) continue;
    LastStep& last = reading->nodes[node.value];
    if (last.step != run.step) last = {.step = run.step};
    AddRow(store, lane, row, &last);
  }
}

void ApplyDeclared(Reading* reading) {
  const Store& store = reading->store;
  for (const Declared& row : store.declared) {
    LastStep& last = reading->nodes[row.node.value];
    if (last.step != row.step) continue;
    last.first_us = MicrosOf(store, row.first_start_ps);
    last.end_us = MicrosOf(store, row.last_end_ps);
  }
}

std::vector<DeviceUtilization> OfDevices(const Reading& reading) {
  const Store& store = reading.store;
  std::vector<LastStep> devices(store.lanes.size());
  for (size_t i = 0; i < reading.nodes.size(); ++i) {
    const LastStep& node = reading.nodes[i];
    if (!node.step.some()) continue;
    LastStep& device = devices[reading.accounts.counting_lane[i].value];
    device.first_us = Earlier(device.first_us, node.first_us);
    device.end_us = std::max(device.end_us, node.end_us);
    device.accelerator_us = WrapAdd(device.accelerator_us, node.accelerator_us);
  }
  std::vector<DeviceUtilization> found;
  for (size_t i = 0; i < devices.size(); ++i) {
    const int64_t span_us = WrapAdd(devices[i].end_us, -devices[i].first_us);
    if (span_us <= 0) continue;
    const auto busy_us = static_cast<double>(devices[i].accelerator_us);
    found.push_back({LaneId(i), busy_us / static_cast<double>(span_us)});
  }
  std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return store.Text(store.lanes[a.lane.value].name) < store.Text(store.lanes[b.lane.value].name);
  });
  return found;
}

}  // namespace

bool IsAccelerator(const Store& store, LaneId lane) {
  return lane.some() &&
         store.Text(store.lanes[lane.value].name).find("gpu") != std::string_view::npos;
}

Result<std::vector<DeviceUtilization>> ClassicUtilization(const Store& store,
                                                          const NodeAccounts& accounts,
                                                          Context& context) {
  Reading reading{store, accounts, {}, {}};
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    reading.accelerators.push_back(accounts.lane_counts[i] && IsAccelerator(store, LaneId(i)));
  }
  const auto& accelerators = reading.accelerators;
  if (std::find(accelerators.begin(), accelerators.end(), true) == accelerators.end()) return {};
  reading.nodes.Resize(store.nodes.size());
  std::vector<EventRun> runs = EventRuns(store);
  StableSort(runs, [](const EventRun& a, const EventRun& b) { return a.step < b.step; });
  for (const EventRun& run : runs) {
    for (uint32_t row = run.first; row < run.end; row += kRowsPerPoll) {
      TFPROF_TRY(Poll(context));
      AddRows(run, row, row + std::min(run.end - row, kRowsPerPoll), &reading);
    }
  }
  ApplyDeclared(&reading);
  return OfDevices(reading);
}

}  // namespace tfprof
