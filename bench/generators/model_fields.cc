// SPDX-License-Identifier: Apache-2.0
#include "bench/generators/model_fields.h"

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
  out.Message(2, [&] { out.Int(1, tensor.rows); });
  out.Message(2, [&] { out.Int(1, tensor.columns); });
}

template <class Fill>
void WriteAttribute(WireWriter& out, int field, std::string_view key, Fill value) {
  out.Message(field, [&] {
    out.Bytes(1, key);
    out.Message(2, value);
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

void WriteAttributes(WireWriter& out, int field, int64_t index) {
  const TensorSize tensor = TensorOfModel(index);
  WriteAttribute(out, field, "T", [&] { out.Int(6, 1); });
  if (NodeOfModel(index).variable) {
    WriteAttribute(out, field, "shape", [&] { out.Message(7, [&] { WriteShape(out, tensor); }); });
  }
  WriteAttribute(out, field, "_output_shapes", [&] {
    out.Message(1, [&] { out.Message(7, [&] { WriteShape(out, tensor); }); });
  });
}

// Outer frames have few variants and inner ones many, as call trees do.
void WriteTrace(WireWriter& out, int64_t index) {
  const auto place = static_cast<uint64_t>(index % 512);
  for (int64_t depth = 0; depth < kFrames; ++depth) {
    const int64_t variant = depth < 3 ? 0 : static_cast<int64_t>(place >> (kFrames - 1 - depth));
    const uint64_t r = Mix(static_cast<uint64_t>(depth) + 50, static_cast<uint64_t>(variant));
    const auto line = static_cast<int64_t>(r % kSourceLines);
    out.Message(1, [&] {
      out.Int(2, line + 1);
      out.Int(5, 1 + line / 20 * 20);
      out.Int(6, kFirstFile + line % kFiles);
      out.Int(7, kFirstFunction + line % kFunctions);
      out.Int(8, kFirstLine + line);
    });
  }
}

void WriteIdToString(WireWriter& out, int field) {
  for (int64_t id = kFirstFile; id < kLastText; ++id) {
    out.Message(field, [&] {
      out.Int(1, id);
      out.Bytes(2, TextOfId(id));
    });
  }
}

}  // namespace tfprof
