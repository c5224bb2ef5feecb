// SPDX-License-Identifier: Apache-2.0
#include "writers/profile_node.h"

#include <algorithm>

#include "proto/attr_value_fields.h"
#include "proto/tfprof_log_fields.h"
#include "writers/profile_exec.h"

namespace tfprof {
namespace {

// Returns operation type, added types and device, sorted and unique.
std::vector<std::string_view> TypesOf(const Node& node, std::string_view device,
                                      const Store& store) {
  std::vector<std::string_view> types = {store.Text(node.type)};
  for (const NameId type : store.node_types.Rows(node.types.first, node.types.count)) {
    types.push_back(store.Text(type));
  }
  if (!device.empty()) types.push_back(device);
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

// Returns the CPU of a device's host: the final `gpu:N` becomes `cpu:0`.
std::string CpuBeside(std::string_view device) {
  const size_t gpu = device.rfind("gpu:");
  if (gpu == device.npos) return std::string(device);
  return std::string(device.substr(0, gpu)) + "cpu:0";
}

// Writes dimensions like the original: a scalar as one dimension of 1, nothing if the shape is
// unknown.
void WriteDims(FieldNumber field, ShapeRef shape, const Store& store, WireWriter& out) {
  out.Message(field, [&] {
    if (shape.rank == 0) out.Varint(1);
    for (const int64_t dim : store.Dims(shape)) out.Varint(static_cast<uint64_t>(dim));
  });
}

// Writes an entry of a map from slot to Tuple.
void WriteSlotShape(FieldNumber field, int32_t slot, ShapeRef shape, const Store& store,
                    WireWriter& out) {
  out.Message(field, [&] {
    out.Int(MapEntryField::key, slot);
    out.Message(MapEntryField::value, [&] {
      if (shape.rank >= 0) WriteDims(field::Tuple::int64_values, shape, store, out);
    });
  });
}

// Writes inputs. The producer's output slot is always 0, as in the original, which looks up the
// shape of that output. An input that the graph lacks has no id: it is written as -1 in the map
// `outputs`, which the original neither writes nor reads.
void WriteInputs(const Node& node, ProfileWriting& writing, WireWriter& out) {
  const Store& store = writing.tables.store;
  std::vector<NodeId> producers;
  for (const Edge& edge : store.Inputs(node)) {
    if (edge.output_slot != 0) ++writing.other_slots;
    if (!edge.producer.some()) {
      out.Message(field::ProfileNode::outputs, [&] {
        out.Int(MapEntryField::key, edge.input_slot);
        out.Int(MapEntryField::value, -1);
      });
      continue;
    }
    out.Message(field::ProfileNode::inputs, [&] {
      out.Int(MapEntryField::key, edge.input_slot);
      out.Int(MapEntryField::value, edge.producer.value);
    });
    producers.push_back(edge.producer);
  }
  std::sort(producers.begin(), producers.end());
  producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
  for (const NodeId producer : producers)
    out.Message(field::ProfileNode::src_output_index,
                [&] { out.Int(MapEntryField::key, producer.value); });
}

// Writes the data format as an entry of the attribute map.
void WriteDataFormat(NodeId id, const Store& store, WireWriter& out) {
  const auto& rows = store.data_formats;
  const auto row = std::lower_bound(rows.begin(), rows.end(), id,
                                    [](const DataFormat& a, NodeId node) { return a.node < node; });
  if (row == rows.end() || row->node != id) return;
  out.Message(field::ProfileNode::attrs, [&] {
    out.Bytes(field::AttrEntry::key, "data_format");
    out.Message(field::AttrEntry::value,
                [&] { out.Bytes(field::AttrValue::s, store.Text(row->format)); });
  });
}

}  // namespace

void WriteNode(NodeId id, ProfileWriting& writing, WireWriter& out) {
  const Store& store = writing.tables.store;
  const Node& node = store.nodes[id.value];
  const LaneId counting = CountingLane(id, writing.tables);
  const std::string_view device =
      counting.some() ? store.Text(store.lanes[counting.value].name) : std::string_view();
  out.Bytes(field::ProfileNode::name, store.Text(node.name));
  out.Bytes(field::ProfileNode::op, store.Text(node.type));
  out.Int(field::ProfileNode::id, id.value);
  WriteInputs(node, writing, out);
  if (node.parameter.rank >= 0) WriteDims(field::ProfileNode::shape, node.parameter, store, out);
  for (const std::string_view type : TypesOf(node, device, store))
    out.Bytes(field::ProfileNode::op_types, type);
  if (counting.some()) {
    out.Bytes(field::ProfileNode::canonical_device, device);
    out.Bytes(field::ProfileNode::host_device, CpuBeside(device));
  }
  out.Int(field::ProfileNode::float_ops, node.float_ops);
  WriteDataFormat(id, store, out);
  if (node.has_trace) writing.texts.WriteCode(field::ProfileNode::trace, node.stack, out);
  for (const OutputShape& shape :
       store.output_shapes.Rows(node.output_shapes.first, node.output_shapes.count)) {
    WriteSlotShape(field::ProfileNode::output_shapes, shape.slot, shape.shape, store, out);
  }
  WriteExecs(id, counting, writing.tables, out);
}

}  // namespace tfprof
