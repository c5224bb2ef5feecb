// SPDX-License-Identifier: Apache-2.0
#include "views/steps/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "analysis/steps/gaps.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/properties.h"

namespace tfprof {

void NoteSteps(const Store& store, const std::vector<HostSteps>& hosts, const PlaceFilter& place,
               size_t common, bool has_parts, Report* report) {
  const auto note = [&](const NoteWords& what, size_t count) {
    report->notes.push_back({what, static_cast<int64_t>(count), "", kNoInt});
  };
  size_t without = 0, with_device = 0, longest = 0;
  for (const HostSteps& host : hosts) {
    without += host.steps.empty();
    with_device += host.has_device() && !host.steps.empty();
    longest = std::max(longest, host.steps.size());
  }
  if (!store.IsTrace()) {
    note(note::no_step_parts, 1);
  } else if (longest == 0) {
    note(place.FiltersPlaces() ? note::no_step_here : note::no_step_marked, 1);
  } else {
    if (without > 0) note(note::hosts_without_steps, without);
    if (const std::string from(InferredFrom(hosts)); !from.empty()) {
      report->notes.push_back({note::With(note::steps_inferred, {from}), 1, "", kNoInt});
    }
    if (longest > common) note(note::steps_not_on_all_hosts, longest - common);
    if (StepsOverlap(hosts)) {
      const NoteRow& row = has_parts ? note::steps_overlap_parts : note::steps_overlap_times;
      note(OverlapNote(row, hosts), 1);
    }
    if (has_parts && with_device > 0) {
      // `-device host:CPU` selects something.
      const bool has_host =
          std::ranges::count(store.processes, ProcessKind::host, &Process::kind) > 0;
      note(has_host ? note::steps_are_of_devices_not_host : note::steps_are_of_devices, 1);
    }
  }
}

void AddDurationStatistics(const SpanStatistics& spans, const Display& display, Report* report) {
  if (spans.count == 0) return;
  const auto add = [&](const PropertyName& name, int64_t ps) {
    AddIntegerProperty(name, ps, Unit::ps, report);
  };
  const bool several = spans.count > 1;
  const std::string_view spread = several ? "duration" : "";
  add({"step_mean_us", "duration", several ? "mean" : "", "duration_mean_ps"}, spans.mean_ps);
  add({"step_min_us", spread, "min", "duration_min_ps"}, spans.shortest_ps);
  add({"step_median_us", spread, "median", "duration_median_ps"}, spans.median_ps);
  // Of fewer steps it is hardly anything but the longest.
  constexpr int64_t kMinForP95 = 20;
  if (spans.count >= kMinForP95 && !display.original_ids) {
    add({"step_p95_us", spread, "p95"}, spans.p95_ps);
  }
  add({"step_max_us", spread, "max", "duration_max_ps"}, spans.longest_ps);
}

void AddTimesOf(std::string_view id, TimesOf of, const std::vector<HostSteps>& hosts,
                std::string_view head, Report* report) {
  const auto with_steps = std::count_if(hosts.begin(), hosts.end(),
                                        [](const HostSteps& host) { return !host.steps.empty(); });
  if (with_steps < 2) return;
  const bool of_all = of == TimesOf::all_hosts;
  AddTextProperty({id, head}, of_all ? "all hosts" : "slowest host", report).display_text =
      of_all ? "of the steps of all hosts" : "of the slowest host in each";
}

void AddOutliers(std::vector<Outlier> outliers, size_t of_steps, Report* report) {
  constexpr size_t kShown = 5;
  if (outliers.empty()) return;
  StableSort(outliers, std::greater(), &Outlier::of_median_pct);
  std::string text;
  for (size_t i = 0; i < std::min(kShown, outliers.size()); ++i) {
    const Outlier& step = outliers[i];
    text += fmt::format("{}{} ({:.1f}x the median)", i == 0 ? "" : ", ", step.name,
                        step.of_median_pct / 100);
  }
  if (outliers.size() > kShown) {
    text += fmt::format(", {} more of {}", outliers.size() - kShown, of_steps);
  }
  AddTextProperty({"outliers", "outliers"}, std::move(text), report);
}

}  // namespace tfprof
