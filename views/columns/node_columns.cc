// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <unordered_map>

#include "core/base/context.h"
#include "core/report/table_def.h"
#include "core/store/note_catalogue.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

// The input of a table's cells.
struct Cells {
  Report& report;
  const Store& store;
  const NodeAccounts& accounts;
  std::string_view synthetic_type;
  Context& context;
};

void AddShapes(const Cells& cells, Table& table) {
  ReportColumn& column = AddColumn(table, "shape");
  column.texts.resize(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    if (!table.node[i].some()) continue;
    std::string shape = ShapeText(cells.store, cells.store.nodes[table.node[i].value].parameter);
    if (!shape.empty()) column.texts[i] = cells.report.pool->Keep(std::move(shape));
  }
}

void AddDevices(const Cells& cells, Table& table) {
  ReportColumn& column = AddColumn(table, "device");
  column.lists.resize(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    if (!table.node[i].some()) continue;
    column.lists[i] = DevicesOf(cells.store, cells.accounts, table.node[i]);
  }
}

void AddOpTypes(const Cells& cells, Table& table) {
  ReportColumn& column = AddColumn(table, "op_types");
  column.lists.resize(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    if (!table.node[i].some()) {
      column.lists[i].push_back(cells.synthetic_type);
      continue;
    }
    for (const NameId type : TypesOf(cells.accounts, table.node[i])) {
      column.lists[i].push_back(cells.store.Text(type));
    }
  }
}

void AddInputShapes(const Cells& cells, Table& table) {
  ReportColumn& column = AddColumn(table, "input_shapes");
  column.lists.resize(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    if (!table.node[i].some()) continue;
    for (const Edge& edge : cells.store.Inputs(cells.store.nodes[table.node[i].value])) {
      const std::string shape = ShapeText(cells.store, InputShape(cells.store, edge));
      column.lists[i].push_back(cells.report.pool->Keep(std::to_string(edge.input_slot) + ':' +
                                                        (shape.empty() ? "unknown" : shape)));
    }
  }
}

// Increments the note `what`; adds it first if needed.
void CountNote(Report& report, const NoteWords& what, std::string_view place) {
  for (Note& note : report.notes) {
    if (note.what != what) continue;
    ++note.count;
    return;
  }
  report.notes.push_back({what, 1, std::string(place), kNoInt});
}

std::shared_ptr<const TensorValue> ReadTensor(const Cells& cells, const Tensor& tensor,
                                              std::string_view name) {
  const DetailReader& reader = cells.store.sources[tensor.source.value].details;
  if (reader.tensor == nullptr) return nullptr;
  Result<TensorValue> value = reader.tensor(tensor.detail);
  if (!value) {
    CountNote(cells.report, note::With(note::unreadable_checkpoint_values, {value.error().what}),
              value.error().where.empty() ? name : std::string_view(value.error().where));
    return nullptr;
  }
  if (value->kind == TensorValue::Kind::unsupported) {
    CountNote(cells.report, note::checkpoint_type_not_shown, name);
  }
  return std::make_shared<const TensorValue>(std::move(*value));
}

Result<void> AddTensors(const Cells& cells, Table& table) {
  ReportColumn& column = AddColumn(table, "tensor_value");
  column.tensors.resize(table.rows);
  if (cells.store.tensors.empty()) {
    CountNote(cells.report, note::no_checkpoint, "");
    return {};
  }
  std::unordered_map<std::string_view, const Tensor*> by_name;
  for (const Tensor& tensor : cells.store.tensors) {
    by_name.emplace(cells.store.Text(tensor.name), &tensor);
  }
  const std::vector<std::string_view>& names = table.Find("name")->texts;
  for (size_t i = 1; i < table.rows; ++i) {  // the root is not a variable
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(cells.context));
    const auto found = by_name.find(names[i]);
    if (found == by_name.end()) {
      CountNote(cells.report, note::rows_without_value, names[i]);
      continue;
    }
    table.columns.back().tensors[i] = ReadTensor(cells, *found->second, names[i]);
  }
  return {};
}

Result<void> AddAttribute(const Cells& cells, Table& table, Attribute attribute) {
  switch (attribute) {
    case Attribute::params: AddShapes(cells, table); break;
    case Attribute::device: AddDevices(cells, table); return {};
    case Attribute::op_types: AddOpTypes(cells, table); return {};
    case Attribute::input_shapes: AddInputShapes(cells, table); return {};
    case Attribute::tensor_value: return AddTensors(cells, table);
    default: break;
  }
  AddMeasureColumns(cells.report, table, attribute, true);
  return {};
}

}  // namespace

std::string ShapeText(const Store& store, ShapeRef shape) {
  if (shape.rank < 0) return {};
  if (shape.rank == 0) return "1";
  std::string text;
  for (const int64_t dim : store.Dims(shape)) {
    if (!text.empty()) text += 'x';
    text += std::to_string(dim);
  }
  return text;
}

ShapeRef InputShape(const Store& store, const Edge& edge) {
  return store.FirstOutputShape(edge.producer);
}

std::span<const NameId> TypesOf(const NodeAccounts& accounts, NodeId node) {
  const uint32_t first = accounts.first_type[node.value];
  return accounts.types.Rows(first, accounts.first_type[node.value + 1] - first);
}

std::vector<std::string_view> DevicesOf(const Store& store, const NodeAccounts& accounts,
                                        NodeId node) {
  std::vector<std::string_view> devices;
  accounts.counting_lane.Each(
      node, [&](LaneId lane) { devices.push_back(store.Text(store.lanes[lane.value].name)); });
  return devices;
}

NodeFacts FactsOf(const std::shared_ptr<const NodeAccounts>& accounts,
                  const std::shared_ptr<const NodeSums>& sums) {
  return {{sums, &sums->values}, {accounts, &accounts->counting_lane}};
}

Result<void> AddNodeColumns(Report& report, Table& table, const NodeAccounts& accounts,
                            const Display& display, std::string_view synthetic_type,
                            Context& context) {
  const Cells cells{report, *report.store, accounts, synthetic_type, context};
  const std::optional<Measure> by = MeasureOf(display.order_by);
  if (by && display.order_by != OrderBy::occurrence) table.ordered_by = Info(*by).inclusive;
  for (const Attribute attribute : display.select) {
    TFPROF_TRY(AddAttribute(cells, table, attribute));
  }
  AddBothTimes(report, display, table);
  AddHiddenMeasures(report, table);
  return {};
}

}  // namespace tfprof
