// SPDX-License-Identifier: Apache-2.0
#include "views/explore/host_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/wall/python_names.h"
#include "analysis/wall/times.h"
#include "core/base/ascii.h"
#include "core/base/sorting.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/view.h"
#include "views/views.h"

namespace tfprof {
namespace {

// The name of a function or region; empty: an event of a runtime.
std::string NameOfCalls(const Store& store, const Label& label, bool* is_python) {
  const std::string_view event = store.Text(label.name);
  const PythonName python = PythonNameOf(store, label);
  *is_python = python.some();
  if (python.some()) return DisplayText(python);
  const bool region = label.role == EventRole::none && event.find("::") == event.npos &&
                      label.of != EventClass::op && label.of != EventClass::runtime_call;
  return region ? std::string(event) : std::string();
}

void AddLane(const Store& store, const Lane& lane, const std::map<uint32_t, HostCalls*>& of_label) {
  std::map<HostCalls*, int64_t> until_ps;
  for (const uint32_t row : lane.PlacedRows()) {
    const auto calls = of_label.find(store.events.label[row].value);
    if (calls == of_label.end()) continue;
    ++calls->second->calls;
    const auto until = until_ps.try_emplace(calls->second, kMinPs).first;
    ExtendUnion(store.events.start_ps[row], store.events.EndPs(row), &until->second,
                &calls->second->ps);
  }
}

struct CallSentence {
  std::string_view id;
  double number = 0;
  std::string text;
};

void AddWait(const HostWall& wall, const WallPart& part, std::vector<CallSentence>* sentences) {
  const auto steps = static_cast<int64_t>(std::max<size_t>(wall.steps.steps.size(), 1));
  const std::string_view whole = wall.steps.steps.empty() ? "the capture" : "step time";
  const std::string_view each = wall.steps.steps.empty() ? "" : " a step";
  sentences->push_back({"share", wall.Percent(part.ps) / 100,
                        fmt::format("the device is idle in it for {} of {}: {}{}",
                                    PercentText(wall.Percent(part.ps)), whole,
                                    Human(part.ps / steps, Unit::ps), each)});
  for (size_t i = 0; i < std::min<size_t>(part.leaves.size(), 3); ++i) {
    const double share = Quotient(part.leaves[i].amount, part.ps);
    if (!(share >= 0.1)) break;
    const bool own = part.leaves[i].name == part.name;
    sentences->push_back({"costliest", share,
                          fmt::format("{} of that in {}", PercentText(100 * share),
                                      own ? std::string("its own code") : part.leaves[i].name)});
  }
}

}  // namespace

Result<std::vector<HostCalls>> HostCallsNamed(const Store& store, std::string_view text,
                                              Context& context) {
  std::map<std::string, HostCalls> found;
  if (!store.IsTrace()) return std::vector<HostCalls>();
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    std::map<uint32_t, HostCalls*> of_label;
    for (uint32_t i = process.labels.first; i < process.labels.first + process.labels.count; ++i) {
      bool is_python = false;
      std::string name = NameOfCalls(store, store.labels[i], &is_python);
      if (name.empty() || !ContainsAnyCase(name, text)) continue;
      HostCalls& calls = found[name];
      calls.name = std::move(name);
      calls.is_python = is_python;
      of_label[i] = &calls;
    }
    if (of_label.empty()) continue;
    for (const Lane& lane : store.LanesOf(process)) {
      TFPROF_TRY(Poll(context));
      if (!lane.derived) AddLane(store, lane, of_label);
    }
  }
  std::vector<HostCalls> list;
  for (auto& [name, calls] : found) {
    if (calls.calls > 0) list.push_back(std::move(calls));
  }
  StableSort(list, [](const HostCalls& a, const HostCalls& b) { return a.ps > b.ps; });
  return list;
}

Result<Report> WhyHostCalls(const StorePtr& store, const Indexes& indexes, std::string_view name,
                            const Error& unknown, Context& context) {
  TFPROF_ASSIGN(const auto found, HostCallsNamed(*store, name, context));
  auto calls = std::ranges::find(found, name, &HostCalls::name);
  if (calls == found.end() && found.size() == 1) calls = found.begin();
  if (calls == found.end()) return tl::unexpected(unknown);
  const int64_t mean_ps = calls->ps / calls->calls;
  std::vector<CallSentence> sentences{
      {"run_count", static_cast<double>(calls->calls),
       fmt::format("{} call{}: {} in all, {} each", calls->calls, calls->calls == 1 ? "" : "s",
                   Human(calls->ps, Unit::ps), Human(mean_ps, Unit::ps))}};
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  for (const HostWall& wall : times->hosts) {
    const auto part = std::ranges::find(wall.parts, calls->name, &WallPart::name);
    if (part != wall.parts.end()) AddWait(wall, *part, &sentences);
  }
  Report report = NewReport("why", store);
  AddTextProperty({"name", "why"}, fmt::format("{} {}", calls->Kind(), calls->name), &report);
  Table& table = report.tables.emplace_back(MakeTable(*WhyTables()[0], sentences.size()));
  Fill(table, "text", sentences,
       [&](const CallSentence& of) { return report.pool->Keep(of.text); });
  Fill(table, "reason", sentences, [](const CallSentence& of) { return of.id; });
  Fill(table, "number", sentences, [](const CallSentence& of) { return of.number; });
  return report;
}

}  // namespace tfprof
