// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/tfdata/advice.h"
#include "views/tfdata/tables.h"

namespace tfprof {
namespace {

constexpr ColumnDef kStagesColumns[] = {
    TextDef("host", "host", "Host name, from the file name."),
    TextDef("pipeline", "pipeline", "ID of the root iterator."),
    TextDef("name", "stage", "Last component of the iterator's path; repeated ones have a number."),
    TextDef("iterator", "iterator", "Path from the root to the source."),
    CountDef("runs", "calls", "Number of its calls."),
    TimeDef("time_us", "self", "Time minus that in which other iterators work for it."),
    TimeDef("inclusive_us", "time", "Sum of its calls."),
    TextDef("state", "state", "How many calls of the root waited for it more than for others."),
    ListDef("operands", "inputs", "The stages that it reads from."),
};

// The work of one iterator, by its path, over the selected calls of a pipeline.
struct Stage {
  const Pipeline* pipeline;
  std::string_view path;
  std::string name;
  int64_t runs = 0;
  int64_t self_ps = 0;
  int64_t inclusive_ps = 0;
  int64_t bottlenecks = 0;
  std::vector<size_t> inputs;  // of the stages of its pipeline
};

std::string_view PathAbove(std::string_view path) {
  const size_t colons = path.rfind("::");
  return colons == path.npos ? std::string_view() : path.substr(0, colons);
}

// The stages of a pipeline, from its root to its sources.
std::vector<Stage> StagesOf(const ShownPipelines& shown, const Pipeline& pipeline) {
  std::map<std::string_view, Stage> by_path;
  for (const uint32_t i : pipeline.roots) {
    const RootCall& root = shown.roots[i];
    for (const uint32_t k : root.work) {
      const IteratorWork& work = shown.found.work[k];
      const std::string_view path = NameOf(shown, work);
      Stage& stage =
          by_path.try_emplace(path, Stage{&pipeline, path, {}, 0, 0, 0, 0, {}}).first->second;
      stage.runs = SaturatingAdd(stage.runs, work.calls);
      stage.self_ps = SaturatingAdd(stage.self_ps, work.self_ps);
      stage.inclusive_ps = SaturatingAdd(stage.inclusive_ps, work.duration_ps);
      stage.bottlenecks += k == root.bottleneck;
    }
  }
  std::vector<Stage> stages;
  std::map<std::string_view, size_t> place;
  std::map<std::string, int64_t> repeated;
  for (auto& [path, stage] : by_path) {
    stage.name = std::string(LastComponent(path));
    const int64_t times = ++repeated[stage.name];
    if (times > 1) stage.name += " (" + std::to_string(times) + ")";
    place[path] = stages.size();
    stages.push_back(std::move(stage));
  }
  for (size_t i = 0; i < stages.size(); ++i) {
    // Iterators that record nothing are left out between a stage and its input.
    for (std::string_view above = PathAbove(stages[i].path); !above.empty();
         above = PathAbove(above)) {
      const auto reader = place.find(above);
      if (reader == place.end()) continue;
      stages[reader->second].inputs.push_back(i);
      break;
    }
  }
  return stages;
}

}  // namespace

constexpr TableDef kStagesTable{"stages", "", kStagesColumns};

Table StagesTable(ShownPipelines& shown) {
  std::vector<Stage> rows;
  std::vector<size_t> first;  // by row: where the stages of its pipeline begin
  for (const Pipeline& pipeline : shown.pipelines) {
    const size_t begin = rows.size();
    for (Stage& stage : StagesOf(shown, pipeline)) rows.push_back(std::move(stage));
    first.resize(rows.size(), begin);
  }
  Table table = MakeTable(kStagesTable, rows.size());
  table.human_readable = false;  // a summary of `iterators`, for pictures
  const auto keep = [&](const std::string& text) { return shown.pool.Keep(text); };
  FillHost(
      shown.store, rows, [](const Stage& s) { return s.pipeline->host; }, &table);
  Fill(table, "pipeline", rows, [&](const Stage& s) { return IdText(shown, s.pipeline->id); });
  Fill(table, "name", rows, [&](const Stage& s) { return keep(s.name); });
  Fill(table, "iterator", rows, [](const Stage& s) { return s.path; });
  Fill(table, "runs", rows, [](const Stage& s) { return s.runs; });
  Fill(table, "time_us", rows, [](const Stage& s) { return s.self_ps; });
  Fill(table, "inclusive_us", rows, [](const Stage& s) { return s.inclusive_ps; });
  Fill(table, "state", rows, [&](const Stage& s) {
    return s.bottlenecks == 0 ? std::string_view()
                              : keep("bottleneck of " + Counted(s.bottlenecks, "call"));
  });
  ReportColumn& inputs = AddColumn(table, "operands");
  for (size_t row = 0; row < rows.size(); ++row) {
    std::vector<std::string_view>& names = inputs.lists.emplace_back();
    for (const size_t i : rows[row].inputs) names.push_back(keep(rows[first[row] + i].name));
  }
  return table;
}

}  // namespace tfprof
