// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/code_tree.h"
#include "core/store/note_catalogue.h"
#include "views/classic/icicle.h"
#include "views/classic/node_tables.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

// By row of the frame tree.
struct OwnRows {
  Column<MeasureValues> values;
  Column<uint8_t> present;
  Column<uint8_t> accounted;   // empty: every row, also rows without nodes
  std::vector<int64_t> nodes;  // the key of -order_by occurrence
};

std::span<const NodeId> NodesOf(const CodeTree& tree, uint32_t row) {
  return tree.nodes.Rows(tree.first_node[row], tree.first_node[row + 1] - tree.first_node[row]);
}

Result<OwnRows> SumOwn(const CodeTree& tree, const NodeCosts& costs, Context& context) {
  const auto rows = static_cast<uint32_t>(tree.parent.size());
  OwnRows own;
  own.values.Extend(rows);
  own.present.Extend(rows);
  own.nodes.resize(rows);
  if (!costs.counted.all()) own.accounted.Extend(rows);
  for (uint32_t row = 0; row < rows; ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    const GroupSum sum = costs.Of(NodesOf(tree, row));
    own.values[row] = sum.values;
    own.present[row] = sum.present;
    own.nodes[row] = sum.nodes;
    if (!costs.counted.all()) own.accounted[row] = sum.nodes > 0;
  }
  return own;
}

NamedTree Named(const CodeTree& tree) {
  const auto name = [](const void* names, uint32_t row) {
    return static_cast<const CodeTree*>(names)->text[row];
  };
  return {
      {tree.parent.begin(), tree.parent.size()}, {tree.end.begin(), tree.end.size()}, &tree, name};
}

template <class T>
std::span<const T> All(const Column<T>& column) {
  return {column.data(), column.size()};
}

// The index owns the tree's texts and may be released, so the report keeps copies.
void AddNames(const CodeTree& tree, const ShownRows& shown, TextPool& pool, Table& table) {
  ReportColumn& name = AddColumn(table, "name");
  name.texts.reserve(shown.row.size());
  for (const uint32_t row : shown.row) name.texts.push_back(pool.Keep(std::string(tree.text[row])));
}

// Adds the frame of each row, for drill-down and pprof; absent for the root.
// `original`: only for them, as -ids original has none of these.
void AddFrameColumns(const CodeTree& tree, const ShownRows& shown, bool original, TextPool& pool,
                     Table& table) {
  std::vector<std::string_view> files, functions;
  std::vector<int64_t> lines, function_lines;
  for (const uint32_t row : shown.row) {
    const bool is_frame = tree.frame[row] != Table::kNoRow;
    const Frame frame = is_frame ? tree.stacks.frames[tree.frame[row]] : Frame{};
    const auto keep = [&](NameId text, std::string_view addition) {
      if (!is_frame) return std::string_view();
      return pool.Keep(std::string(tree.stacks.Text(text)).append(addition));
    };
    files.push_back(keep(frame.file, ""));
    functions.push_back(keep(frame.function, tree.gradient[row] ? " (gradient)" : ""));
    lines.push_back(is_frame ? frame.line : kNoInt);
    function_lines.push_back(is_frame ? frame.function_line : kNoInt);
  }
  const auto add = [&](std::string_view id) -> ReportColumn& {
    ReportColumn& column = AddColumn(table, id);
    column.spec.shown = !original;
    column.spec.human_readable = false;
    return column;
  };
  add("source_file").texts = std::move(files);
  add("source_line").integers = std::move(lines);
  add("function").texts = std::move(functions);
  add("function_line").integers = std::move(function_lines);
}

void AddAttributeColumns(const Report& report, Table& table, const NodeAccounts& accounts,
                         const Display& display) {
  for (const Attribute attribute : display.select) {
    if (attribute == Attribute::occurrence) continue;  // the original shows none in this view
    AddMeasureColumns(report, table, attribute, true);
    if (attribute == Attribute::device) AddDeviceColumn(report, table, accounts);
    if (attribute == Attribute::op_types) AddTypesColumn(report, table, accounts);
  }
  AddBothTimes(report, display, table);
  AddHiddenMeasures(report, table);
}

