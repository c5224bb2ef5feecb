// SPDX-License-Identifier: Apache-2.0
#include "views/tfdata/tables.h"

#include <algorithm>
#include <string>

#include "analysis/place.h"
#include "analysis/wall_time.h"
#include "views/columns/fill_columns.h"
#include "views/tfdata/advice.h"

namespace tfprof {
namespace {

// As it was written when it was first met.
std::string_view IdText(ShownPipelines& shown, IteratorId id) {
  const auto [known, added] = shown.ids.try_emplace(id.bits);
  if (added) {
    known->second = shown.pool.Keep(id.is_natural ? std::to_string(static_cast<uint64_t>(id.bits))
                                                  : std::to_string(id.bits));
  }
  return known->second;
}

std::vector<const Pipeline*> All(const ShownPipelines& shown) {
  std::vector<const Pipeline*> all;
  for (const Pipeline& pipeline : shown.pipelines) all.push_back(&pipeline);
  return all;
}

// One root call with its pipeline.
struct Call {
  const Pipeline* pipeline;
  std::string_view pipeline_id;
  const RootCall* root;
};

// What one iterator did for it.
struct Row {
  const Call* call;
  const IteratorWork* work;
};

const IteratorCall& EventOf(const ShownPipelines& shown, const Call& call) {
  return shown.found.calls[call.pipeline->process.value].calls[call.root->call];
}

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
    for (uint32_t i = 0; i < pipeline.roots.count; ++i) {
      calls.push_back({&pipeline, id, &shown.roots[pipeline.roots.first + i]});
    }
  }
  return calls;
}

ReportColumn& Times(Table& table, std::string id, std::string title, std::string meaning) {
  return Numbers(table, std::move(id), std::move(title), Unit::ps_as_us, std::move(meaning));
}

// Where a row belongs; people need no column that says the same of all. `pipeline` and `id` make
// the cells of an item.
template <class Items, class OfItem, class IdOfItem>
void AddPlace(const ShownPipelines& shown, const Items& items, const OfItem& pipeline,
              const IdOfItem& id, Table* table) {
  Texts(*table, "host", "calls itself", "The machine, as it calls itself.", items,
        [&](const auto& item) { return shown.HostOf(*pipeline(item)); })
      .spec.people = false;
  Texts(*table, "host_file", "host", "The machine, as its file is called.", items,
        [&](const auto& item) { return HostName(shown.store, pipeline(item)->host); })
      .spec.people = shown.store.hosts.size() > 1;
  Texts(*table, "pipeline_id", "pipeline", "Number of the pipeline: of its root iterator.", items,
        id)
      .spec.people = shown.pipelines.size() > 1;
}

void AddPipeline(ShownPipelines& shown, const std::vector<const Pipeline*>& rows, Table* table) {
  AddPlace(
      shown, rows, [](const Pipeline* p) { return p; },
      [&](const Pipeline* p) { return IdText(shown, p->id); }, table);
}

void AddStart(const ShownPipelines& shown, std::string id, const std::vector<int64_t>& starts,
              Table* table) {
  FillNumbers(Times(*table, "offset_us", "at", "Start, from the first start of the profile."),
              starts, [&](int64_t start_ps) { return SinceFirst(shown.first_ps, start_ps); });
  ReportColumn& wall = Reals(*table, std::move(id), "start", Unit::us, "Start, wall time.");
  wall.spec.people = false;
  FillReals(wall, starts, [&](int64_t start_ps) { return WallMicros(shown.store, start_ps); });
}

// For programs: people read them in the advice.
void AddFacts(const std::vector<IteratorFacts>& facts, Table* table) {
  Numbers(*table, "parallelism", "parallelism", Unit::count,
          "Elements that it may work on at once, as recorded: the most.", facts,
          [](const IteratorFacts& f) { return f.parallelism; })
      .spec.people = false;
  Numbers(*table, "python_runs", "runs of Python", Unit::count,
          "Runs of Python functions while the program waited for elements.", facts,
          [](const IteratorFacts& f) { return f.waited_ps > 0 ? f.python_runs : kNoInt; })
      .spec.people = false;
  Reals(*table, "python_at_a_time", "at a time", Unit::none,
        "Their times added up, over the time in which at least one is under way.", facts,
        [](const IteratorFacts& f) { return f.PythonAtATime(); })
      .spec.people = false;
}

