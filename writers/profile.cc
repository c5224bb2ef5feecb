// SPDX-License-Identifier: Apache-2.0
#include "writers/profile.h"

#include <algorithm>

#include "core/base/context.h"
#include "core/store/note_catalogue.h"
#include "proto/attr_value_fields.h"
#include "proto/tfprof_log_fields.h"
#include "writers/code_texts.h"
#include "writers/exec_tables.h"

namespace tfprof {
namespace {

struct ProfileWriting {
  ExecTables tables;
  CodeTexts texts;
  int64_t other_slots = 0;  // inputs that are not output 0 of their producer
};

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
std::string HostCpuOf(std::string_view device) {
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

void AddNote(const NoteRow& what, int64_t count, std::vector<Note>* notes) {
  if (count > 0) notes->push_back({what, count, "", kNoInt});
}

void AddNote(const NoteRow& what, const Amount& amount, std::vector<Note>* notes) {
  if (amount.count == 0) return;
  notes->push_back({what, amount.count, amount.first_place, amount.cost_ps});
}

Result<Amount> EventsOfNoNode(const ExecTables& tables, Context& context) {
  const Store& store = tables.store;
  Amount amount;
  if (tables.events.row.size() == store.EventCount()) return amount;
  for (const EventRun& run : tables.runs) {
    const std::string& place = tables.texts[tables.lanes[run.lane.value].text];
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      if (store.labels[store.events.label[row].value].node.some()) continue;
      amount.Add(store.events.duration_ps[row], place);
    }
  }
  return amount;
}

Result<std::vector<Note>> OmittedNotes(const ProfileWriting& writing, Context& context) {
  const ExecTables& tables = writing.tables;
  const Store& store = tables.store;
  std::vector<Note> notes = writing.texts.stacks().notes;
  TFPROF_ASSIGN(const Amount of_no_node, EventsOfNoNode(tables, context));
  AddNote(note::not_saved_records_without_node, of_no_node, &notes);
  AddNote(note::not_saved_second_devices, tables.losses.second_devices, &notes);
  AddNote(note::saved_without_times, tables.losses.silent_devices, &notes);
  AddNote(note::not_saved_memory,
          static_cast<int64_t>(store.exec_memory.size()) - tables.losses.memory, &notes);
  AddNote(note::not_saved_allocations,
          static_cast<int64_t>(tables.allocations.size()) - tables.losses.allocations, &notes);
  AddNote(note::saved_whole_microseconds, tables.losses.rounded, &notes);
  if (tables.moved_us != 0) {
    notes.push_back({note::saved_later_times, tables.moved_us, "", kNoInt});
  }
  AddNote(note::saved_other_outputs, writing.other_slots, &notes);
  AddNote(note::not_saved_checkpoint_values, static_cast<int64_t>(store.tensors.size()), &notes);
  return notes;
}

// Writes both flags even if they are false: they identify a profile without nodes.
void WriteHead(const Store& store, WireWriter& out) {
  out.IntIfPresent(field::ProfileProto::has_trace, store.has_code_traces);
  out.Message(field::ProfileProto::steps, [&] {
    for (const Step& step : store.steps) out.Varint(static_cast<uint64_t>(step.number));
  });
  out.IntIfPresent(field::ProfileProto::miss_accelerator_stream,
                   std::any_of(store.steps.begin(), store.steps.end(),
                               [](const Step& step) { return step.lacks_accelerator_stream; }));
}

// Writes the fields of a ProfileNode.
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
    out.Bytes(field::ProfileNode::host_device, HostCpuOf(device));
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

}  // namespace

Result<std::vector<Note>> WriteProfile(const Store& store, Sink& sink, Context& context) {
  TFPROF_ASSIGN(ExecTables tables, PrepareExecs(store, context));
  TFPROF_ASSIGN(CallStacks stacks, ReadCallStacks(store, context));
  ProfileWriting writing{std::move(tables), CodeTexts(std::move(stacks))};
  WireWriter out(&sink.buffer);
  WriteHead(store, out);
  for (size_t id = 0; id < store.nodes.size(); ++id) {
    if (id % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    out.Message(field::ProfileProto::nodes, [&] {
      out.Int(MapEntryField::key, static_cast<int64_t>(id));
      out.Message(MapEntryField::value, [&] { WriteNode(NodeId(id), writing, out); });
    });
    TFPROF_TRY(sink.MaybeFlush());
  }
  writing.texts.WriteTexts(field::ProfileProto::id_to_string, out);
  TFPROF_TRY(sink.MaybeFlush());
  return OmittedNotes(writing, context);
}

}  // namespace tfprof
