// SPDX-License-Identifier: Apache-2.0
#include "views/steps/host_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/wall/inferred_steps.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

using WorkByName = std::unordered_map<std::string_view, HostWork>;

// Returns, by group, if it is a selected step; adds the durations of these steps to `steps_ps`.
std::vector<bool> GroupsOfSteps(const EventGroups& groups, const StepAnswer& steps,
                                int64_t* steps_ps) {
  std::set<std::pair<uint32_t, int64_t>> selected;  // (host, group)
  for (const CommonStep& common : steps.common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      const HostSteps& host = steps.hosts[i];
      if (host.has_device() || common.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = host.steps[common.step[i]];
      selected.emplace(host.host.value, step.group_id);
      *steps_ps = SaturatingAdd(*steps_ps, step.duration_ps);
    }
  }
  std::vector<bool> chosen;
  for (const EventGroup& group : groups.groups) {
    chosen.push_back(selected.count({group.host.value, group.id}) > 0);
  }
  return chosen;
}

struct Summing {
  const Store& store;
  const EventGroups& groups;
  std::vector<bool> chosen;  // by group
  LaneNesting nesting = {};
  std::vector<int64_t> self_ps = {};
  WorkByName by_name = {};
};

void AddLane(const Lane& lane, Summing* sums) {
  const Store& store = sums->store;
  NestEvents(store, lane, &sums->nesting);
  SelfTimes(store, sums->nesting, &sums->self_ps);
  for (const uint32_t row : sums->nesting.order) {
    const uint32_t group = sums->groups.of_event[row];
    if (group == EventGroups::kNone || !sums->chosen[group]) continue;
    const EventGroup& of = sums->groups.groups[group];
    const Label& label = store.labels[store.events.label[row].value];
    const std::string_view name = store.Text(label.name);
    const bool is_marker = of.is_marked && of.root.value == row;
    if (is_marker || HostTextOf(label.role, name) == HostText::marker) continue;
    HostWork& work = sums->by_name[name];
    const int64_t self_ps = sums->self_ps[row - sums->nesting.first];
    work.name = name;
    ++work.count;
    work.self_ps = SaturatingAdd(work.self_ps, self_ps);
    work.longest_self_ps = std::max(work.longest_self_ps, self_ps);
  }
}

}  // namespace

std::string WorkInSteps::Longest() const {
  constexpr size_t kShown = 3;
  std::string display_text;
  for (size_t i = 0; i < std::min(kShown, work.size()); ++i) {
    if (work[i].self_ps == 0) break;
    display_text += fmt::format("{}{} {}", i == 0 ? "" : ", ", work[i].name,
                                PercentText(100 * Quotient(work[i].self_ps, steps_ps)));
  }
  return display_text;
}

Result<WorkInSteps> HostWorkIn(const Store& store, const Indexes& indexes, const StepAnswer& steps,
                               Context& context) {
  WorkInSteps found;
  const bool any = std::ranges::any_of(
      steps.hosts, [](const HostSteps& host) { return !host.has_device() && !host.steps.empty(); });
  if (!any) return found;
  TFPROF_ASSIGN(const auto groups, GroupsOfSteps(indexes, PlaceFilter::Exact(), context));
  Summing sums{store, *groups, GroupsOfSteps(*groups, steps, &found.steps_ps)};
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    for (const Lane& lane : store.LanesOf(process)) {
      TFPROF_TRY(Poll(context));
      if (lane.measures != Measures::nothing && !lane.derived) AddLane(lane, &sums);
    }
  }
  for (const auto& [name, work] : sums.by_name) found.work.push_back(work);
  std::sort(found.work.begin(), found.work.end(), [](const HostWork& a, const HostWork& b) {
    return a.self_ps != b.self_ps ? a.self_ps > b.self_ps : a.name < b.name;
  });
  return found;
}

}  // namespace tfprof