// Shows the inclusive time of a row of a trace, that of devices where they have any, if only its
// parts are selected: it has one id in all tables. REQUIRES: AddHiddenMeasures.
void ShowInclusiveTime(Table* table) {
  const auto inclusive = std::ranges::find(table->columns, "inclusive_us",
                                           [](const ReportColumn& c) { return c.spec.id; });
  if (inclusive == table->columns.end() || inclusive->spec.shown || table->rows == 0) return;
  for (const std::string_view part : {"inclusive_device_us", "inclusive_host_us"}) {
    const ReportColumn* found = table->Find(part);
    if (found == nullptr || found->Integer(0) == kNoInt) continue;
    inclusive->first = found->first;
    inclusive->stride = found->stride;
    inclusive->spec.shown = true;
    inclusive->spec.human_readable = false;
    return;
  }
}

// Notes frames below the default depth. A depth that the user chose needs no note.
void NoteDeeperFrames(const CodeTree& tree, const ShownRows& shown, const TreeFilter& limits,
                      Report& report) {
  if (limits.max_depth != TreeFilter().max_depth) return;
  int64_t deeper = 0;
  for (size_t i = 0; i < shown.row.size(); ++i) {
    const uint32_t row = shown.row[i];
    const int64_t depth = int64_t{shown.depth[i]} + 1;  // the root has depth 1
    if (depth >= limits.max_depth) deeper += tree.end[row] - row - 1;
  }
  if (deeper == 0) return;
  report.notes.push_back(
      {note::With(note::deep_frames, {std::to_string(limits.max_depth)}), deeper, "", kNoInt});
}

void AddNotes(const CodeTree& tree, const Query& query, Report& report) {
  report.notes.insert(report.notes.end(), tree.stacks.notes.begin(), tree.stacks.notes.end());
  if (tree.unknown_forward > 0) {
    report.notes.push_back(
        {note::gradients_without_forward_node, tree.unknown_forward, "", kNoInt});
  }
  if (query.tree.account_displayed_op_only) {
    report.notes.push_back({note::code_ignores_displayed_only, 1, "", kNoInt});
  }
  for (const Attribute attribute :
       {Attribute::occurrence, Attribute::input_shapes, Attribute::tensor_value}) {
    if (!query.display.Selects(attribute)) continue;
    report.notes.push_back(
        {note::With(note::code_lacks_attribute, {Info(attribute).name}), 1, "", kNoInt});
  }
}

Failure NoTraces(const Store& store) {
  if (store.nodes.empty() && !store.sources.empty() && !store.IsTrace()) {
    return Fail(ErrorKind::usage, "No code trace information", "",
                "no nodes: load the graph as well (--graph_path)");
  }
  if (TracesPython(store)) {
    return Fail(ErrorKind::usage, "No code trace information", "",
                "Python calls were recorded (python_tracer_level), but none is around an operation "
                "or its launch: compile with XLA, whose programs keep source lines");
  }
  return Fail(ErrorKind::usage, "No code trace information", "",
              "record code traces: torch.profiler.profile(with_stack=True) in PyTorch; "
              "tf.profiler.Profiler(graph) logs the Python stack of every node (load its op log or "
              "the profile that it saves); for traces of TensorFlow use ProfilerOptions(python_"
              "tracer_level=1), which TensorFlow 2.21 ignores: compile with XLA (jit_compile=True) "
              "there, whose programs keep source lines; tfprof-capture --python-stacks records the "
              "lines that launch GPU work");
}

// ---- samples -----------------------------------------------------------------------------------
struct LineSamples {
  IndexPtr<CodeTree> tree;
  NodeCosts costs;
  std::vector<uint32_t> nearest;  // by row of the tree: the answer's row that owns its nodes
  std::vector<bool> has_below;    // by row of the answer: it has rows below it
  // The next sample: node number `node` of the row `row`.
  uint32_t row = 0;
  uint32_t node = 0;
};

StackSample SampleOf(const LineSamples& at, NodeId node) {
  const uint32_t shown = at.nearest[at.row];
  StackSample sample{shown, node};
  sample.values = MarkAbsent(at.costs.sums->values[node.value], at.costs.sums->present[node.value]);
  sample.times = at.costs.counted.Of(node);
  const bool calls_others = at.tree->end[at.row] > at.row + 1;
  sample.innermost =
      shown != 0 && !calls_others && !at.has_below[shown];  // the root is not a frame
  return sample;
}

size_t Next(LineSamples& at, std::span<StackSample> out) {
  const CodeTree& tree = *at.tree;
  size_t filled = 0;
  while (filled < out.size() && at.row < tree.parent.size()) {
    if (at.node >= tree.first_node[at.row + 1]) {
      ++at.row;
      continue;
    }
    const NodeId node = tree.nodes[at.node++];
    if (at.costs.counted.Of(node) > 0) out[filled++] = SampleOf(at, node);
  }
  return filled;
}

