// SPDX-License-Identifier: Apache-2.0
#include "bench/generators/generate.h"
#include "bench/generators/model_fields.h"
#include "core/base/wire_writer.h"
#include "proto/graph_fields.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

void WriteInputs(WireWriter& out, const ModelNode& node, std::string* text) {
  for (const int64_t input : node.inputs) {
    if (input == kNoNode) continue;
    text->clear();
    AppendNodeName(input, text);
    out.Bytes(field::NodeDef::input, *text);
  }
  if (node.control == kNoNode) return;
  text->assign("^");
  AppendNodeName(node.control, text);
  out.Bytes(field::NodeDef::input, *text);
}

void WriteNode(WireWriter& out, int64_t index, std::string* text) {
  const ModelNode node = NodeOfModel(index);
  text->clear();
  AppendNodeName(index, text);
  out.Bytes(field::NodeDef::name, *text);
  out.Bytes(field::NodeDef::op, node.type);
  WriteInputs(out, node, text);
  out.Bytes(field::NodeDef::device, node.on_gpu ? "/device:GPU:0" : "/device:CPU:0");
  WriteAttributes(out, field::NodeDef::attr, index);
}

void WriteLogEntry(WireWriter& out, int64_t index, std::string* text) {
  const ModelNode node = NodeOfModel(index);
  text->clear();
  AppendNodeName(index, text);
  out.Bytes(field::OpLogEntry::name, *text);
  out.Int(field::OpLogEntry::float_ops, FloatOpsOfModel(index));
  if (node.variable) out.Bytes(field::OpLogEntry::types, "_trainable_variables");
  out.Message(field::OpLogEntry::code_def, [&] { WriteTrace(out, index); });
}

}  // namespace

Result<Generated> WriteGraph(int64_t nodes, Sink& sink) {
  WireWriter out(&sink.buffer);
  std::string text;
  for (int64_t i = 0; i < nodes; ++i) {
    out.Message(field::GraphDef::node, [&] { WriteNode(out, i, &text); });
    TFPROF_TRY(sink.MaybeFlush());
  }
  out.Message(field::GraphDef::versions, [&] { out.Int(field::VersionDef::producer, 1'000); });
  TFPROF_TRY(sink.Flush());
  return Generated{.nodes = nodes};
}

Result<Generated> WriteOpLog(int64_t nodes, Sink& sink) {
  WireWriter out(&sink.buffer);
  std::string text;
  for (int64_t i = 0; i < nodes; ++i) {
    out.Message(field::OpLogProto::log_entries, [&] { WriteLogEntry(out, i, &text); });
    TFPROF_TRY(sink.MaybeFlush());
  }
  WriteIdToString(out, field::OpLogProto::id_to_string);
  TFPROF_TRY(sink.Flush());
  return Generated{.nodes = nodes};
}

}  // namespace tfprof
