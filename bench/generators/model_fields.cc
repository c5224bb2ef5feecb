// SPDX-License-Identifier: Apache-2.0
#include "bench/generators/model_fields.h"

#include "proto/attr_value_fields.h"
#include "proto/tensor_shape_fields.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

constexpr int64_t kFrames = 9;
constexpr int64_t kFiles = 40;
constexpr int64_t kFunctions = 400;
constexpr int64_t kSourceLines = 2'000;
// Ids of texts: files, then functions, then source lines.
constexpr int64_t kFirstFile = 1;
constexpr int64_t kFirstFunction = kFirstFile + kFiles;
constexpr int64_t kFirstLine = kFirstFunction + kFunctions;
constexpr int64_t kLastText = kFirstLine + kSourceLines;

void WriteShape(WireWriter& out, TensorSize tensor) {
  out.Message(field::TensorShapeProto::dim,
              [&] { out.Int(field::TensorShapeProto_Dim::size, tensor.rows); });
  out.Message(field::TensorShapeProto::dim,
              [&] { out.Int(field::TensorShapeProto_Dim::size, tensor.columns); });
}

template <class Fill>
void WriteAttribute(WireWriter& out, FieldNumber field, std::string_view key, Fill value) {
  out.Message(field, [&] {
    out.Bytes(field::AttrEntry::key, key);
    out.Message(field::AttrEntry::value, value);
  });
}

std::string TextOfId(int64_t id) {
  if (id < kFirstFunction) return "/srv/models/lib/python3/module_" + std::to_string(id) + ".py";
  if (id < kFirstLine) return "build_part_" + std::to_string(id);
  return "  hidden = self.dense_" + std::to_string(id) + "(inputs, training=training)";
}

}  // namespace

int64_t FloatOpsOfModel(int64_t index) {
  const ModelNode node = NodeOfModel(index);
  return node.has_kernel ? TensorOfModel(index).bytes() * 128 : 0;
}

void WriteAttributes(WireWriter& out, FieldNumber field, int64_t index) {
  const TensorSize tensor = TensorOfModel(index);
  WriteAttribute(out, field, "T", [&] { out.Int(field::AttrValue::type, 1); });
  if (NodeOfModel(index).variable) {
    WriteAttribute(out, field, "shape",
                   [&] { out.Message(field::AttrValue::shape, [&] { WriteShape(out, tensor); }); });
  }
  WriteAttribute(out, field, "_output_shapes", [&] {
    out.Message(field::AttrValue::list,
                [&] { out.Message(field::AttrValue::shape, [&] { WriteShape(out, tensor); }); });
  });
}

// Outer frames have few variants and inner frames many, as in call trees.
void WriteTrace(WireWriter& out, int64_t index) {
  const auto place = static_cast<uint64_t>(index % 512);
  for (int64_t depth = 0; depth < kFrames; ++depth) {
    const int64_t variant = depth < 3 ? 0 : static_cast<int64_t>(place >> (kFrames - 1 - depth));
    const uint64_t r = Mix(static_cast<uint64_t>(depth) + 50, static_cast<uint64_t>(variant));
    const auto line = static_cast<int64_t>(r % kSourceLines);
    out.Message(field::CodeDef::traces, [&] {
      out.Int(field::CodeDef_Trace::lineno, line + 1);
      out.Int(field::CodeDef_Trace::func_start_line, 1 + line / 20 * 20);
      out.Int(field::CodeDef_Trace::file_id, kFirstFile + line % kFiles);
      out.Int(field::CodeDef_Trace::function_id, kFirstFunction + line % kFunctions);
      out.Int(field::CodeDef_Trace::line_id, kFirstLine + line);
    });
  }
}

void WriteIdToString(WireWriter& out, FieldNumber field) {
  for (int64_t id = kFirstFile; id < kLastText; ++id) {
    out.Message(field, [&] {
      out.Int(MapEntryField::key, id);
      out.Bytes(MapEntryField::value, TextOfId(id));
    });
  }
}

}  // namespace tfprof
