// SPDX-License-Identifier: Apache-2.0
#include "emitters/trace/args.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "emitters/cells.h"
#include "emitters/data/json_values.h"
#include "emitters/notes.h"

namespace tfprof {
namespace {

// Each member starts with a comma; a brace replaces the first one.
void AppendKey(std::string_view key, std::string* out) {
  out->append(",\"");
  out->append(key);
  out->append("\":");
}

void AppendText(std::string_view key, std::string_view text, std::string* out) {
  AppendKey(key, out);
  AppendJsonString(text, out);
}

void AppendBytes(std::string_view key, int64_t bytes, std::string* out) {
  if (bytes == 0 || bytes == kNoInt) return;
  AppendKey(key, out);
  AppendInteger(bytes, out);
}

ShapeRef ShapeOf(const Store& store, const Edge& edge) {
  if (!edge.producer.some()) return {};
  const Range shapes = store.nodes[edge.producer.value].output_shapes;
  for (const OutputShape& shape : store.output_shapes.Rows(shapes.first, shapes.count)) {
    if (shape.slot == edge.output_slot) return shape.shape;
  }
  return {};
}

void AppendShape(std::span<const int64_t> dims, std::string* out) {
  if (dims.empty()) out->push_back('1');
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) out->push_back('x');
    AppendInteger(dims[i], out);
  }
}

void AppendJsonReal(double value, std::string* out) {
  if (!std::isfinite(value)) return AppendJsonString(std::to_string(value), out);
  char digits[32];
  out->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// JSON readers parse numbers as doubles.
void AppendInteger64(uint64_t magnitude, bool negative, std::string* out) {
  const bool exact = magnitude <= uint64_t{1} << 53;
  if (!exact) out->push_back('"');
  if (negative) out->push_back('-');
  AppendInteger(magnitude, out);
  if (!exact) out->push_back('"');
}

void AppendDetail(const Detail& detail, std::string* out) {
  if (detail.kind == ValueKind::bytes || detail.kind == ValueKind::absent) return;
  out->push_back(',');
  AppendJsonString(detail.key, out);
  out->push_back(':');
  const bool negative = detail.kind == ValueKind::integer && static_cast<int64_t>(detail.bits) < 0;
  switch (detail.kind) {
    case ValueKind::text: return AppendJsonString(detail.text, out);
    case ValueKind::real: return AppendJsonReal(std::bit_cast<double>(detail.bits), out);
    default: return AppendInteger64(negative ? 0 - detail.bits : detail.bits, negative, out);
  }
}

}  // namespace

void TraceArgs::AppendShapes(const Node& node, std::string* out) const {
  bool any = false;
  for (const Edge& edge : store_.Inputs(node)) {
    const ShapeRef shape = ShapeOf(store_, edge);
    if (shape.rank < 0) continue;
    if (!any) AppendKey("input_shapes", out);
    out->append(any ? ", " : "\"");
    any = true;
    AppendInteger(edge.input_slot, out);
    out->push_back(':');
    AppendShape(store_.Dims(shape), out);
  }
  if (any) out->push_back('"');
}

void TraceArgs::AppendNode(const TraceSpan& span, std::string* out) const {
  const NodeId id = store_.labels[store_.events.label[span.event.value].value].node;
  if (!id.some()) return;
  const Node& node = store_.nodes[id.value];
  const std::string_view name = store_.Text(node.name);
  if (name != span.name) AppendText("node", name, out);
  const std::string_view type = store_.Text(node.type);
  if (type != name) {
    AppendText("op", type, out);
  } else if (const NameId kernel = KernelTypeOf(store_, id); kernel.some()) {
    AppendText("op", store_.Text(kernel), out);  // without a graph, the name is the type
  }
  AppendShapes(node, out);
}

void TraceArgs::AppendMemory(const ExecMemory& memory, std::string* out) const {
  AppendBytes("requested_bytes", memory.requested, out);
  AppendBytes("peak_bytes", memory.peak, out);
  AppendBytes("residual_bytes", memory.residual, out);
  AppendBytes("output_bytes", memory.output, out);
  AppendBytes("temp_bytes", memory.temp, out);
  AppendBytes("persistent_bytes", memory.persistent, out);
  AppendBytes("allocator_bytes_in_use", memory.in_use, out);
}

// If both have a key, JSON readers keep the last one: the event's.
Result<void> TraceArgs::AppendDetails(EventId event, std::string* out) {
  const LabelId label = store_.events.label[event.value];
  if (has_label_.empty()) {
    has_label_.resize(store_.labels.size());
    of_label_.resize(store_.labels.size());
  }
  if (!has_label_[label.value]) {
    has_label_[label.value] = true;
    TFPROF_ASSIGN(const std::vector<Detail> details, DetailsOf(store_, label));
    for (const Detail& detail : details) AppendDetail(detail, &of_label_[label.value]);
  }
  out->append(of_label_[label.value]);
  TFPROF_ASSIGN(const std::vector<Detail> details, DetailsOf(store_, event));
  for (const Detail& detail : details) AppendDetail(detail, out);
  return {};
}

Result<void> TraceArgs::AppendArgs(const TraceSpan& span, std::string* out) {
  constexpr std::string_view kArgs = ",\"args\":";
  out->append(kArgs);
  const size_t begin = out->size();
  if (span.step.some()) {
    AppendKey("step", out);
    AppendInteger(store_.steps[span.step.value].number, out);
  }
  if (span.event.some()) AppendNode(span, out);
  if (span.memory_row != TraceSpan::kNoMemory) {
    AppendMemory(store_.exec_memory[span.memory_row], out);
  }
  if (details_ && span.event.some()) TFPROF_TRY(AppendDetails(span.event, out));
  if (out->size() == begin) {
    out->resize(begin - kArgs.size());
    return {};
  }
  (*out)[begin] = '{';
  out->push_back('}');
  return {};
}

void TraceArgs::AppendOtherData(const Trace& trace, std::string* out) const {
  out->append("\"otherData\":{\"tool\":\"tfprof\",\"files\":");
  AppendJsonList(store_.sources, out, [&](const Source& s) { AppendJsonString(s.path, out); });
  // A string, since the number has more digits than a double.
  out->append(",\"wall_time_of_0_ns\":\"");
  AppendInteger(WrapAdd(trace.epoch_ns, trace.earliest_ps / kPsPerNs), out);
  out->append("\",\"notes\":");
  std::vector<Note> notes = store_.notes;
  notes.insert(notes.end(), trace.notes.begin(), trace.notes.end());
  AppendJsonList(notes, out, [&](const Note& note) { AppendJsonString(NoteText(note), out); });
  out->push_back('}');
}

}  // namespace tfprof
