// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/lock_waits.h"

#include <algorithm>
#include <map>

#include "analysis/intervals/interval_set.h"
#include "analysis/wall/python_names.h"

namespace tfprof {
namespace {

constexpr int64_t kMinWaits = 3;    // fewer may end with a release by chance
constexpr double kNearlyAll = 0.8;  // of the gaps, before the first release: by chance half at most

// By label of the host.
std::vector<bool> ReleasingLabels(const Store& store, const Process& host) {
  std::vector<bool> releases(host.labels.count);
  for (uint32_t i = 0; i < host.labels.count; ++i) {
    const Label& label = store.labels[host.labels.first + i];
    releases[i] = PythonNameOf(store, label).action == PythonAction::releases_lock;
  }
  return releases;
}

// Returns the longest gap before each end of a `with` block, since the one before it: within the
// event around the end, between the events directly in that one.
std::vector<LockWait> GapsOf(const Store& store, const LaneNesting& nesting,
                             const std::vector<bool>& releases, uint32_t first_label) {
  struct Within {
    int64_t until_ps = kNoTime;
    Interval longest{0, 0};
  };
  std::vector<Within> within(nesting.parent.size());
  std::vector<LockWait> gaps;
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    if (parent == kNoRow) continue;
    Within& of = within[parent - nesting.first];
    const int64_t start_ps = store.events.start_ps[row];
    if (of.until_ps == kNoTime) of.until_ps = store.events.start_ps[parent];
    if (SpanOf(of.until_ps, start_ps) > SpanOf(of.longest.start_ps, of.longest.end_ps)) {
      of.longest = {of.until_ps, start_ps};
    }
    of.until_ps = std::max(of.until_ps, store.events.EndPs(row));
    if (!releases[store.events.label[row].value - first_label]) continue;
    if (of.longest.end_ps > of.longest.start_ps) gaps.push_back({of.longest, parent});
    of.longest = {0, 0};
  }
  return gaps;
}

// The gaps in functions of one name.
struct Gaps {
  int64_t ps = 0, wait_ps = 0, waits = 0;

  bool AreWaits() const {
    return waits >= kMinWaits &&
           static_cast<double>(wait_ps) >= kNearlyAll * static_cast<double>(ps);
  }
};

}  // namespace

std::vector<LockRelease> LockReleases(const Store& store, const Process& host, LaneId but) {
  std::vector<LockRelease> found;
  const std::vector<bool> releases = ReleasingLabels(store, host);
  if (std::ranges::none_of(releases, [](bool is) { return is; })) return found;
  for (uint32_t i = host.lanes.first; i < host.lanes.first + host.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (LaneId(i) == but || lane.derived) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      if (!releases[store.events.label[row].value - host.labels.first]) continue;
      found.push_back({store.events.EndPs(row), LaneId(i)});
    }
  }
  std::ranges::sort(found, {}, &LockRelease::end_ps);
  return found;
}

std::vector<LockWait> LockWaits(const Store& store, const DrivingThread& thread) {
  const Process& host = store.processes[store.lanes[thread.lane.value].process.value];
  const std::vector<LockRelease> releases = LockReleases(store, host, thread.lane);
  if (releases.empty()) return {};
  std::vector<LockWait> waits =
      GapsOf(store, thread.nesting, ReleasingLabels(store, host), host.labels.first);
  std::map<uint32_t, Gaps> of_label;
  for (LockWait& wait : waits) {
    Gaps& gaps = of_label[store.events.label[wait.row].value];
    gaps.ps = SaturatingAdd(gaps.ps, SpanOf(wait.when.start_ps, wait.when.end_ps));
    const auto release =
        std::ranges::upper_bound(releases, wait.when.start_ps, {}, &LockRelease::end_ps);
    const bool within = release != releases.end() && release->end_ps <= wait.when.end_ps;
    wait.when.end_ps = within ? release->end_ps : wait.when.start_ps;
    gaps.wait_ps = SaturatingAdd(gaps.wait_ps, SpanOf(wait.when.start_ps, wait.when.end_ps));
    gaps.waits += within;
  }
  std::erase_if(waits, [&](const LockWait& wait) {
    return wait.when.end_ps == wait.when.start_ps ||
           !of_label[store.events.label[wait.row].value].AreWaits();
  });
  std::ranges::sort(waits, {}, [](const LockWait& wait) { return wait.when.start_ps; });
  return waits;
}

}  // namespace tfprof
