// SPDX-License-Identifier: Apache-2.0
#include "views/columns/rates.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/report/report.h"
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

// On-chip memory is about twenty times as fast as off-chip memory.
constexpr double kMostOfPeak = 50;
constexpr double kFastestMemory =
    20e12;  // bytes/s, if the peak is not recorded: no device has more

void AddNoteIfAny(Note note, Report* report) {
  if (note.count > 0) report->notes.push_back(std::move(note));
}

// Returns the part of the total time in runs of unknown cost; 0: the cost of all or of no runs is
// known.
template <class Op>
int64_t UnknownPs(const Op& op) {
  const int64_t known_ps = std::max(op.device_flops.ps, op.bytes.ps);
  return known_ps > 0 ? std::max<int64_t>(0, op.total_ps - known_ps) : 0;
}

}  // namespace

template <class Op>
void NoteRates(const DevicePeaks& peaks, const std::vector<Op>& ops, Report* report) {
  Note waiting{note::awaiting_operations, 0, "", 0};
  Note links{note::operations_over_links, 0, "", 0};
  Note beyond{note::bytes_beyond_memory, 0, "", kNoInt};
  Note partly{note::rates_of_a_part, 0, "", 0};
  for (const Op& op : ops) {
    if (IsStalled(op)) {
      ++waiting.count;
      waiting.cost_ps = SaturatingAdd(waiting.cost_ps, op.total_ps);
      continue;
    }
    if (IsOverLinks(op)) {
      ++links.count;
      links.cost_ps = SaturatingAdd(links.cost_ps, op.total_ps);
    }
    if (IsBeyondMemory(peaks, op.bytes)) {
      ++beyond.count;
    } else if (const int64_t unknown_ps = UnknownPs(op); unknown_ps > 0) {
      ++partly.count;
      partly.cost_ps = SaturatingAdd(partly.cost_ps, unknown_ps);
    }
  }
  AddNoteIfAny(std::move(waiting), report);
  AddNoteIfAny(std::move(links), report);
  AddNoteIfAny(std::move(beyond), report);
  AddNoteIfAny(std::move(partly), report);
}
template void NoteRates(const DevicePeaks&, const std::vector<OpTime>&, Report*);
template void NoteRates(const DevicePeaks&, const std::vector<FrameworkOp>&, Report*);

bool IsBeyondMemory(const DevicePeaks& peaks, const KnownWork& bytes) {
  const bool recorded = peaks.memory_bytes_per_s > 0;
  const double peak = recorded ? peaks.memory_bytes_per_s : kFastestMemory;
  return bytes.PerSecond() > kMostOfPeak * peak;
}

void NoteFlopRates(const std::vector<FrameworkOp>& ops, Report* report) {
  Note partly{note::rates_of_a_part, 0, "", 0};
  for (const FrameworkOp& op : ops) {
    const int64_t unknown_ps = std::isnan(ModelFlopRate(op)) ? 0 : UnknownPs(op);
    if (unknown_ps == 0) continue;
    ++partly.count;
    partly.cost_ps = SaturatingAdd(partly.cost_ps, unknown_ps);
  }
  AddNoteIfAny(std::move(partly), report);
}

DevicePeaks PeaksOfAny(const Store& store, OpAccounting accounting,
                       const std::vector<const ProcessOps*>& devices) {
  for (const ProcessOps* of : devices) {
    const DeviceId device = store.processes[of->process.value].device;
    if (of->ops.empty() || !device.some()) continue;
    const Device& described = store.devices[device.value];
    return accounting == OpAccounting::original ? RecordedPeaksOf(store, described)
                                                : PeaksOf(store, described);
  }
  return {};
}

}  // namespace tfprof
