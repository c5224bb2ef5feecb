// SPDX-License-Identifier: Apache-2.0
// Attributes of an instruction as XLA prints them: ", dimensions={0}, calls=%fused". Attributes
// that nothing here knows are kept as they are.
#include <algorithm>
#include <charconv>
#include <iterator>

#include "loaders/hlo/reading_text.h"

namespace tfprof::hlo {
namespace {

// Returns all integers in a text, whatever stands between them.
std::vector<int64_t> NumbersIn(std::string_view text) {
  std::vector<int64_t> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = after == at ? at + 1 : after;
  }
  return numbers;
}

int64_t FirstNumber(std::string_view text, int64_t otherwise) {
  const std::vector<int64_t> numbers = NumbersIn(text);
  return numbers.empty() ? otherwise : numbers.front();
}

// ---- windows: {size=3x3 stride=2x2 pad=0_1x0_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x0}

constexpr WindowDimension kPlainDimension = {1, 1, 0, 0, 1, 1, false};

void SetPart(std::string_view name, const std::vector<int64_t>& numbers, size_t dimension,
             WindowDimension* of) {
  const size_t per_dimension = name == "pad" ? 2 : 1;
  const size_t at = dimension * per_dimension;
  if (at + per_dimension > numbers.size()) return;
  if (name == "size") of->size = numbers[at];
  if (name == "stride") of->stride = numbers[at];
  if (name == "pad") of->padding_low = numbers[at], of->padding_high = numbers[at + 1];
  if (name == "lhs_dilate") of->base_dilation = numbers[at];
  if (name == "rhs_dilate") of->window_dilation = numbers[at];
  if (name == "rhs_reversal") of->reversed = numbers[at] != 0;
}

bool ReadWindowText(std::string_view value, ReadingText* reading, Instruction* instruction) {
  TextCursor text(value);
  if (!text.Take("{")) return false;
  std::vector<WindowDimension> window;
  text.SkipSpace();
  while (!text.Take("}")) {
    const std::string_view name = text.Name();
    if (name.empty() || !text.Take("=")) return false;
    const std::vector<int64_t> numbers = NumbersIn(text.Value(true));
    const size_t count = numbers.size() / (name == "pad" ? 2 : 1);
    if (window.size() < count) window.resize(count, kPlainDimension);
    for (size_t i = 0; i < count; ++i) SetPart(name, numbers, i, &window[i]);
    text.SkipSpace();
  }
  Program* program = reading->program();
  instruction->window = {Size(program->windows), Size(window)};
  program->windows.insert(program->windows.end(), window.begin(), window.end());
  return true;
}

// ---- convolutions: "bf01_oi01->bf01"

// Reads the labels of the dimensions of one array: two letters, and digits of spatial dimensions.
bool ReadLabels(std::string_view labels, std::string_view letters, int64_t* first, int64_t* second,
                Range* spatial, Program* program) {
  std::vector<int64_t> of_digit;
  for (size_t at = 0; at < labels.size(); ++at) {
    const auto dimension = static_cast<int64_t>(at);
    const char label = labels[at];
    if (label == letters[0]) {
      *first = dimension;
    } else if (label == letters[1]) {
      *second = dimension;
    } else if (label >= '0' && label <= '9') {
      const auto digit = static_cast<size_t>(label - '0');
      if (of_digit.size() <= digit) of_digit.resize(digit + 1, -1);
      of_digit[digit] = dimension;
    } else {
      return label == '?';
    }
  }
  *spatial = KeepNumbers(of_digit, program);
  return true;
}

bool ReadDimensionLabels(std::string_view value, ReadingText* reading, Instruction* instruction) {
  const size_t kernel = value.find('_'), output = value.find("->");
  if (kernel == value.npos || output == value.npos || output < kernel) return false;
  Program* program = reading->program();
  if (instruction->convolution != Instruction::kNone) return true;  // given twice
  instruction->convolution = Size(program->convolutions);
  ConvolutionDimensions of;
  const bool ok =
      ReadLabels(value.substr(0, kernel), "bf", &of.input_batch, &of.input_feature,
                 &of.input_spatial, program) &&
      ReadLabels(value.substr(kernel + 1, output - kernel - 1), "io", &of.kernel_input_feature,
                 &of.kernel_output_feature, &of.kernel_spatial, program) &&
      ReadLabels(value.substr(output + 2), "bf", &of.output_batch, &of.output_feature,
                 &of.output_spatial, program);
  program->convolutions.push_back(of);
  return ok;
}

// ---- other attributes

Range* DotList(std::string_view name, DotDimensions* dot) {
  if (name == "lhs_contracting_dims") return &dot->lhs_contracting;
  if (name == "rhs_contracting_dims") return &dot->rhs_contracting;
  if (name == "lhs_batch_dims") return &dot->lhs_batch;
  if (name == "rhs_batch_dims") return &dot->rhs_batch;
  return nullptr;
}

bool SetDotList(std::string_view name, std::string_view value, ReadingText* reading,
                Instruction* instruction) {
  DotDimensions unused;
  if (DotList(name, &unused) == nullptr) return false;
  Program* program = reading->program();
  if (instruction->dot == Instruction::kNone) {
    instruction->dot = Size(program->dots);
    program->dots.emplace_back();
  }
  *DotList(name, &program->dots[instruction->dot]) = KeepNumbers(NumbersIn(value), program);
  return true;
}

// {[0:4], [1:9:2]}: start, limit and stride of each dimension.
void SetSlices(std::string_view value, ReadingText* reading, Instruction* instruction) {
  std::vector<int64_t> slices;
  value = value.substr(value.find('{') + 1);
  while (!value.empty()) {
    std::vector<int64_t> numbers = NumbersIn(NextPart(&value));
    if (numbers.size() < 2) continue;
    numbers.resize(3, 1);
    slices.insert(slices.end(), numbers.begin(), numbers.end());
  }
  instruction->slices = KeepNumbers(slices, reading->program());
}

// metadata={op_type="T" op_name="N" source_file="F" source_line=3 stack_frame_id=4}
bool ReadMetadata(std::string_view value, ReadingText* reading, Instruction* instruction) {
  TextCursor text(value);
  if (!text.Take("{")) return false;
  text.SkipSpace();
  while (!text.Take("}")) {
    const std::string_view name = text.Name();
    if (name.empty() || !text.Take("=")) return false;
    const std::string_view of = text.Value(true);
    const auto keep = [&](Range* to) { *to = Keep(Unquoted(of), reading->program()); };
    if (name == "op_type") keep(&instruction->op_type);
    if (name == "op_name") keep(&instruction->op_name);
    if (name == "source_file") keep(&instruction->source_file);
    if (name == "source_line") instruction->source_line = static_cast<int32_t>(FirstNumber(of, 0));
    if (name == "stack_frame_id") reading->reading.pending.frames.back() = FirstNumber(of, 0);
    text.SkipSpace();
  }
  return true;
}

bool IsCall(std::string_view name) {
  constexpr std::string_view kCalls[] = {"body",
                                         "branch_computations",
                                         "called_computations",
                                         "calls",
                                         "condition",
                                         "scatter",
                                         "select",
                                         "true_computation",
                                         "to_apply",
                                         "false_computation",
                                         "comparator"};
  return std::ranges::find(kCalls, name) != std::end(kCalls);
}

// Adds the computations that a value names; false: it names none. The body of a loop stands before
// its condition, as in the serialized form.
bool AddCalled(std::string_view name, std::string_view value, ReadingText* reading,
               std::vector<int64_t>* called) {
  const bool is_list = value.starts_with('{');
  if (is_list && value.find('%') == value.npos && name != "branch_computations" &&
      name != "called_computations") {
    return false;
  }
  if (is_list) value = value.substr(1, value.size() - 2);
  const auto first = name == "body" ? called->begin() : called->end();
  std::vector<int64_t> ids;
  while (!value.empty()) {
    TextCursor part(NextPart(&value));
    const std::string_view of = part.Name();
    if (!of.empty()) ids.push_back(reading->IdOf(of));
  }
  called->insert(first, ids.begin(), ids.end());
  return true;
}

bool SetText(std::string_view name, std::string_view value, Program* program,
             Instruction* instruction) {
  const auto keep = [&](Range* to) {
    *to = Keep(Unquoted(value), program);
    return true;
  };
  if (name == "kind" && value.starts_with('k')) return keep(&instruction->fusion_kind);
  if (name == "custom_call_target") return keep(&instruction->target);
  if (name == "backend_config") return keep(&instruction->backend_config);
  if (name == "direction") return keep(&instruction->direction);
  return false;
}

bool SetNumbers(std::string_view name, std::string_view value, Program* program,
                Instruction* instruction) {
  if (name == "dimensions") {
    instruction->dimensions = KeepNumbers(NumbersIn(value), program);
  } else if (name == "index") {
    instruction->index = FirstNumber(value, 0);
  } else if (name == "feature_group_count") {
    instruction->feature_groups = FirstNumber(value, 1);
  } else if (name == "batch_group_count") {
    instruction->batch_groups = FirstNumber(value, 1);
  } else {
    return false;
  }
  return true;
}

enum class Known : uint8_t { no, yes, malformed };

Known SetAttribute(std::string_view name, std::string_view value, ReadingText* reading,
                   Instruction* instruction, std::vector<int64_t>* called) {
  const auto read = [](bool ok) { return ok ? Known::yes : Known::malformed; };
  if (name == "metadata") return read(ReadMetadata(value, reading, instruction));
  if (name == "window") return read(ReadWindowText(value, reading, instruction));
  if (name == "dim_labels") return read(ReadDimensionLabels(value, reading, instruction));
  if (name == "slice") {
    SetSlices(value, reading, instruction);
    return Known::yes;
  }
  const bool is_known = (IsCall(name) && AddCalled(name, value, reading, called)) ||
                        SetDotList(name, value, reading, instruction) ||
                        SetText(name, value, reading->program(), instruction) ||
                        SetNumbers(name, value, reading->program(), instruction);
  return is_known ? Known::yes : Known::no;
}

}  // namespace

