// SPDX-License-Identifier: Apache-2.0
#include "tests/support/facts/graph_facts.h"

#include <fmt/format.h>

#include <charconv>
#include <map>

namespace tfprof {
namespace {

std::string InputFact(bool known, std::string_view name, int slot, int output_slot) {
  return fmt::format(" {}<-{}{}/{}", slot, known ? "" : "?", known ? name : "", output_slot);
}

std::string ShapeFact(const Store& store, ShapeRef shape) {
  if (shape.rank == ShapeRef::kNoInformation) return "none";
  if (shape.rank == ShapeRef::kUnknownRank) return "unknown";
  return fmt::format("[{}]", fmt::join(store.Dims(shape), ","));
}

std::string ShapeFact(const pb::TensorShapeProto& shape) {
  if (shape.dim_size() == 0 && shape.unknown_rank()) return "unknown";
  std::vector<int64_t> dims;
  for (const auto& dim : shape.dim()) dims.push_back(dim.size());
  return fmt::format("[{}]", fmt::join(dims, ","));
}

std::string FormatFact(std::string_view format) {
  return format.empty() ? "" : fmt::format(" format={}", format);
}

// By the rules of the reference, implemented independently of the loader.
std::string InputFact(const std::string& input, int slot, const std::map<std::string, int>& nodes) {
  const size_t colon = input.find(':');
  std::string name = input.substr(0, colon);
  int output_slot = 0;
  if (colon != std::string::npos && colon + 1 < input.size()) {
    const std::string digits = input.substr(colon + 1);
    if (digits.find_first_not_of("0123456789") == std::string::npos) {
      const unsigned long long number = digits.size() > 10 ? ~0ull : std::stoull(digits);
      if (number <= 0x7FFFFFFF) output_slot = static_cast<int>(number);
    }
  }
  if (!name.empty() && name[0] == '^') {
    name.erase(0, 1);
    output_slot = -1;
  }
  return InputFact(nodes.count(name) != 0, name, slot, output_slot);
}

std::string Fact(const pb::NodeDef& node, const std::map<std::string, int>& nodes) {
  std::string line = fmt::format("{}|{}|", node.name(), node.op());
  for (int i = 0; i < node.input_size(); ++i) line += InputFact(node.input(i), i, nodes);
  std::map<std::string, const pb::AttrValue*> attributes;
  for (const pb::AttrEntry& entry : node.attr()) attributes[entry.key()] = &entry.value();
  const pb::AttrValue* shape = attributes["shape"];
  line += fmt::format("|{}|",
                      shape != nullptr && shape->has_shape() ? ShapeFact(shape->shape()) : "none");
  const pb::AttrValue* outputs = attributes["_output_shapes"];
  for (int i = 0; outputs != nullptr && i < outputs->list().shape_size(); ++i) {
    line += fmt::format(" {}:{}", i, ShapeFact(outputs->list().shape(i)));
  }
  const pb::AttrValue* format = attributes["data_format"];
  return line + FormatFact(format == nullptr ? "" : format->s());
}

}  // namespace

std::vector<std::string> GraphFacts(const Store& store) {
  std::vector<std::string> facts;
  std::map<uint32_t, std::string_view> formats;
  for (const DataFormat& row : store.data_formats) {
    formats[row.node.value] = store.Text(row.format);
  }
  for (const Node& node : store.nodes) {
    std::string line = fmt::format("{}|{}|", store.Text(node.name), store.Text(node.type));
    for (const Edge& edge : store.Inputs(node)) {
      const bool known = edge.producer.some();
      const std::string_view name =
          known ? store.Text(store.nodes[edge.producer.value].name) : std::string_view();
      line += InputFact(known, name, edge.input_slot, edge.output_slot);
    }
    line += fmt::format("|{}|", ShapeFact(store, node.parameter));
    for (uint32_t i = 0; i < node.output_shapes.count; ++i) {
      const OutputShape& output = store.output_shapes[node.output_shapes.first + i];
      line += fmt::format(" {}:{}", output.slot, ShapeFact(store, output.shape));
    }
    facts.push_back(line + FormatFact(formats[static_cast<uint32_t>(facts.size())]));
  }
  return facts;
}

std::vector<std::string> GraphFacts(const pb::GraphDef& graph) {
  std::map<std::string, int> nodes;
  std::vector<const pb::NodeDef*> kept;
  for (const pb::NodeDef& node : graph.node()) {
    if (nodes.emplace(node.name(), 0).second) kept.push_back(&node);
  }
  std::vector<std::string> facts;
  for (const pb::NodeDef* node : kept) facts.push_back(Fact(*node, nodes));
  return facts;
}

}  // namespace tfprof
