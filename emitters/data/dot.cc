// SPDX-License-Identifier: Apache-2.0
// -format dot: the graph in Graphviz's language. Rows are nodes. In a tree, edges lead to children;
// in a table with a list `operands`, edges come from the operands. An operand that is not a row is
// drawn pale.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/context.h"
#include "core/text/append_format.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// The text as it stands between quotes.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : PrintableText(text)) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The columns that a graph is drawn from; null: the table has no such column.
struct DotColumns {
  const Table& table;
  const ReportColumn* name = nullptr;
  const ReportColumn* group = nullptr;     // rows with equal texts share a box
  const ReportColumn* kind = nullptr;      // printed below the name
  const ReportColumn* weight = nullptr;    // larger is darker
  const ReportColumn* operands = nullptr;  // only in a table that is not a tree
  int64_t max = 0;

  std::string_view Group(size_t row) const {
    return group == nullptr ? std::string_view() : group->texts[row];
  }
};

const ReportColumn* TextColumn(const Table& table, std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) {
    const ReportColumn* column = table.Find(id);
    if (column != nullptr && column->spec.type == CellType::text) return column;
  }
  return nullptr;
}

// Returns the first visible time or measure; in a tree, the inclusive one, or the one that orders
// siblings.
const ReportColumn* WeightColumn(const Table& table) {
  for (const ReportColumn& column : table.columns) {
    const ColumnSpec& spec = column.spec;
    if (spec.type != CellType::integer || !spec.shown || !spec.human_readable) continue;
    const bool is_inclusive = spec.role == ColumnRole::total || spec.id == table.ordered_by;
    if (table.tree ? is_inclusive : spec.unit == Unit::ps_as_us) return &column;
  }
  return nullptr;
}

DotColumns Describe(const Table& table) {
  DotColumns dot{table};
  dot.name = TextColumn(table, {"name", "hlo_op_name"});
  dot.group = table.tree ? nullptr : TextColumn(table, {"computation", "module", "pipeline"});
  dot.kind = TextColumn(table, {"category", "state"});
  dot.weight = WeightColumn(table);
  const ReportColumn* operands = table.Find("operands");
  const bool has_operands = operands != nullptr && operands->spec.type == CellType::texts;
  if (has_operands && !table.tree) dot.operands = operands;
  for (size_t row = 0; dot.weight != nullptr && row < table.rows; ++row) {
    dot.max = std::max(dot.max, dot.weight->Integer(row));
  }
  return dot;
}

// Returns a color from white to orange, in distinguishable steps.
std::string FillColor(const DotColumns& dot, int64_t weight) {
  if (dot.max <= 0 || weight <= 0) return "#ffffff";
  const double share = static_cast<double>(weight) / static_cast<double>(dot.max);
  const auto channel = [&](double end) {
    return static_cast<int>(std::lround(255 - (255 - end) * std::sqrt(share)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(250), channel(166), channel(90));
}

void AppendNode(const DotColumns& dot, size_t row, std::string* out) {
  AppendFormat(out, "  n{} [label=\"{}", row, Escaped(dot.name->texts[row]));
  if (dot.kind != nullptr && !dot.kind->texts[row].empty()) {
    out->append("\\n" + Escaped(dot.kind->texts[row]));
  }
  const int64_t weight = dot.weight == nullptr ? kNoInt : dot.weight->Integer(row);
  if (weight != kNoInt) {
    out->append("\\n");
    AppendHuman(weight, dot.weight->spec.unit, out, dot.weight->spec.divisor);
  }
  AppendFormat(out, "\", fillcolor=\"{}\"];\n", FillColor(dot, weight));
}

Result<void> EmitTree(const DotColumns& dot, Sink& sink, Context& context) {
  return EachRow(dot.table.PrintedRows(), sink, context, [&](size_t row) {
    AppendNode(dot, row, &sink.buffer);
    const uint32_t parent = dot.table.parent[row];
    if (parent != Table::kNoRow) sink.Append(fmt::format("  n{} -> n{};\n", parent, row));
  });
}

// Rows of one box by name: operands name rows of their own box.
using RowsByName = std::map<std::string_view, size_t>;

void AppendEdges(const DotColumns& dot, size_t box, const RowsByName& rows, std::string* out) {
  std::set<std::string_view> outside;
  for (const auto& [name, row] : rows) {
    for (const std::string_view operand : dot.operands->lists[row]) {
      const auto from = rows.find(operand);
      if (from != rows.end()) {
        AppendFormat(out, "  n{} -> n{};\n", from->second, row);
        continue;
      }
      const std::string name_outside = Escaped(operand);
      if (outside.insert(operand).second) {
        AppendFormat(out,
                     "  \"b{}_{}\" [label=\"{}\", color=\"#9aa3ad\", fontcolor=\"#6b7480\", "
                     "fillcolor=\"#f4f5f7\"];\n",
                     box, name_outside, name_outside);
      }
      AppendFormat(out, "  \"b{}_{}\" -> n{};\n", box, name_outside, row);
    }
  }
}

Result<void> EmitBoxes(const DotColumns& dot, Sink& sink, Context& context) {
  std::map<std::string_view, std::vector<size_t>> boxes;
  for (size_t row = 0; row < dot.table.PrintedRows(); ++row) {
    boxes[dot.Group(row)].push_back(row);
  }
  size_t box = 0;
  for (const auto& [group, members] : boxes) {
    TFPROF_TRY(Poll(context));
    sink.Append(fmt::format("  subgraph cluster_{} {{ label=\"{}\";\n", box, Escaped(group)));
    RowsByName rows;
    for (const size_t row : members) {
      rows.emplace(dot.name->texts[row], row);
      AppendNode(dot, row, &sink.buffer);
      TFPROF_TRY(sink.MaybeFlush());
    }
    AppendEdges(dot, box++, rows, &sink.buffer);
    sink.Append("  }\n");
    TFPROF_TRY(sink.MaybeFlush());
  }
  return {};
}

}  // namespace

Result<void> EmitDot(const Report& report, const Query&, const Style&, Sink& sink,
                     Context& context) {
  for (const Table& table : report.tables) {
    const DotColumns dot = Describe(table);
    const bool is_graph = table.tree || dot.operands != nullptr;
    if (dot.name == nullptr || !is_graph) continue;
    sink.Append("digraph \"" + Escaped(report.view));
    sink.Append(
        "\" {\n  node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\", "
        "fontsize=10];\n"
        "  edge [color=\"#6b7480\"];\n");
    TFPROF_TRY(table.tree ? EmitTree(dot, sink, context) : EmitBoxes(dot, sink, context));
    sink.Append("}\n");
    return {};
  }
  return UsageError(report.view + " cannot be drawn as a graph",
                    "dot can draw hlo, tfdata, scope, graph and code");
}

}  // namespace tfprof
