// SPDX-License-Identifier: Apache-2.0
#include "views/explore/wall_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/intervals/span_statistics.h"
#include "analysis/place.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/idle_shares.h"
#include "analysis/wall/times.h"
#include "core/base/sorting.h"
#include "core/text/units.h"
#include "views/advice/checker.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/explore/idle_lines.h"

namespace tfprof {
namespace {

constexpr size_t kShownParts = 5;
constexpr std::string_view kOperationTimes = "ExpensiveOperationChecker";
constexpr size_t kShownFindings = 3;

constexpr ColumnDef kWallColumns[] = {
    TextDef("part", "wall time", "What the wall time goes into; the parts add up to it."),
    IntegerDef("wall_us", "time", Unit::ps,
               "Time of a step, or of the capture if there are no steps; mean over devices."),
    ShareDef("share_pct", "share", "Share of the wall time.").ForMachines(),
};
constexpr TableDef kWallTable{"wall", "", kWallColumns};

struct ScreenPart {
  std::string name;
  int64_t ps = 0;
};

// "Iterator::Root::Prefetch" -> Prefetch: the end of the host's pipeline; empty: none.
std::string LastStage(const Store& store, const HostWall& wall) {
  if (!wall.process.some()) return {};
  const Process& process = store.processes[wall.process.value];
  for (uint32_t i = process.labels.first; i < process.labels.first + process.labels.count; ++i) {
    if (store.labels[i].role != EventRole::iterator) continue;
    const std::string_view name = store.Text(store.labels[i].name);
    const size_t last = name.rfind("::");
    const std::string_view around = name.substr(0, last);
    if (std::ranges::count(around, ':') == 2) return std::string(name.substr(last + 2));
  }
  return {};
}

std::string CallsOf(const Store& store, const WallPart& part) {
  if (store.hosts.size() > 1) return {};  // other hosts may do it for other reasons
  if (part.leaves.empty() || part.leaves[0].name == part.name) return {};
  return " (" + part.leaves[0].name + ")";
}

std::string CallbackText(Callback call) {
  switch (call) {
    case Callback::printing: return "printing in the program";
    case Callback::summaries: return "writing summaries in the program";
    default: return "Python callbacks in the program";
  }
}

std::string NameOf(const Store& store, const HostWall& wall, const WallPart& part) {
  const std::string named = part.name.empty() ? "" : " " + part.name;
  switch (part.kind) {
    case WallKind::compute: return wall.has_devices ? "device compute" : "compute";
    case WallKind::callback: return CallbackText(wall.executions.callbacks.what);
    case WallKind::iterator: return "creating input iterators";
    case WallKind::communication: return "exposed communication";
    case WallKind::copies: return "exposed copies" + (named.empty() ? "" : ":" + named);
    case WallKind::input: {
      const std::string stage = part.name.empty() ? LastStage(store, wall) : part.name;
      return "waiting for input" + (stage.empty() ? "" : " (" + stage + ")");
    }
    case WallKind::compile: return "compiling" + named;
    case WallKind::tracing: return "tracing" + named;
    case WallKind::collector: return "garbage collection" + (named.empty() ? "" : " in" + named);
    case WallKind::checkpoint: return "checkpoints:" + named;
    case WallKind::queue: return "waiting for a queue:" + named;
    case WallKind::lock: return "waiting for a lock:" + named;
    case WallKind::device_memory: return "memory of the device:" + named;
    case WallKind::host_op: return "operations on the host:" + named;
    case WallKind::python: return "Python:" + named + CallsOf(store, part);
    case WallKind::eager: return "eager operations, starting them";
    case WallKind::launch: {
      const bool has_programs = !wall.thread.calls.empty() || !wall.thread.main_program.empty();
      return "starting" + (!named.empty() ? named : has_programs ? " programs" : " kernels");
    }
    case WallKind::waits: return "waiting for results:" + named;
    case WallKind::region: return "host region:" + named;
    case WallKind::library: return "Python of libraries:" + named;
    case WallKind::threads: return "idle, other host threads work";
    case WallKind::unrecorded: break;
  }
  return wall.KnowsDevices() ? "idle, host recorded nothing" : "nothing recorded";
}

// The parts of all hosts: mean times of a step.
std::vector<ScreenPart> PartsOf(const Store& store, const std::vector<HostWall>& hosts) {
  std::map<std::string, int64_t> sums;
  for (const HostWall& wall : hosts) {
    const auto steps = static_cast<int64_t>(std::max<size_t>(wall.steps.steps.size(), 1));
    for (const WallPart& part : wall.parts) sums[NameOf(store, wall, part)] += part.ps / steps;
  }
  std::vector<ScreenPart> parts;
  for (const auto& [name, ps] : sums) {
    parts.push_back({name, ps / static_cast<int64_t>(hosts.size())});
  }
  StableSort(parts, [](const ScreenPart& a, const ScreenPart& b) { return a.ps > b.ps; });
  return parts;
}

// Puts small parts together, after the others.
void KeepLargest(std::vector<ScreenPart>* parts) {
  int64_t all_ps = 0, rest_ps = 0;
  for (const ScreenPart& part : *parts) all_ps = SaturatingAdd(all_ps, part.ps);
  size_t kept = 0;
  while (kept < parts->size() && kept + 1 < kShownParts && (*parts)[kept].ps >= all_ps / 100)
    ++kept;
  if (kept + 1 >= parts->size()) return;
  for (size_t i = kept; i < parts->size(); ++i) rest_ps = SaturatingAdd(rest_ps, (*parts)[i].ps);
  const size_t others = parts->size() - kept;
  parts->resize(kept);
  parts->push_back({fmt::format("{} smaller parts", others), rest_ps});
}

// "compute 11.1 ms; idle, host recorded nothing 8.40 ms".
std::string PartsText(const std::vector<ScreenPart>& parts) {
  std::string text;
  for (const ScreenPart& part : parts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", part.name, Human(part.ps, Unit::ps));
  }
  return text;
}

// "jit_train_step", "multi_step_on_iterator (Keras fit)"; empty: unknown.
std::string ProgramOf(const HostWall& wall) {
  if (!wall.thread.main_program.empty()) return std::string(wall.thread.main_program);
  const std::string call(wall.thread.main_call);
  return wall.thread.is_keras ? call + " (Keras fit)" : call;
}

std::string StepsText(const HostWall& wall) {
  const size_t steps = wall.steps.steps.size();
  if (steps == 0) return "in all: no steps are marked, and nothing repeats";
  const std::string of = fmt::format("a step, mean of {}", steps);
  if (wall.steps.origin == StepOrigin::inferred) {
    return of + fmt::format(", inferred from {}{}", wall.steps.of,
                            wall.steps.on_device ? " on the device" : "");
  }
  const std::string marked = of + fmt::format(" marked by {}", wall.steps.of);
  if (wall.steps.warm_up == kNoInt) return marked;
  return marked + fmt::format(" without step {} ({})", wall.steps.warm_up,
                              Human(wall.steps.warm_up_ps, Unit::ps));
}

void AddWallProperties(const HostWall& wall, int64_t wall_ps, Report* report) {
  Property& time = AddIntegerProperty({"wall_us", "wall time"}, wall_ps, Unit::ps_as_us, report);
  const std::string program = ProgramOf(wall);
  const bool known = program.empty() || program == wall.steps.of;
  time.display_text =
      Human(wall_ps, Unit::ps) + " " + StepsText(wall) + (known ? "" : "; runs " + program);
  const bool marked = wall.steps.origin == StepOrigin::marked;
  AddTextProperty({"wall_of"},
                  wall.steps.steps.empty() ? "capture"
                  : marked                 ? "marked steps"
                                           : "inferred steps",
                  report);
  AddIntegerProperty({"wall_steps"}, static_cast<int64_t>(wall.steps.steps.size()), Unit::count,
                     report);
}

// What the driving thread does, also while devices work.
void AddHostWork(const Store& store, const HostWall& wall, Report* report) {
  std::map<std::string, int64_t> times;
  const Interval& window = wall.steps.window;
  for (const HostSegment& segment : wall.causes) {
    if (segment.named_by == kNoRow || segment.cause == HostCause::input) continue;
    const int64_t from_ps = std::max(segment.start_ps, window.start_ps);
    const int64_t to_ps = std::min(segment.end_ps, window.end_ps);
    if (to_ps > from_ps) {
      times[NameOfEvent(store, wall.thread.columns, segment.named_by)] += to_ps - from_ps;
    }
  }
  const std::vector<NamedAmount> list = LargestFirst(times);
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(list.size(), 2); ++i) {
    const double percent = wall.Percent(list[i].amount);
    if (percent < 1) break;
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", list[i].name, PercentText(percent, 0));
  }
  if (!text.empty()) AddTextProperty({"host_work", "host thread"}, std::move(text), report);
}

}  // namespace

