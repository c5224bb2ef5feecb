// SPDX-License-Identifier: Apache-2.0
#include "views/tfdata/tables.h"

#include <algorithm>
#include <string>

#include "analysis/wall_time.h"
#include "core/base/sorting.h"
#include "views/columns/fill_columns.h"
#include "views/columns/percentiles.h"
#include "views/tfdata/advice.h"

namespace tfprof {
namespace {

constexpr ColumnDef kOriginalHost =
    TextDef("original_host", "hostname", "Host name, as recorded by the host.")
        .Was("host")
        .ForOriginal();
constexpr ColumnDef kHost =
    TextDef("host", "host", "Host name, from the file name.").Was("host_file");
constexpr ColumnDef kPipeline =
    TextDef("pipeline", "pipeline", "ID of the root iterator.").Was("pipeline_id");

constexpr ColumnDef kBottlenecksColumns[] = {
    TextDef("iterator", "bottleneck", "Iterator with the longest self time in the slowest call.")
        .Was("iterator_name"),
    kOriginalHost,
    kHost,
    kPipeline,
    TimeDef("max_us", "slowest call", "Duration of the slowest call.").Was("max_latency_us"),
    TimeDef("time_us", "self time", "Self time of the bottleneck in that call.")
        .Was("iterator_latency_us"),
    TextDef("iterator_path", "iterator", "Path in the pipeline.").Was("iterator_long_name"),
    CountDef("parallelism", "parallelism", "Highest recorded parallelism.").ForMachines(),
    CountDef("python_runs", "runs of Python",
             "Executions of Python functions while the program waited for elements.")
        .ForMachines(),
    RealDef("python_at_a_time", "at a time", Unit::none,
            "Mean number of Python functions running at once.")
        .ForMachines(),
    TextDef("advice", "advice", "Recommendation where calls are slow.").Below(LongText::bare),
};
constexpr TableDef kBottlenecksTable{"bottlenecks", "", kBottlenecksColumns};

constexpr ColumnDef kPipelinesColumns[] = {
    kOriginalHost,
    kHost,
    kPipeline,
    TextDef("type", "type",
            "DEVICE if it copies elements of another pipeline to a device, else HOST.")
        .Droppable(),
    TextDef("root", "root", "Root iterator, which the program calls.").Was("root_name"),
    CountDef("runs", "calls", "Number of calls.").Was("calls"),
    TimeDef("mean_us", "mean", "Mean duration of a call.").Was("avg_latency_us"),
    TimeDef("min_us", "min", "Fastest call.").Was("min_latency_us"),
    MedianDef("Median call."),
    P95Def("95th percentile of the calls."),
    TimeDef("max_us", "max", "Slowest call.").Was("max_latency_us"),
    CountDef("slow_runs", "slow calls", "Calls of more than 50 us.").Was("num_slow_calls"),
};
constexpr TableDef kPipelinesTable{"pipelines", "", kPipelinesColumns};

constexpr ColumnDef kCallsColumns[] = {
    kOriginalHost,
    kHost,
    kPipeline,
    TimeDef("start_us", "start", "Start, from the first start of the profile.").Was("offset_us"),
    RealDef("original_start_us", "wall start", Unit::us, "Start, wall time.")
        .Was("start_us")
        .ForOriginal(),
    TimeDef("duration_us", "duration", "Time that the program waited.").Was("latency_us"),
    TextDef("bottleneck", "bottleneck", "Iterator with the longest self time in the call.")
        .Was("bottleneck_name"),
    TextDef("bottleneck_iterator_id", "ID", "Iterator ID.").ForOriginal(),
    TimeDef("bottleneck_us", "self time", "Self time of the bottleneck.")
        .Was("bottleneck_latency_us"),
};
constexpr TableDef kCallsTable{"calls", "", kCallsColumns};

constexpr ColumnDef kIteratorsColumns[] = {
    kOriginalHost,
    kHost,
    kPipeline,
    TimeDef("start_us", "start", "Start of the root's call, from the first start of the profile.")
        .Was("offset_us"),
    RealDef("call_start_us", "wall start", Unit::us, "Start, wall time.").ForOriginal(),
    TextDef("iterator_id", "ID", "Iterator ID.").ForMachines(),
    TextDef("iterator", "iterator", "Path from the root to the source.").Was("iterator_name"),
    TimeDef("inclusive_us", "time", "Sum of its calls within this call.").Was("duration_us"),
    TimeDef("time_us", "self", "Time minus that in which other iterators work for it.")
        .Was("self_time_us"),
    BooleanDef("blocking", "blocks", "True if the program waited for it.").Was("is_blocking"),
    CountDef("runs", "calls", "Its calls within this call.").Was("num_calls"),
};
constexpr TableDef kIteratorsTable{"iterators", "", kIteratorsColumns};

// A root call with its pipeline. `bottleneck`: null: none.
struct Call {
  const Pipeline* pipeline;
  std::string_view pipeline_id;
  const RootCall* root;
  const IteratorCall* event;
  const IteratorWork* bottleneck;
};

// The work of one iterator in a call.
struct CallRow {
  const Call* call;
  const IteratorWork* work;
};

std::string_view NameOf(const ShownPipelines& shown, LabelId label) {
  return shown.store.Text(shown.store.labels[label.value].name);
}

const IteratorWork* BottleneckOf(const ShownPipelines& shown, const RootCall& root) {
  return root.bottleneck == IteratorCall::kNone ? nullptr : &shown.found.work[root.bottleneck];
}

std::vector<Call> CallsOf(ShownPipelines& shown) {
  std::vector<Call> calls;
  calls.reserve(shown.roots.size());
  for (const Pipeline& pipeline : shown.pipelines) {
    const std::string_view id = IdText(shown, pipeline.id);
    const IteratorCalls& found = shown.found.calls[pipeline.process.value];
    for (const uint32_t i : pipeline.roots) {
      const RootCall& root = shown.roots[i];
      calls.push_back({&pipeline, id, &root, &found.calls[root.call], BottleneckOf(shown, root)});
    }
  }
  return calls;
}

// Adds the columns that identify a row's pipeline; tables for readers omit columns with one value.
// `pipeline` and `id` return the cells of an item.
template <class Items, class OfItem, class IdOfItem>
void AddPlace(const ShownPipelines& shown, const Items& items, const OfItem& pipeline,
              const IdOfItem& id, Table* table) {
  Fill(*table, "original_host", items,
       [&](const auto& item) { return shown.HostOf(*pipeline(item)); });
  FillHost(
      shown.store, items, [&](const auto& item) { return pipeline(item)->host; }, table);
  Fill(*table, "pipeline", items, id).spec.human_readable = shown.pipelines.size() > 1;
}

void AddPipeline(ShownPipelines& shown, const std::vector<const Pipeline*>& rows, Table* table) {
  AddPlace(
      shown, rows, [](const Pipeline* p) { return p; },
      [&](const Pipeline* p) { return IdText(shown, p->id); }, table);
}

// `call` returns the Call of an item.
template <class Items, class OfItem>
void AddStart(const ShownPipelines& shown, std::string_view wall_id, const Items& items,
              const OfItem& call, Table* table) {
  Fill(*table, "start_us", items,
       [&](const auto& item) { return SinceFirst(shown.first_ps, call(item).event->start_ps); });
  Fill(*table, wall_id, items,
       [&](const auto& item) { return WallMicros(shown.store, call(item).event->start_ps); });
}

// Machine-readable only: readers find these facts in the advice.
void AddFacts(const std::vector<IteratorFacts>& facts, Table* table) {
  Fill(*table, "parallelism", facts, [](const IteratorFacts& f) { return f.parallelism; });
  Fill(*table, "python_runs", facts,
       [](const IteratorFacts& f) { return f.waited_ps > 0 ? f.python_runs : kNoInt; });
  Fill(*table, "python_at_a_time", facts, [](const IteratorFacts& f) { return f.PythonAtATime(); });
}

std::string_view AdviceOn(ShownPipelines& shown, const Pipeline& pipeline,
                          const IteratorFacts& facts) {
  const IteratorWork* work = BottleneckOf(shown, pipeline);
  if (pipeline.max_ps <= kSlowCallPs || work == nullptr) return {};
  std::string display_text = DisplayTextOf(facts);
  if (!display_text.empty()) display_text += ' ';
  return shown.pool.Keep(display_text + AdviceFor(LastComponent(NameOf(shown, *work)), facts));
}

}  // namespace

std::string_view IdText(ShownPipelines& shown, IteratorId id) {
  const auto [known, added] = shown.ids.try_emplace(id.bits);
  if (added) {
    known->second = shown.pool.Keep(id.is_natural ? std::to_string(static_cast<uint64_t>(id.bits))
                                                  : std::to_string(id.bits));
  }
  return known->second;
}

std::vector<const Pipeline*> PipelinesOfHosts(const ShownPipelines& shown) {
  std::vector<const Pipeline*> pipelines;
  for (const Pipeline& pipeline : shown.pipelines) {
    if (!pipeline.is_device) pipelines.push_back(&pipeline);
  }
  StableSort(pipelines, [](const Pipeline* a, const Pipeline* b) { return a->max_ps > b->max_ps; });
  return pipelines;
}

const IteratorWork* BottleneckOf(const ShownPipelines& shown, const Pipeline& pipeline) {
  return BottleneckOf(shown, shown.roots[pipeline.slowest]);
}

std::string_view NameOf(const ShownPipelines& shown, const IteratorWork& work) {
  return NameOf(shown, work.label);
}

Table BottlenecksTable(ShownPipelines& shown, const std::vector<const Pipeline*>& rows,
                       const std::vector<IteratorFacts>& facts) {
  Table table = MakeTable(kBottlenecksTable, rows.size());
  const auto work = [&](const Pipeline* p) { return BottleneckOf(shown, *p); };
  const auto name = [&](const Pipeline* p) {
    return work(p) == nullptr ? std::string_view() : NameOf(shown, work(p)->label);
  };
  Fill(table, "iterator", rows, [&](const Pipeline* p) {
    return work(p) == nullptr ? std::string_view() : LastComponent(name(p));
  });
  AddPipeline(shown, rows, &table);
  Fill(table, "max_us", rows, [](const Pipeline* p) { return p->max_ps; });
  Fill(table, "time_us", rows,
       [&](const Pipeline* p) { return work(p) == nullptr ? kNoInt : work(p)->self_ps; });
  Fill(table, "iterator_path", rows, name);
  AddFacts(facts, &table);
  Fill(table, "advice", facts, [&](const IteratorFacts& f) {
    return AdviceOn(shown, *rows[static_cast<size_t>(&f - facts.data())], f);
  });
  return table;
}

namespace {

std::vector<RowDuration> CallDurations(const ShownPipelines& shown) {
  std::vector<RowDuration> durations;
  for (uint32_t row = 0; row < shown.pipelines.size(); ++row) {
    const Pipeline& pipeline = shown.pipelines[row];
    const IteratorCalls& found = shown.found.calls[pipeline.process.value];
    for (const uint32_t i : pipeline.roots) {
      const IteratorCall& call = found.calls[shown.roots[i].call];
      durations.push_back({row, SaturatingAdd(call.end_ps, -call.start_ps)});
    }
  }
  return durations;
}

}  // namespace

Table PipelinesTable(ShownPipelines& shown, const Display& display) {
  std::vector<const Pipeline*> rows;
  for (const Pipeline& pipeline : shown.pipelines) rows.push_back(&pipeline);
  Table table = MakeTable(kPipelinesTable, rows.size());
  AddPipeline(shown, rows, &table);
  Fill(table, "type", rows, [](const Pipeline* p) { return p->is_device ? "DEVICE" : "HOST"; });
  Fill(table, "root", rows, [&](const Pipeline* p) { return NameOf(shown, p->label); });
  Fill(table, "runs", rows, [](const Pipeline* p) { return int64_t{p->roots.count}; });
  Fill(table, "mean_us", rows, [](const Pipeline* p) { return p->sum_ps / p->roots.count; });
  Fill(table, "min_us", rows, [](const Pipeline* p) { return p->min_ps; });
  if (HasPercentiles(kPipelinesTable, display)) {
    AddPercentiles(CallDurations(shown), display, &table);
  }
  Fill(table, "max_us", rows, [](const Pipeline* p) { return p->max_ps; });
  Fill(table, "slow_runs", rows, [](const Pipeline* p) { return p->slow_calls; });
  return table;
}

Table CallsTable(ShownPipelines& shown) {
  const std::vector<Call> calls = CallsOf(shown);
  Table table = MakeTable(kCallsTable, calls.size());
  AddPlace(
      shown, calls, [](const Call& c) { return c.pipeline; },
      [](const Call& c) { return c.pipeline_id; }, &table);
  AddStart(
      shown, "original_start_us", calls, [](const Call& c) -> const Call& { return c; }, &table);
  Fill(table, "duration_us", calls,
       [](const Call& c) { return SaturatingAdd(c.event->end_ps, -c.event->start_ps); });
  Fill(table, "bottleneck", calls, [&](const Call& c) {
    return c.bottleneck == nullptr ? std::string_view() : NameOf(shown, *c.bottleneck);
  });
  Fill(table, "bottleneck_iterator_id", calls, [&](const Call& c) {
    return c.bottleneck == nullptr ? std::string_view() : IdText(shown, c.bottleneck->iterator);
  });
  Fill(table, "bottleneck_us", calls,
       [](const Call& c) { return c.bottleneck == nullptr ? kNoInt : c.bottleneck->self_ps; });
  return table;
}

Table IteratorsTable(ShownPipelines& shown) {
  const std::vector<Call> calls = CallsOf(shown);
  std::vector<CallRow> rows;
  for (const Call& call : calls) {
    for (const uint32_t i : call.root->work) rows.push_back({&call, &shown.found.work[i]});
  }
  Table table = MakeTable(kIteratorsTable, rows.size());
  AddPlace(
      shown, rows, [](const CallRow& r) { return r.call->pipeline; },
      [](const CallRow& r) { return r.call->pipeline_id; }, &table);
  AddStart(
      shown, "call_start_us", rows, [](const CallRow& r) -> const Call& { return *r.call; },
      &table);
  Fill(table, "iterator_id", rows,
       [&](const CallRow& r) { return IdText(shown, r.work->iterator); });
  Fill(table, "iterator", rows, [&](const CallRow& r) { return NameOf(shown, r.work->label); });
  Fill(table, "inclusive_us", rows, [](const CallRow& r) { return r.work->duration_ps; });
  Fill(table, "time_us", rows, [](const CallRow& r) { return r.work->self_ps; });
  Fill(table, "blocking", rows, [](const CallRow& r) { return int64_t{r.work->is_blocking}; });
  Fill(table, "runs", rows, [](const CallRow& r) { return r.work->calls; });
  return table;
}

TableDefs TfDataTables() {
  return {&kBottlenecksTable, &kPipelinesTable, &kCallsTable, &kIteratorsTable, &kStagesTable};
}

}  // namespace tfprof
