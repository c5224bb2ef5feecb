// SPDX-License-Identifier: Apache-2.0
#include "writers/profile.h"

#include <algorithm>

#include "core/base/context.h"
#include "proto/tfprof_log_fields.h"
#include "writers/profile_node.h"

namespace tfprof {
namespace {

void AddNote(std::string_view what, int64_t count, std::vector<Note>* notes) {
  if (count > 0) notes->push_back({std::string(what), count, "", kNoInt});
}

void AddNote(std::string_view what, const Amount& amount, std::vector<Note>* notes) {
  if (amount.count == 0) return;
  notes->push_back({std::string(what), amount.count, amount.first_place, amount.cost_ps});
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

Result<std::vector<Note>> LeftOut(const ProfileWriting& writing, Context& context) {
  const ExecTables& tables = writing.tables;
  const Store& store = tables.store;
  std::vector<Note> notes = writing.texts.stacks().notes;
  TFPROF_ASSIGN(const Amount of_no_node, EventsOfNoNode(tables, context));
  AddNote("not saved: records matching no graph node", of_no_node, &notes);
  AddNote("not saved: records of a node on a second device", tables.losses.second_devices, &notes);
  AddNote("saved without times, as device names only: single streams, copies and the like",
          tables.losses.silent_devices, &notes);
  AddNote("not saved: memory of executions on uncounted devices",
          static_cast<int64_t>(store.exec_memory.size()) - tables.losses.memory, &notes);
  AddNote("not saved: allocations of host memory and on uncounted devices",
          static_cast<int64_t>(tables.allocations.size()) - tables.losses.allocations, &notes);
  AddNote("saved in whole microseconds: records with finer times", tables.losses.rounded, &notes);
  if (tables.moved_us != 0) {
    notes.push_back({"saved with shifted times, because 0 means absent in the format: all, by us",
                     tables.moved_us, "", kNoInt});
  }
  AddNote("saved as reading output 0: inputs from another output, and control inputs",
          writing.other_slots, &notes);
  AddNote("not saved: values of checkpoint entries", static_cast<int64_t>(store.tensors.size()),
          &notes);
  return notes;
}

// Writes both flags even if they are false: they identify a profile without nodes.
void WriteHead(const Store& store, WireWriter& out) {
  out.ToldInt(field::ProfileProto::has_trace, store.has_code_traces);
  out.Message(field::ProfileProto::steps, [&] {
    for (const Step& step : store.steps) out.Varint(static_cast<uint64_t>(step.number));
  });
  out.ToldInt(field::ProfileProto::miss_accelerator_stream,
              std::any_of(store.steps.begin(), store.steps.end(),
                          [](const Step& step) { return step.lacks_accelerator_stream; }));
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
  return LeftOut(writing, context);
}

}  // namespace tfprof