// Rows that are not shown belong to the nearest shown ancestor.
std::vector<uint32_t> NearestShown(const CodeTree& tree, const ShownRows& shown) {
  std::vector<uint32_t> nearest(tree.parent.size(), Table::kNoRow);
  for (uint32_t i = 0; i < shown.row.size(); ++i) nearest[shown.row[i]] = i;
  for (size_t row = 1; row < nearest.size(); ++row) {
    if (nearest[row] == Table::kNoRow) nearest[row] = nearest[tree.parent[row]];
  }
  return nearest;
}

// Returns the samples of the answer, which can be read once: every node that counts, at the nearest
// shown row. The samples of a row thus add up to its total minus the totals of its shown children.
// Samples are ordered by row, rows in depth-first order of `tree`.
Cursor<StackSample> SamplesOf(IndexPtr<CodeTree> tree, NodeCosts costs, const ShownRows& shown) {
  auto state = std::make_shared<LineSamples>();
  state->nearest = NearestShown(*tree, shown);
  state->has_below.resize(shown.row.size());
  for (size_t i = 1; i < shown.parent.size(); ++i) state->has_below[shown.parent[i]] = true;
  state->tree = std::move(tree);
  state->costs = std::move(costs);
  return CursorFrom<StackSample>(std::move(state), Next);
}

// A name without nodes may be one in frames, such as a function: then the tree starts there.
Query StartingAtName(const Store& store, const CodeTree& tree, const Query& query) {
  Query starting = query;
  const std::string& name = query.nodes.under;
  if (name.empty() || !query.tree.start_name_regexes.MatchesAll()) return starting;
  const bool has_nodes = std::any_of(store.nodes.begin(), store.nodes.end(), [&](const Node& node) {
    return IsUnder(store.Text(node.name), name);
  });
  const std::string frames = has_nodes ? std::string() : FramesNamed(tree, name);
  if (frames.empty()) return starting;
  starting.nodes.under.clear();
  starting.tree.start_name_regexes = PatternList({frames});
  return starting;
}

}  // namespace

// Self and accumulated values of the frames. occurrence, input_shapes and tensor_value have no
// columns. Error: usage, if the profile has no code traces.
Result<Report> Code(const StorePtr& store, const Indexes& indexes, const Query& asked,
                    Context& context) {
  if (!store->has_code_traces) return NoTraces(*store);
  const CodeFrames frames = asked.display.all_frames ? CodeFrames::all : CodeFrames::own;
  TFPROF_ASSIGN(const auto tree, indexes.Get<CodeTree>(frames, context));
  const Query query = StartingAtName(*store, *tree, asked);
  TFPROF_ASSIGN(NodeCosts costs, CostsOf(*store, indexes, query, context));
  TFPROF_ASSIGN(const OwnRows own_rows, SumOwn(*tree, costs, context));

  const WalkRules rules{.code_view = true};
  const NamedTree named = Named(*tree);
  const OwnValues own{All(own_rows.values), All(own_rows.present), {}};
  const auto accounted = All(own_rows.accounted);
  TFPROF_ASSIGN(const TreeTotals totals, SumTree(named, own, accounted, false, context));
  // The original crashes if the root is trimmed or -max_depth is below 1; here only the root
  // remains.
  TFPROF_ASSIGN(ShownRows shown,
                WalkTree(named, own, totals, accounted, rules, query, own_rows.nodes, context));

  Report report = StartReport("code", store, *costs.accounts, query.place);
  AddNotesOf(*costs.sums, &report);
  report.node_facts = FactsOf(costs.accounts, costs.sums);
  Table& table = report.tables.emplace_back(MakeTable(CodeTableDef(), shown.row.size()));
  AddNames(*tree, shown, *report.pool, table);
  TFPROF_TRY(Poll(context));
  FillTree(table, &shown, own, accounted);
  TFPROF_TRY(Poll(context));
  for (const uint32_t row : shown.row) AddMembers(NodesOf(*tree, row), costs.counted, table);
  TFPROF_TRY(Poll(context));
  AddAttributeColumns(report, table, *costs.accounts, query.display);
  if (store->IsTrace() && !query.display.original_ids) ShowInclusiveTime(&table);
  AddFrameColumns(*tree, shown, query.display.original_ids, *report.pool, table);
  AddTotals(report, table.total_values[0]);
  NoteDeeperFrames(*tree, shown, query.tree, report);
  AddNotes(*tree, query, report);
  report.trace_export = IcicleExport();
  report.samples = SamplesOf(tree, std::move(costs), shown);
  return report;
}

}  // namespace tfprof
