// SPDX-License-Identifier: Apache-2.0
#include "writers/profile.h"

#include "core/base/context.h"
#include "proto/tfprof_log_fields.h"
#include "writers/code_texts.h"

namespace tfprof {
namespace {

void WriteEntry(const Store& store, const Node& node, CodeTexts& texts, WireWriter& out) {
  out.Message(field::OpLogProto::log_entries, [&] {
    out.Bytes(field::OpLogEntry::name, store.Text(node.name));
    out.Int(field::OpLogEntry::float_ops, node.float_ops);
    for (const NameId type : store.node_types.Rows(node.types.first, node.types.count)) {
      out.Bytes(field::OpLogEntry::types, store.Text(type));
    }
    if (node.has_trace) texts.WriteCode(field::OpLogEntry::code_def, node.stack, out);
  });
}

}  // namespace

Result<WrittenLog> WriteOpLog(const Store& store, Sink& sink, Context& context) {
  size_t entries = 0;
  TFPROF_ASSIGN(CallStacks stacks, ReadCallStacks(store, context));
  CodeTexts texts(std::move(stacks));
  WireWriter out(&sink.buffer);
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Node& node = store.nodes[i];
    if (node.float_ops == 0 && node.types.count == 0 && !node.has_trace) continue;
    WriteEntry(store, node, texts, out);
    ++entries;
    TFPROF_TRY(sink.MaybeFlush());
  }
  texts.WriteTexts(field::OpLogProto::id_to_string, out);
  TFPROF_TRY(sink.MaybeFlush());
  return WrittenLog{entries, texts.stacks().notes};
}

}  // namespace tfprof