const TableDef& WallTableDef() { return kWallTable; }

Result<bool> AddWallTime(const Store& store, const Indexes& indexes, WallForm form,
                         Context& context, Report* report) {
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  if (times->hosts.empty()) return false;
  std::vector<ScreenPart> parts = PartsOf(store, times->hosts);
  int64_t wall_ps = 0;
  for (const ScreenPart& part : parts) wall_ps = SaturatingAdd(wall_ps, part.ps);
  if (wall_ps == 0) return false;
  KeepLargest(&parts);
  AddWallProperties(times->hosts[0], wall_ps, report);
  if (form == WallForm::lines) {
    AddTextProperty({"wall_parts", "goes into"}, PartsText(parts), report);
  }
  TFPROF_TRY(AddIdle(store, indexes, form, context, report));
  AddHostWork(store, times->hosts[0], report);
  Table table = MakeTable(kWallTable, parts.size());
  Fill(table, "part", parts, [&](const ScreenPart& part) { return report->pool->Keep(part.name); });
  Fill(table, "wall_us", parts, [](const ScreenPart& part) { return part.ps; });
  Fill(table, "share_pct", parts,
       [&](const ScreenPart& part) { return Quotient(part.ps, wall_ps); });
  table.ordered_by = "wall_us";
  table.human_readable = form == WallForm::table;
  report->tables.push_back(std::move(table));
  return true;
}