std::string_view AdviceOn(ShownPipelines& shown, const Pipeline& pipeline,
                          const IteratorFacts& facts) {
  const IteratorWork* work = BottleneckOf(shown, pipeline);
  if (pipeline.max_ps <= kSlowCallPs || work == nullptr) return {};
  std::string said = SaidOf(facts);
  if (!said.empty()) said += ' ';
  return shown.pool.Keep(said + AdviceFor(LastComponent(NameOf(shown, *work)), facts));
}

}  // namespace

std::vector<const Pipeline*> PipelinesOfHosts(const ShownPipelines& shown) {
  std::vector<const Pipeline*> pipelines;
  for (const Pipeline& pipeline : shown.pipelines) {
    if (!pipeline.is_device) pipelines.push_back(&pipeline);
  }
  std::stable_sort(pipelines.begin(), pipelines.end(),
                   [](const Pipeline* a, const Pipeline* b) { return a->max_ps > b->max_ps; });
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
  Table table;
  table.name = "bottlenecks";
  table.rows = rows.size();
  const auto work = [&](const Pipeline* p) { return BottleneckOf(shown, *p); };
  const auto name = [&](const Pipeline* p) {
    return work(p) == nullptr ? std::string_view() : NameOf(shown, work(p)->label);
  };
  Texts(table, "iterator_name", "bottleneck",
        "Of the iterators that the slowest call waited for, the one that took most.", rows,
        [&](const Pipeline* p) {
          return work(p) == nullptr ? std::string_view() : LastComponent(name(p));
        });
  AddPipeline(shown, rows, &table);
  FillNumbers(Times(table, "max_latency_us", "slowest call", "How long that took."), rows,
              [](const Pipeline* p) { return p->max_ps; });
  FillNumbers(Times(table, "iterator_latency_us", "its own time", "Of that, its self time."), rows,
              [&](const Pipeline* p) { return work(p) == nullptr ? kNoInt : work(p)->self_ps; });
  Texts(table, "iterator_long_name", "iterator", "Its place in the pipeline.", rows, name);
  AddFacts(facts, &table);
  ReportColumn& advice = Texts(table, "advice", "advice", "What to do where calls are slow.");
  advice.spec.below = ".";
  for (size_t i = 0; i < rows.size(); ++i) {
    advice.texts.push_back(AdviceOn(shown, *rows[i], facts[i]));
  }
  return table;
}

Table PipelinesTable(ShownPipelines& shown) {
  const std::vector<const Pipeline*> rows = All(shown);
  Table table;
  table.name = "pipelines";
  table.rows = rows.size();
  AddPipeline(shown, rows, &table);
  Texts(table, "type", "type",
        "DEVICE: brings elements of another pipeline onto a device; else HOST.", rows,
        [](const Pipeline* p) { return p->is_device ? "DEVICE" : "HOST"; })
      .spec.spare = true;
  Texts(table, "root_name", "root", "What the program asks for elements.", rows,
        [&](const Pipeline* p) { return NameOf(shown, p->label); });
  Numbers(table, "calls", "calls", Unit::count, "Times an element was asked for.", rows,
          [](const Pipeline* p) { return int64_t{p->roots.count}; });
  FillNumbers(Times(table, "avg_latency_us", "mean", "How long that took, on average."), rows,
              [](const Pipeline* p) { return p->sum_ps / p->roots.count; });
  FillNumbers(Times(table, "min_latency_us", "least", "The fastest call."), rows,
              [](const Pipeline* p) { return p->min_ps; });
  FillNumbers(Times(table, "max_latency_us", "most", "The slowest call."), rows,
              [](const Pipeline* p) { return p->max_ps; });
  FillNumbers(
      Numbers(table, "num_slow_calls", "slow calls", Unit::count, "Calls of more than 50 us."),
      rows, [](const Pipeline* p) { return p->slow_calls; });
  return table;
}

