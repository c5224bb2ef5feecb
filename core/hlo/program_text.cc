// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "core/hlo/program.h"
#include "core/text/append_format.h"

namespace tfprof {
namespace {

// Appends "1,2,3".
void AppendNumbers(std::span<const int64_t> numbers, std::string* out, char separator = ',') {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out->push_back(separator);
    AppendFormat(out, "{}", numbers[i]);
  }
}

// Appends the separator before item number `next`: ", ", and in long lists also an index, ",
// /*index=5*/".
void AppendSeparator(size_t next, std::string* out) {
  constexpr size_t kEach = 5;
  if (next == 0) return;
  out->append(", ");
  if (next % kEach == 0) AppendFormat(out, "/*index={}*/", next);
}

void AppendLayout(const Program& program, const TensorType& type, std::string* out) {
  const bool is_plain = type.tiles.count == 0 && type.memory_space == 0;
  if (!type.has_layout || (type.minor_to_major.count == 0 && is_plain)) return;
  out->push_back('{');
  AppendNumbers(program.Numbers(type.minor_to_major), out);
  if (!is_plain) out->push_back(':');
  for (uint32_t i = 0; i < type.tiles.count; ++i) {
    out->append(i == 0 ? "T(" : "(");
    AppendNumbers(program.Numbers(program.tiles[type.tiles.first + i]), out);
    out->push_back(')');
  }
  if (type.memory_space != 0) AppendFormat(out, "S({})", type.memory_space);
  out->push_back('}');
}

void AppendArray(const Program& program, const TensorType& type, std::string* out) {
  out->append(ElementName(type.element));
  const bool has_dims = ElementBits(type.element) > 0;
  if (!has_dims) {
    if (type.element == ElementType::token || type.element == ElementType::opaque) {
      out->append("[]");
    }
    return;
  }
  out->push_back('[');
  const auto is_dynamic = program.Numbers(type.is_dynamic);
  const auto dims = program.Numbers(type.dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (i < is_dynamic.size() && is_dynamic[i] != 0) out->append("<=");
    AppendFormat(out, "{}", dims[i]);
  }
  out->push_back(']');
  AppendLayout(program, type, out);
}

std::string_view NameOf(const Program& program, uint32_t instruction) {
  if (instruction == Instruction::kNone) return "?";
  return program.Text(program.instructions[instruction].name);
}

void AppendOperands(const Program& program, const Instruction& instruction, std::string* out) {
  const std::string_view opcode = program.Text(instruction.opcode);
  out->push_back('(');
  if (opcode == "parameter") AppendFormat(out, "{}", instruction.index);
  if (opcode == "constant") {
    const std::string_view literal = program.Text(instruction.literal);
    out->append(literal.empty() ? "{...}" : literal);
  }
  size_t number = 0;
  for (const uint32_t operand : program.References(instruction.operands)) {
    AppendSeparator(number++, out);
    if (operand != Instruction::kNone) {
      AppendType(program, program.TypeOf(program.instructions[operand]), out);
      out->push_back(' ');
    }
    AppendFormat(out, "%{}", NameOf(program, operand));
  }
  out->push_back(')');
}

// Appends ", NAME={1,2}"; nothing without numbers.
void AppendList(const Program& program, std::string_view name, Range numbers, std::string* out) {
  if (numbers.count == 0) return;
  AppendFormat(out, ", {}={{", name);
  AppendNumbers(program.Numbers(numbers), out);
  out->push_back('}');
}

// Appends " NAME=1x2x3" of a window, unless all of its dimensions have the default.
template <class Of>
void AppendWindowPart(std::span<const WindowDimension> window, std::string_view name,
                      std::string_view plain, const Of& of, std::string* out) {
  std::string text;
  bool is_plain = true;
  for (const WindowDimension& dimension : window) {
    const std::string one = of(dimension);
    is_plain &= one == plain;
    text += (text.empty() ? "" : "x") + one;
  }
  if (is_plain) return;
  AppendFormat(out, "{}{}={}", out->back() == '{' ? "" : " ", name, text);
}

void AppendWindow(const Program& program, Range windows, std::string* out) {
  if (windows.count == 0) return;
  const auto window = std::span(program.windows).subspan(windows.first, windows.count);
  using Dimension = const WindowDimension&;
  out->append(", window={");
  AppendWindowPart(
      window, "size", "", [](Dimension d) { return fmt::to_string(d.size); }, out);
  AppendWindowPart(
      window, "stride", "1", [](Dimension d) { return fmt::to_string(d.stride); }, out);
  AppendWindowPart(
      window, "pad", "0_0",
      [](Dimension d) { return fmt::format("{}_{}", d.padding_low, d.padding_high); }, out);
  AppendWindowPart(
      window, "lhs_dilate", "1", [](Dimension d) { return fmt::to_string(d.base_dilation); }, out);
  AppendWindowPart(
      window, "rhs_dilate", "1", [](Dimension d) { return fmt::to_string(d.window_dilation); },
      out);
  AppendWindowPart(
      window, "rhs_reversal", "0", [](Dimension d) { return std::string(d.reversed ? "1" : "0"); },
      out);
  out->push_back('}');
}

// Appends "bf01": a label per dimension. Numbers out of range leave a "?".
void AppendLabels(std::span<const int64_t> spatial, int64_t first, char first_label, int64_t second,
                  char second_label, std::string* out) {
  std::string labels(spatial.size() + 2, '?');
  const auto put = [&](int64_t at, char label) {
    if (at >= 0 && static_cast<size_t>(at) < labels.size()) labels[static_cast<size_t>(at)] = label;
  };
  put(first, first_label);
  put(second, second_label);
  for (size_t i = 0; i < spatial.size() && i < 10; ++i) put(spatial[i], static_cast<char>('0' + i));
  out->append(labels);
}

void AppendConvolution(const Program& program, const Instruction& instruction, std::string* out) {
  if (instruction.convolution == Instruction::kNone) return;
  const ConvolutionDimensions& of = program.convolutions[instruction.convolution];
  out->append(", dim_labels=");
  AppendLabels(program.Numbers(of.input_spatial), of.input_batch, 'b', of.input_feature, 'f', out);
  out->push_back('_');
  AppendLabels(program.Numbers(of.kernel_spatial), of.kernel_input_feature, 'i',
               of.kernel_output_feature, 'o', out);
  out->append("->");
  AppendLabels(program.Numbers(of.output_spatial), of.output_batch, 'b', of.output_feature, 'f',
               out);
  if (instruction.feature_groups > 1) {
    AppendFormat(out, ", feature_group_count={}", instruction.feature_groups);
  }
  if (instruction.batch_groups > 1) {
    AppendFormat(out, ", batch_group_count={}", instruction.batch_groups);
  }
}

void AppendSlices(const Program& program, Range slices, std::string* out) {
  if (slices.count == 0) return;
  const auto numbers = program.Numbers(slices);
  bool strides = false;
  for (size_t i = 2; i < numbers.size(); i += 3) strides |= numbers[i] != 1;
  out->append(", slice={");
  for (size_t i = 0; i + 2 < numbers.size(); i += 3) {
    out->append(i == 0 ? "[" : ", [");
    AppendNumbers(numbers.subspan(i, strides ? 3 : 2), out, ':');
    out->push_back(']');
  }
  out->push_back('}');
}

void AppendCalled(const Program& program, const Instruction& instruction, std::string* out) {
  const std::string_view opcode = program.Text(instruction.opcode);
  const auto called = program.References(instruction.called);
  const auto name = [&](size_t i) {
    return called[i] == Instruction::kNone ? std::string_view("?")
                                           : program.Text(program.computations[called[i]].name);
  };
  if (opcode == "while" && called.size() == 2) {
    AppendFormat(out, ", condition=%{}, body=%{}", name(1), name(0));
    return;
  }
  if (opcode == "custom-call" && !called.empty()) {
    out->append(", called_computations={");
    for (size_t i = 0; i < called.size(); ++i) {
      fmt::format_to(std::back_inserter(*out), "{}%{}", i == 0 ? "" : ", ", name(i));
    }
    out->push_back('}');
    return;
  }
  const std::string_view key = opcode == "fusion" || opcode == "async-start" ? "calls" : "to_apply";
  for (size_t i = 0; i < called.size(); ++i) {
    AppendFormat(out, ", {}=%{}", key, name(i));
  }
}

void AppendAttributes(const Program& program, const Instruction& instruction, std::string* out) {
  const std::string_view opcode = program.Text(instruction.opcode);
  const auto add = [&](std::string_view name, Range text, std::string_view quote) {
    if (text.count == 0) return;
    AppendFormat(out, ", {}={}{}{}", name, quote, program.Text(text), quote);
  };
  if (opcode == "get-tuple-element") {
    AppendFormat(out, ", index={}", instruction.index);
  }
  if (opcode == "broadcast" && instruction.dimensions.count == 0) out->append(", dimensions={}");
  AppendList(program, "dimensions", instruction.dimensions, out);
  AppendSlices(program, instruction.slices, out);
  AppendWindow(program, instruction.window, out);
  AppendConvolution(program, instruction, out);
  if (instruction.dot != Instruction::kNone) {
    const DotDimensions& dot = program.dots[instruction.dot];
    AppendList(program, "lhs_batch_dims", dot.lhs_batch, out);
    AppendList(program, "lhs_contracting_dims", dot.lhs_contracting, out);
    AppendList(program, "rhs_batch_dims", dot.rhs_batch, out);
    AppendList(program, "rhs_contracting_dims", dot.rhs_contracting, out);
  }
  add("direction", instruction.direction, "");
  add("kind", instruction.fusion_kind, "");
  // XLA prints what a custom call runs behind everything else.
  const bool is_custom_call = opcode == "custom-call";
  if (!is_custom_call) AppendCalled(program, instruction, out);
  add("custom_call_target", instruction.target, "\"");
  out->append(program.Text(instruction.attributes));
  if (is_custom_call) AppendCalled(program, instruction, out);
}

}  // namespace

void AppendType(const Program& program, const TensorType& type, std::string* out) {
  if (type.element != ElementType::tuple) return AppendArray(program, type, out);
  struct Open {
    Range parts;
    uint32_t next;
  };
  std::vector<Open> open{{type.parts, 0}};
  out->push_back('(');
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == top.parts.count) {
      out->push_back(')');
      open.pop_back();
      continue;
    }
    AppendSeparator(top.next, out);
    const TensorType& part = program.types[top.parts.first + top.next++];
    if (part.element == ElementType::tuple) {
      out->push_back('(');
      open.push_back({part.parts, 0});
    } else {
      AppendArray(program, part, out);
    }
  }
}

std::string InstructionText(const Program& program, const Instruction& instruction) {
  std::string text = fmt::format("%{} = ", program.Text(instruction.name));
  AppendType(program, program.TypeOf(instruction), &text);
  text.push_back(' ');
  text.append(program.Text(instruction.opcode));
  AppendOperands(program, instruction, &text);
  AppendAttributes(program, instruction, &text);
  return text;
}

}  // namespace tfprof