Result<void> AddWallOfSteps(const Store& store, const Indexes& indexes, Context& context,
                            Report* report) {
  TFPROF_ASSIGN(const std::vector<StepRow> steps, StepsOf(store, indexes, {}, context));
  const SpanStatistics spans = StatisticsOf(steps);
  if (spans.count == 0) return {};
  TFPROF_ASSIGN(const IdleShares times, IdleSharesOf(store, indexes, context));
  Property& wall =
      AddIntegerProperty({"wall_us", "wall time"}, spans.mean_ps, Unit::ps_as_us, report);
  const std::string range = spans.count == 1
                                ? std::string()
                                : fmt::format(" ({} to {})", Human(spans.shortest_ps, Unit::ps),
                                              Human(spans.longest_ps, Unit::ps));
  wall.display_text =
      fmt::format("{} a step, mean of {}{}; {} busy for {} of it", Human(spans.mean_ps, Unit::ps),
                  spans.count, range, times.is_accelerated ? "accelerators are" : "devices are",
                  PercentText(100 - times.idle_pct));
  AddRealProperty({"idle_pct"}, times.idle_pct, Unit::percent, report);
  AddStepRange(spans.mean_ps, spans.shortest_ps, spans.longest_ps, report);
  for (Property& property : report->properties) {
    if (property.head == "step time") property.head.clear();  // the line above shows it
  }
  return {};
}

void AddStepRange(int64_t mean_ps, int64_t min_ps, int64_t max_ps, Report* report) {
  AddIntegerProperty({"step_mean_us", "step time", "mean", "step_mean_micros"}, mean_ps,
                     Unit::ps_as_us, report);
  AddIntegerProperty({"step_min_us", "step time", "min", "step_min_micros"}, min_ps, Unit::ps_as_us,
                     report);
  AddIntegerProperty({"step_max_us", "step time", "max", "step_max_micros"}, max_ps, Unit::ps_as_us,
                     report);
}

std::vector<Finding> ShownFindings(const std::vector<Finding>& findings) {
  std::vector<Finding> shown;
  for (const Finding& finding : findings) {
    if (finding.severity > Severity::medium || shown.size() == kShownFindings) break;
    // Operations that take much of their time have a line of their own.
    if (finding.cost_ps == kNoInt && TextOf(finding.id).checker == kOperationTimes) continue;
    shown.push_back(finding);
  }
  return shown;
}

Result<void> AddFindings(const StorePtr& store, const Indexes& indexes, Context& context,
                         Report* report) {
  TFPROF_ASSIGN(const std::vector<Finding> findings, AllFindings(store, indexes, context));
  const std::vector<Finding> shown = ShownFindings(findings);
  for (size_t i = 1; i <= shown.size(); ++i) {
    const std::string id = fmt::format("finding_{}", i), head = fmt::format("finding {}", i);
    AddTextProperty({id, head}, WhatOf(shown[i - 1]), report);
  }
  if (shown.empty()) {
    AddTextProperty({"finding_1", "finding"},
                    store->EventCount() == 0 ? "unknown: no execution was recorded"
                                             : "none that would save 10% of the time",
                    report);
  }
  report->tables.push_back(FindingsTable(StepFindingsTableDef(), findings, report->pool.get()));
  report->tables.back().human_readable = false;
  return {};
}

}  // namespace tfprof