Table CallsTable(ShownPipelines& shown) {
  const std::vector<Call> calls = CallsOf(shown);
  Table table;
  table.name = "calls";
  table.rows = calls.size();
  AddPlace(
      shown, calls, [](const Call& c) { return c.pipeline; },
      [](const Call& c) { return c.pipeline_id; }, &table);
  std::vector<int64_t> starts;
  for (const Call& call : calls) starts.push_back(EventOf(shown, call).start_ps);
  AddStart(shown, "start_us", starts, &table);
  FillNumbers(Times(table, "latency_us", "latency", "How long the program waited."), calls,
              [&](const Call& c) {
                const IteratorCall& event = EventOf(shown, c);
                return SaturatingAdd(event.end_ps, -event.start_ps);
              });
  Texts(table, "bottleneck_name", "bottleneck", "The iterator that took most of it.", calls,
        [&](const Call& c) {
          const IteratorWork* work = BottleneckOf(shown, *c.root);
          return work == nullptr ? std::string_view() : NameOf(shown, work->label);
        });
  ReportColumn& id = Texts(table, "bottleneck_iterator_id", "its number", "Its number.");
  id.spec.people = false;
  FillTexts(id, calls, [&](const Call& c) {
    const IteratorWork* work = BottleneckOf(shown, *c.root);
    return work == nullptr ? std::string_view() : IdText(shown, work->iterator);
  });
  FillNumbers(Times(table, "bottleneck_latency_us", "its own time", "Its self time."), calls,
              [&](const Call& c) {
                const IteratorWork* work = BottleneckOf(shown, *c.root);
                return work == nullptr ? kNoInt : work->self_ps;
              });
  return table;
}

Table IteratorsTable(ShownPipelines& shown) {
  const std::vector<Call> calls = CallsOf(shown);
  std::vector<Row> rows;
  for (const Call& call : calls) {
    for (uint32_t i = 0; i < call.root->work.count; ++i) {
      rows.push_back({&call, &shown.found.work[call.root->work.first + i]});
    }
  }
  Table table;
  table.name = "iterators";
  table.rows = rows.size();
  AddPlace(
      shown, rows, [](const Row& r) { return r.call->pipeline; },
      [](const Row& r) { return r.call->pipeline_id; }, &table);
  std::vector<int64_t> starts;
  for (const Row& row : rows) starts.push_back(EventOf(shown, *row.call).start_ps);
  AddStart(shown, "call_start_us", starts, &table);
  ReportColumn& id = Texts(table, "iterator_id", "number", "Number of the iterator.");
  id.spec.people = false;
  FillTexts(id, rows, [&](const Row& r) { return IdText(shown, r.work->iterator); });
  Texts(table, "iterator_name", "iterator", "From the pipeline's end to its source.", rows,
        [&](const Row& r) { return NameOf(shown, r.work->label); });
  FillNumbers(Times(table, "duration_us", "time", "Of its calls for this one, added up."), rows,
              [](const Row& r) { return r.work->duration_ps; });
  FillNumbers(Times(table, "self_time_us", "self", "Less the time in which others work for it."),
              rows, [](const Row& r) { return r.work->self_ps; });
  ReportColumn& blocks = AddColumn(table, "is_blocking", "blocks", CellType::boolean,
                                   "The program had to wait for it.");
  FillNumbers(blocks, rows, [](const Row& r) { return int64_t{r.work->is_blocking}; });
  Numbers(table, "num_calls", "calls", Unit::count, "Calls of it for this one.", rows,
          [](const Row& r) { return r.work->calls; });
  return table;
}

}  // namespace tfprof
