// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/chosen_events.h"
#include "analysis/place.h"
#include "analysis/tfdata/pipelines.h"
#include "analysis/wall_time.h"
#include "core/base/ascii.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "views/columns/how_to_record.h"
#include "views/tfdata/tables.h"

namespace tfprof {
namespace {

constexpr std::string_view kOnlyOfDevices =
    "no verdict: the recorded pipelines only copy elements to a device, ahead of the program";

// Adds a pipeline with the figures of its selected calls; nothing if no call is selected.
void AddSelected(Pipeline pipeline, const ChosenEvents& selected, ShownPipelines* shown) {
  const Pipelines& found = shown->found;
  const Range all = pipeline.roots;
  pipeline.roots = {static_cast<uint32_t>(shown->roots.size()), 0};
  pipeline.sum_ps = pipeline.slow_calls = 0;
  for (const uint32_t i : all) {
    const IteratorCall& call = found.calls[pipeline.process.value].calls[found.roots[i].call];
    if (!selected.Takes(call.event.value)) continue;
    const int64_t latency_ps = SaturatingAdd(call.end_ps, -call.start_ps);
    const bool first = pipeline.roots.count == 0;
    pipeline.sum_ps = SaturatingAdd(pipeline.sum_ps, latency_ps);
    pipeline.min_ps = first ? latency_ps : std::min(pipeline.min_ps, latency_ps);
    pipeline.slow_calls += latency_ps > kSlowCallPs;
    if (first || latency_ps > pipeline.max_ps) {
      pipeline.max_ps = latency_ps;
      pipeline.slowest = static_cast<uint32_t>(shown->roots.size());
    }
    shown->roots.push_back(found.roots[i]);
    ++pipeline.roots.count;
  }
  if (pipeline.roots.count > 0) shown->pipelines.push_back(pipeline);
}

void Choose(const PlaceFilter& place, const ChosenEvents& selected, ShownPipelines* shown) {
  const Store& store = shown->store;
  std::vector<bool> on_host;
  for (size_t i = 0; i < store.hosts.size(); ++i) {
    shown->hosts.push_back(shown->pool.Keep(OwnName(store, HostId(i))));
    on_host.push_back(ContainsAnyCase(shown->hosts[i], place.host) ||
                      ContainsAnyCase(HostName(store, HostId(i)), place.host));
  }
  for (const Pipeline& pipeline : shown->found.pipelines) {
    const bool on = pipeline.host.some() ? on_host[pipeline.host.value] : place.host.empty();
    const std::string_view plane = store.Text(store.processes[pipeline.process.value].name);
    if (on && ContainsDevice(plane, place.device)) AddSelected(pipeline, selected, shown);
  }
}

void AddAnswer(const ShownPipelines& shown, const std::vector<const Pipeline*>& of_hosts,
               const PlaceFilter& place, Report* report) {
  Property bound;
  bound.id = "is_input_bound";
  bound.head = "slow calls";
  bound.type = CellType::boolean;
  if (!shown.pipelines.empty()) {
    // The threshold of TensorFlow's guide. Steps that found their input ready may not have waited
    // at all.
    const int64_t longest_ps = of_hosts.empty() ? 0 : of_hosts.front()->max_ps;
    const bool slow = longest_ps > kSlowCallPs;
    const std::string limit = Human(kSlowCallPs, Unit::ps_as_us);
    bound.integer = slow;
    bound.display_text = of_hosts.empty() ? std::string(kOnlyOfDevices)
                         : slow ? "up to " + Human(longest_ps, Unit::ps_as_us) + "; over " + limit +
                                      " is slow. `input` shows whether steps waited for them"
                                : "none over " + limit;
  }
  report->properties.push_back(bound);
  if (shown.found.pipelines.empty()) {
    report->notes.push_back(HowToRecord(note::no_iterators, shown.store));
  } else if (shown.pipelines.empty() && !place.device.empty()) {
    report->notes.push_back({note::pipelines_are_of_hosts, 1, "", kNoInt});
  }
}

// Returns facts of the bottlenecks of pipelines with slow calls.
Result<std::vector<IteratorFacts>> FactsOfBottlenecks(const ShownPipelines& shown,
                                                      const std::vector<const Pipeline*>& pipelines,
                                                      Context& context) {
  std::vector<IteratorFacts> facts(pipelines.size());
  for (size_t i = 0; i < pipelines.size(); ++i) {
    const Pipeline& pipeline = *pipelines[i];
    const IteratorWork* work = BottleneckOf(shown, pipeline);
    if (pipeline.slow_calls == 0 || work == nullptr) continue;
    WaitingCalls waits{pipeline.process, {}};
    for (const uint32_t k : pipeline.roots) waits.calls.push_back(shown.roots[k].call);
    TFPROF_ASSIGN(facts[i], FactsOf(shown.store, shown.found, NameOf(shown, *work),
                                    std::span(&waits, 1), context));
  }
  return facts;
}

}  // namespace

Result<Report> TfData(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto found, indexes.Get<Pipelines>(context));
  TFPROF_ASSIGN(const ChosenEvents selected, ChooseEvents(*store, indexes, query.place, context));
  Report report = NewReport("tfdata", store);
  ShownPipelines shown{*store, *found, *report.pool, FirstStart(*store)};
  Choose(query.place, selected, &shown);
  const std::vector<const Pipeline*> of_hosts = PipelinesOfHosts(shown);
  TFPROF_ASSIGN(const auto facts, FactsOfBottlenecks(shown, of_hosts, context));
  AddAnswer(shown, of_hosts, query.place, &report);
  report.tables.push_back(BottlenecksTable(shown, of_hosts, facts));
  report.tables.push_back(PipelinesTable(shown, query.display));
  report.tables.push_back(CallsTable(shown));
  report.tables.push_back(IteratorsTable(shown));
  report.tables.push_back(StagesTable(shown));
  return report;
}

}  // namespace tfprof
