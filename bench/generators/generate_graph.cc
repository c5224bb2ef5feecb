// SPDX-License-Identifier: Apache-2.0
#include "bench/generators/generate.h"
#include "bench/generators/model_fields.h"
#include "core/base/wire_writer.h"

namespace tfprof {
namespace {

void WriteInputs(WireWriter& out, const ModelNode& node, std::string* text) {
  for (const int64_t input : node.inputs) {
    if (input == kNoNode) continue;
    text->clear();
    AppendNodeName(input, text);
    out.Bytes(3, *text);
  }
  if (node.control == kNoNode) return;
  text->assign("^");
  AppendNodeName(node.control, text);
  out.Bytes(3, *text);
}

void WriteNode(WireWriter& out, int64_t index, std::string* text) {
  const ModelNode node = NodeOfModel(index);
  text->clear();
  AppendNodeName(index, text);
  out.Bytes(1, *text);
  out.Bytes(2, node.type);
  WriteInputs(out, node, text);
  out.Bytes(4, node.on_gpu ? "/device:GPU:0" : "/device:CPU:0");
  WriteAttributes(out, 5, index);
}

void WriteLogEntry(WireWriter& out, int64_t index, std::string* text) {
  const ModelNode node = NodeOfModel(index);
  text->clear();
  AppendNodeName(index, text);
  out.Bytes(1, *text);
  out.Int(2, FloatOpsOfModel(index));
  if (node.variable) out.Bytes(3, "_trainable_variables");
  out.Message(4, [&] { WriteTrace(out, index); });
}

}  // namespace

Result<Generated> WriteGraph(int64_t nodes, Sink& sink) {
  WireWriter out(&sink.buffer);
  std::string text;
  for (int64_t i = 0; i < nodes; ++i) {
    out.Message(1, [&] { WriteNode(out, i, &text); });
    TFPROF_TRY(sink.MaybeFlush());
  }
  out.Message(4, [&] { out.Int(1, 1'000); });  // versions.producer
  TFPROF_TRY(sink.Flush());
  return Generated{.nodes = nodes};
}

Result<Generated> WriteOpLog(int64_t nodes, Sink& sink) {
  WireWriter out(&sink.buffer);
  std::string text;
  for (int64_t i = 0; i < nodes; ++i) {
    out.Message(1, [&] { WriteLogEntry(out, i, &text); });
    TFPROF_TRY(sink.MaybeFlush());
  }
  WriteIdToString(out, 2);
  TFPROF_TRY(sink.Flush());
  return Generated{.nodes = nodes};
}

}  // namespace tfprof
