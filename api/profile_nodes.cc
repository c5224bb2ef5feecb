// SPDX-License-Identifier: Apache-2.0
#include "api/profile_nodes.h"

#include <algorithm>
#include <utility>

#include "core/report/table_def.h"
#include "emitters/data/proto_nodes.h"

namespace tfprof::v1 {
namespace {

// The fields that both messages have.
template <class Message>
ProfileNode CommonOf(const Message& from) {
  ProfileNode to;
  to.name = from.name();
  to.exec_micros = from.exec_micros();
  to.accelerator_exec_micros = from.accelerator_exec_micros();
  to.cpu_exec_micros = from.cpu_exec_micros();
  to.requested_bytes = from.requested_bytes();
  to.peak_bytes = from.peak_bytes();
  to.residual_bytes = from.residual_bytes();
  to.output_bytes = from.output_bytes();
  to.parameters = from.parameters();
  to.float_ops = from.float_ops();
  to.total_exec_micros = from.total_exec_micros();
  to.total_accelerator_exec_micros = from.total_accelerator_exec_micros();
  to.total_cpu_exec_micros = from.total_cpu_exec_micros();
  to.total_requested_bytes = from.total_requested_bytes();
  to.total_peak_bytes = from.total_peak_bytes();
  to.total_residual_bytes = from.total_residual_bytes();
  to.total_output_bytes = from.total_output_bytes();
  to.total_parameters = from.total_parameters();
  to.total_float_ops = from.total_float_ops();
  return to;
}

ProfileNode NodeOf(const pb::GraphNodeProto& from) {
  ProfileNode to = CommonOf(from);
  to.run_count = from.run_count();
  to.total_run_count = from.total_run_count();
  to.total_definition_count = from.total_definition_count();
  to.devices = {from.devices().begin(), from.devices().end()};
  for (const auto& [input, shape] : from.input_shapes()) {
    if (shape.unknown_rank()) continue;
    std::vector<int64_t>& dims = to.input_shapes[input];
    for (const auto& dim : shape.dim()) dims.push_back(dim.size());
  }
  return to;
}

}  // namespace

std::vector<ProfileNode> NodesOf(const tfprof::Report& report) {
  const tfprof::Table& table = report.tables[0];
  const RowNames names = RowNamesOf(report);
  const bool are_graph_nodes = names == RowNames::scopes || names == RowNames::nodes;
  const bool are_types = names == RowNames::types;
  std::vector<ProfileNode> nodes;
  pb::GraphNodeProto graph;
  pb::MultiGraphNodeProto multi;
  if (are_types) {
    FillOpRoot(report, &multi);
    nodes.push_back(CommonOf(multi));
  }
  const size_t rows = are_types ? table.PrintedRows() : table.rows;
  for (size_t row = 0; row < rows; ++row) {
    if (are_graph_nodes) {
      FillGraphNode(report, row, &graph);
      nodes.push_back(NodeOf(graph));
    } else {
      FillMultiNode(report, row, &multi);
      nodes.push_back(CommonOf(multi));
    }
    // Each row of op is in the row before it.
    nodes.back().parent = are_types ? static_cast<uint32_t>(row) : table.parent[row];
  }
  return nodes;
}

}  // namespace tfprof::v1
