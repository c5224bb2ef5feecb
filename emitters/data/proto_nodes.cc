// SPDX-License-Identifier: Apache-2.0
#include "emitters/data/proto_nodes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {
namespace {

int64_t Value(const MeasureValues& values, Measure measure) {
  return ZeroIfAbsent(At(values, measure));
}

int64_t Micros(const Report& report, const MeasureValues& values, Measure measure) {
  return Value(values, measure) / report.scale.TimesPerUs();
}

// Fills the fields that both messages have.
template <class Message>
void FillOwn(const Report& report, const MeasureValues& own, Message* message) {
  message->set_exec_micros(Micros(report, own, Measure::micros));
  message->set_accelerator_exec_micros(Micros(report, own, Measure::accelerator_micros));
  message->set_cpu_exec_micros(Micros(report, own, Measure::cpu_micros));
  message->set_requested_bytes(Value(own, Measure::bytes));
  message->set_peak_bytes(Value(own, Measure::peak_bytes));
  message->set_residual_bytes(Value(own, Measure::residual_bytes));
  message->set_output_bytes(Value(own, Measure::output_bytes));
  message->set_parameters(Value(own, Measure::params));
  message->set_float_ops(Value(own, Measure::float_ops));
}

template <class Message>
void FillTotals(const Report& report, const MeasureValues& totals, Message* message) {
  message->set_total_exec_micros(Micros(report, totals, Measure::micros));
  message->set_total_accelerator_exec_micros(Micros(report, totals, Measure::accelerator_micros));
  message->set_total_cpu_exec_micros(Micros(report, totals, Measure::cpu_micros));
  message->set_total_requested_bytes(Value(totals, Measure::bytes));
  message->set_total_peak_bytes(Value(totals, Measure::peak_bytes));
  message->set_total_residual_bytes(Value(totals, Measure::residual_bytes));
  message->set_total_output_bytes(Value(totals, Measure::output_bytes));
  message->set_total_parameters(Value(totals, Measure::params));
  message->set_total_float_ops(Value(totals, Measure::float_ops));
}

// A scalar becomes one dimension of size 1; an unknown shape has unknown rank.
void FillShape(const Store& store, ShapeRef shape, pb::TensorShapeProto* message) {
  if (shape.rank < 0) message->set_unknown_rank(true);
  if (shape.rank == 0) message->add_dim()->set_size(1);
  for (const int64_t dim : store.Dims(shape)) message->add_dim()->set_size(dim);
}

// Fills the facts of a graph node that do not depend on the row.
void FillFacts(const Report& report, NodeId node, pb::GraphNodeProto* message) {
  const Store& store = *report.store;
  report.node_facts.counting_lane->Each(node, [&](LaneId lane) {
    message->add_devices(std::string(store.Text(store.lanes[lane.value].name)));
  });
  for (const Edge& edge : store.Inputs(store.nodes[node.value])) {
    FillShape(store, store.FirstOutputShape(edge.producer),
              &(*message->mutable_input_shapes())[edge.input_slot]);
  }
}

// The original prints a real through a C++ stream first: six significant digits.
double SixDigits(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%g", value);
  return std::strtod(digits, nullptr);
}

void FillTensor(const TensorValue& tensor, pb::TFProfTensorProto* message) {
  message->set_dtype(static_cast<pb::DataType>(tensor.dtype));
  for (const double value : tensor.reals) message->add_value_double(SixDigits(value));
  for (const int64_t value : tensor.integers) message->add_value_int64(value);
}

// Clearing a map costs as much as its largest past size, so a message with many inputs is replaced.
constexpr int kManyInputs = 1000;

void Empty(pb::GraphNodeProto* message) {
  if (message->input_shapes_size() > kManyInputs) *message = pb::GraphNodeProto();
  message->Clear();
}

void Empty(pb::MultiGraphNodeProto* message) {
  const bool many = std::any_of(
      message->graph_nodes().begin(), message->graph_nodes().end(),
      [](const pb::GraphNodeProto& node) { return node.input_shapes_size() > kManyInputs; });
  if (many) *message = pb::MultiGraphNodeProto();
  message->Clear();
}

std::string NameOf(const Table& table, size_t row) {
  const ReportColumn* names = table.Find("name");
  return names == nullptr ? std::string() : std::string(names->texts[row]);
}

// Fills a single node, as op and code list them.
void FillMember(const Report& report, NodeId node, pb::GraphNodeProto* message) {
  const MeasureValues& values = (*report.node_facts.values)[node.value];
  message->set_name(std::string(report.store->Text(report.store->nodes[node.value].name)));
  FillOwn(report, values, message);
  FillTotals(report, values, message);
  message->set_run_count(Value(values, Measure::run_count));
  message->set_total_run_count(Value(values, Measure::run_count));
  message->set_total_definition_count(1);
  FillFacts(report, node, message);
}

// Totals of an op row: the sums of this row and all rows after it.
MeasureValues Remainder(const Table& table, size_t row) {
  MeasureValues values{};
  for (const MeasureInfo& info : AllMeasures()) {
    const ReportColumn* column = table.Find("classic_remainder_" + std::string(info.id));
    if (column != nullptr) At(values, info.measure) = column->Integer(row);
  }
  return values;
}

}  // namespace

void FillGraphNode(const Report& report, size_t row, pb::GraphNodeProto* message) {
  const Table& table = report.tables[0];
  Empty(message);
  message->set_name(NameOf(table, row));
  FillOwn(report, table.self_values[row], message);
  FillTotals(report, table.total_values[row], message);
  message->set_run_count(Value(table.self_values[row], Measure::run_count));
  message->set_total_run_count(Value(table.total_values[row], Measure::run_count));
  message->set_total_definition_count(Value(table.total_values[row], Measure::definition_count));
  if (table.node[row].some()) FillFacts(report, table.node[row], message);
  const ReportColumn* tensors = table.Find("tensor_value");
  if (tensors != nullptr && tensors->tensors[row] != nullptr) {
    FillTensor(*tensors->tensors[row], message->mutable_tensor_value());
  }
}

void FillMultiNode(const Report& report, size_t row, pb::MultiGraphNodeProto* message) {
  const Table& table = report.tables[0];
  Empty(message);
  message->set_name(NameOf(table, row));
  FillOwn(report, table.self_values[row], message);
  FillTotals(report, table.tree ? table.total_values[row] : Remainder(table, row), message);
  std::vector<NodeId> nodes(table.members.begin() + table.first_member[row],
                            table.members.begin() + table.first_member[row + 1]);
  const Store& store = *report.store;
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return store.Text(store.nodes[a.value].name) < store.Text(store.nodes[b.value].name);
  });
  for (const NodeId node : nodes) FillMember(report, node, message->add_graph_nodes());
}

void FillOpRoot(const Report& report, pb::MultiGraphNodeProto* message) {
  MeasureValues totals{};
  for (const MeasureInfo& info : AllMeasures()) {
    const Property* property = report.Find("total_" + std::string(info.id));
    if (property != nullptr) At(totals, info.measure) = property->integer;
  }
  Empty(message);
  message->set_name(std::string(kRootName));
  FillTotals(report, totals, message);
}

}  // namespace tfprof
