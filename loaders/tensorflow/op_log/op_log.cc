// SPDX-License-Identifier: Apache-2.0
// Reader of OpLogProto: types, float operations and code of graph nodes, as logged by a program.
// See proto/tfprof_log.proto.
#include <utility>
#include <vector>

#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/merge/overlap.h"
#include "loaders/tensorflow/lazy_code.h"
#include "loaders/wire/unknown.h"
#include "loaders/wire/wire.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

constexpr CodeForm kForm{.code = Tag(field::OpLogEntry::code_def, kBytes),
                         .text = Tag(field::OpLogProto::id_to_string, kBytes),
                         .in_all_logs = true};

struct Entry {
  std::string_view name;
  int64_t float_ops = 0;
  std::vector<std::string_view> types;
  std::vector<std::string_view> code;  // pieces of one CodeDef
};

struct LoadingLog {
  const SourceFile& file;
  StoreBuilder& store;
  SourceId source;
  KeptCode code;
  Entry entry = {};  // the current entry; kept for the capacity of its lists
  UnknownFields unknown = {};
  Overlap overlap = {"log entries", nullptr, 0, 0};
  ProblemCount malformed = {}, unknown_nodes = {}, second_code = {};
};

const char* ReadEntry(std::string_view message, Entry* entry, UnknownFields* unknown) {
  entry->name = {};
  entry->float_ops = 0;
  entry->types.clear();
  entry->code.clear();
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::OpLogEntry::name, kBytes): entry->name = fields.Bytes(); break;
      case Tag(field::OpLogEntry::float_ops, kVarint): entry->float_ops = fields.Int64(); break;
      case Tag(field::OpLogEntry::types, kBytes): entry->types.push_back(fields.Bytes()); break;
      case Tag(field::OpLogEntry::code_def, kBytes): entry->code.push_back(fields.Bytes()); break;
      default: SkipOther(fields, "OpLogEntry", 0, unknown);
    }
  }
  return fields.bad();
}

void AddCode(NodeId node, std::string_view record, LoadingLog* loading) {
  StoreBuilder& store = loading->store;
  const Entry& entry = loading->entry;
  store.SetCodeTraces();
  if (store.node(node).has_trace) {
    loading->second_code.Add(entry.code.front().data());
    return;
  }
  store.node(node).stack = NoteStack(entry.code, record, loading->source, store, &loading->code);
  store.node(node).has_trace = true;
}

void AddEntry(std::string_view message, LoadingLog* loading) {
  StoreBuilder& store = loading->store;
  const Entry& entry = loading->entry;
  if (ReadEntry(message, &loading->entry, &loading->unknown) != nullptr) {
    loading->malformed.Add(message.data());
    return;
  }
  const NodeId node = store.FindNode(store.Name(entry.name));
  ++loading->overlap.own;
  loading->overlap.shared += node.some() ? 1 : 0;
  if (!node.some()) {
    loading->unknown_nodes.Add(message.data());
    return;
  }
  for (const std::string_view text : entry.types) {
    const NameId type = store.Name(text);
    if (type != store.node(node).type) store.AddType(node, type);
  }
  if (entry.float_ops != 0) store.node(node).float_ops = entry.float_ops;
  if (!entry.code.empty()) AddCode(node, message, loading);
}

Result<void> LoadEntries(LoadingLog* loading, Context& context, const char** bad) {
  constexpr int kEntriesPerPoll = 4096;
  int until_poll = 0;
  ConsumedPages pages{loading->file};
  Fields fields(loading->file.bytes);
  while (fields.Next()) {
    if (fields.tag() != Tag(field::OpLogProto::log_entries, kBytes)) {
      const char* begin = fields.field_at();
      if (fields.tag() == kForm.text) {
        fields.Skip();
        if (fields.bad() == nullptr) NoteText(begin, fields.position(), &loading->code);
      } else {
        SkipOther(fields, "OpLogProto", 0, &loading->unknown);
      }
      pages.ReleaseRead(begin);
      continue;
    }
    const std::string_view message = fields.Bytes();
    if (fields.bad() != nullptr) break;
    AddEntry(message, loading);
    pages.ReleaseRead(message.data());
    if (--until_poll > 0) continue;
    until_poll = kEntriesPerPoll;
    TFPROF_TRY(Poll(context));
  }
  pages.ReleaseAll();
  *bad = fields.bad();
  return {};
}

Result<void> LoadLog(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                     Context& context) {
  const SourceId source =
      store.AddSource({file.path, "op_log", file.file_bytes, file.bytes.size()});
  LoadingLog loading{file, store, source, {file, kForm}};
  const char* bad = nullptr;
  TFPROF_TRY(LoadEntries(&loading, context, &bad));
  if (bad != nullptr && !context.limits.partial) return Damaged(bad, file, "", store, context);
  if (arguments.check_overlap) TFPROF_TRY(CheckOverlap(loading.overlap, file, store));
  loading.unknown.AddNoteTo(file, store);
  loading.malformed.AddNoteTo(note::malformed_log_entries, file, store);
  loading.unknown_nodes.AddNoteTo(note::log_entries_of_unknown_nodes, file, store);
  loading.second_code.AddNoteTo(note::second_code_traces, file, store);
  KeepCode(std::move(loading.code), source, store);
  if (bad == nullptr) return {};
  return Damaged(bad, file, "", store, context);
}

}  // namespace

const Loader kOpLogLoader = {
    .name = "op_log",
    .noun = "an OpLogProto",
    .flag = "--op_log_path",
    .summary = "OpLogProto: types, float operations and code traces of nodes",
    .order = 1,
    .score = ScoreOpLog,
    .load = LoadLog,
};

}  // namespace tfprof
