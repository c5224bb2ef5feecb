// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "views/chosen_events.h"
#include "views/input_ops.h"
#include "views/place.h"

namespace tfprof {
namespace {

// "Iterator::Root" is the root of "Iterator::Root::Map".
bool IsRootOf(std::string_view root, std::string_view iterator) {
  return iterator.starts_with(root) &&
         (iterator.size() == root.size() || iterator.substr(root.size()).starts_with("::"));
}

}  // namespace

Result<IteratorFacts> FactsOfCostliest(const Store& store, const Indexes& indexes,
                                       const InputOps& ops, const Query& query, Context& context) {
  const InputOp* costliest = ops.Costliest();
  if (costliest == nullptr) return IteratorFacts();
  TFPROF_ASSIGN(const auto found, indexes.InputPipelines(context));
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, query, context));
  Query hosts;
  hosts.host = query.host;
  std::vector<Waits> waits(store.processes.size());
  for (const Pipeline& pipeline : found->pipelines) {
    const std::string_view root = store.Text(store.labels[pipeline.label.value].name);
    if (pipeline.is_device || !IsRootOf(root, costliest->name)) continue;
    if (!InPlace(store, store.processes[pipeline.process.value], hosts)) continue;
    Waits& of = waits[pipeline.process.value];
    of.process = pipeline.process;
    for (uint32_t i = 0; i < pipeline.roots.count; ++i) {
      const uint32_t call = found->roots[pipeline.roots.first + i].call;
      const EventId event = found->calls[pipeline.process.value].calls[call].event;
      if (chosen.Takes(event.value)) of.calls.push_back(call);
    }
  }
  std::erase_if(waits, [](const Waits& of) { return of.calls.empty(); });
  return FactsOf(store, *found, costliest->name, waits, context);
}

}  // namespace tfprof
