// SPDX-License-Identifier: Apache-2.0
#include "views/transfers/chosen_copies.h"

#include <utility>

#include "analysis/chosen_events.h"
#include "analysis/place.h"
#include "analysis/steps/step_selection.h"
#include "core/base/parallel.h"
#include "core/store/event_runs.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

std::vector<ShownDevice> ShowDevices(const Store& store, std::vector<IndexPtr<DeviceCopies>> found,
                                     TextPool& pool) {
  std::vector<ShownDevice> devices;
  for (IndexPtr<DeviceCopies>& of : found) {
    ShownDevice& shown = devices.emplace_back();
    if (of->device.some()) {
      const Process& process = store.processes[of->device.value];
      shown.host = HostName(store, process.host);
      shown.name = store.Text(process.name);
    } else {
      const Lane& lane = store.lanes[of->lane.value];
      shown.name = DevicePart(lane, store.Text(lane.display));
    }
    shown.texts = KeepTexts(of->texts, pool);
    shown.found = std::move(of);
  }
  return devices;
}

// The events that -step selects: by their groups, or by the steps of runs.
struct SelectedEvents {
  ChosenEvents of_groups;
  std::vector<EventRun> runs = {};  // of a store without processes, if -step is given

  bool Takes(const Store& store, const PlaceFilter& place, EventId event) const {
    if (runs.empty()) return of_groups.Takes(event.value);
    const StepId step = RunOf(runs, event).step;
    return step.some() && place.TakesStep(store.steps[step.value].number);
  }
};

Result<SelectedEvents> SelectEvents(const Store& store, const Indexes& indexes,
                                    const PlaceFilter& place, Context& context) {
  SelectedEvents selected;
  TFPROF_ASSIGN(selected.of_groups, ChooseEvents(store, indexes, place, context));
  if (store.IsTrace() || !place.SelectsSteps()) return selected;
  TFPROF_TRY(CheckStepOfProfile(store, place));
  selected.runs = EventRuns(store);
  return selected;
}

std::vector<TransferRow> RowsOf(const Store& store, const PlaceFilter& place,
                                const std::vector<ShownDevice>& devices,
                                const SelectedEvents& selected) {
  std::vector<TransferRow> rows;
  for (const ShownDevice& device : devices) {
    for (const Copy& copy : device.found->copies) {
      if (selected.Takes(store, place, copy.event)) rows.push_back({&device, &copy});
    }
  }
  return rows;
}

// The copies of each selected device with processes.
Result<std::vector<IndexPtr<DeviceCopies>>> CopiesOfProcesses(const Store& store,
                                                              const Indexes& indexes,
                                                              const PlaceFilter& place,
                                                              Context& context) {
  const std::vector<ProcessId> selected = SelectedProcesses(store, place, ProcessKind::device);
  std::vector<IndexPtr<DeviceCopies>> found(selected.size());
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  TFPROF_TRY(
      TryEachTask(found.size(), threads, context, [&](size_t i, Context& of_task) -> Result<void> {
        TFPROF_ASSIGN(found[i], indexes.Get<DeviceCopies>(selected[i], of_task));
        return {};
      }));
  return found;
}

// The copies of each selected device that runs recorded.
Result<std::vector<IndexPtr<DeviceCopies>>> CopiesOfRuns(const Store& store, const Indexes& indexes,
                                                         const PlaceFilter& place,
                                                         Context& context) {
  TFPROF_ASSIGN(const auto all, indexes.Get<RunCopies>(context));
  const std::vector<bool> in_place = LanesMatchingPlace(store, place);
  std::vector<IndexPtr<DeviceCopies>> found;
  for (const DeviceCopies& device : all->devices) {
    if (in_place[device.lane.value]) found.emplace_back(all, &device);
  }
  return found;
}

}  // namespace

Result<ChosenCopies> ChooseCopies(const Store& store, const Indexes& indexes,
                                  const PlaceFilter& place, TextPool& pool, Context& context) {
  TFPROF_ASSIGN(const SelectedEvents selected, SelectEvents(store, indexes, place, context));
  TFPROF_ASSIGN(auto found, store.IsTrace() ? CopiesOfProcesses(store, indexes, place, context)
                                            : CopiesOfRuns(store, indexes, place, context));
  ChosenCopies chosen;
  for (const IndexPtr<DeviceCopies>& device : found) chosen.unfinished += device->unfinished;
  chosen.devices = ShowDevices(store, std::move(found), pool);
  chosen.rows = RowsOf(store, place, chosen.devices, selected);
  return chosen;
}

}  // namespace tfprof