std::string Unquoted(std::string_view value) {
  if (value.size() < 2 || value.front() != '"') return std::string(value);
  value = value.substr(1, value.size() - 2);
  std::string text;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\\' || i + 1 == value.size()) {
      text.push_back(value[i]);
      continue;
    }
    const char escaped = value[++i];
    text.push_back(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped);
  }
  return text;
}

bool ReadAttributes(ReadingText* reading, Instruction* instruction) {
  TextCursor& text = reading->text;
  std::string others;
  std::vector<int64_t> called;
  for (text.SkipBlanks(); text.Take(","); text.SkipBlanks()) {
    text.SkipSpace();
    const char* begin = text.place();
    const std::string_view name = text.Name();
    if (name.empty() || !text.Take("=")) return reading->Fails("an attribute needs NAME=VALUE");
    const std::string_view value = text.Value();
    if (value.data() == nullptr) return reading->Fails("an attribute does not end");
    switch (SetAttribute(name, value, reading, instruction, &called)) {
      case Known::yes: break;
      case Known::malformed: return reading->Fails("an attribute is malformed");
      case Known::no:
        others.append(", ");
        others.append(begin, static_cast<size_t>(value.data() + value.size() - begin));
    }
  }
  std::vector<int64_t>& references = reading->reading.references;
  instruction->called = {Size(references), Size(called)};
  references.insert(references.end(), called.begin(), called.end());
  instruction->attributes = Keep(others, reading->program());
  return true;
}

}  // namespace tfprof::hlo
