// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/hlo/program.h"

namespace tfprof {
namespace {

// Opcodes whose result elements depend on one element of each operand. Sorted.
constexpr std::string_view kElementwise[] = {
    "abs",
    "add",
    "and",
    "atan2",
    "bitcast-convert",
    "cbrt",
    "ceil",
    "clamp",
    "compare",
    "complex",
    "convert",
    "copy",
    "cosine",
    "count-leading-zeros",
    "divide",
    "erf",
    "exponential",
    "exponential-minus-one",
    "floor",
    "imag",
    "is-finite",
    "log",
    "log-plus-one",
    "logistic",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "popcnt",
    "power",
    "real",
    "reduce-precision",
    "remainder",
    "round-nearest-afz",
    "round-nearest-even",
    "rsqrt",
    "select",
    "shift-left",
    "shift-right-arithmetic",
    "shift-right-logical",
    "sign",
    "sine",
    "sqrt",
    "stochastic-convert",
    "subtract",
    "tan",
    "tanh",
    "xor",
};

std::string FusionCategory(std::string_view kind) {
  if (kind == "kLoop") return "loop fusion";
  if (kind == "kInput") return "input fusion";
  if (kind == "kOutput") return "output fusion";
  if (kind == "kCustom") return "custom fusion";
  return "fusion";
}

std::string ConvolutionCategory(std::span<const WindowDimension> window) {
  std::string category = "convolution";
  const auto any = [&](auto is) { return std::any_of(window.begin(), window.end(), is); };
  if (any([](const WindowDimension& d) { return d.base_dilation != 1; })) {
    category += " base-dilated";
  }
  if (any([](const WindowDimension& d) { return d.window_dilation != 1; })) {
    category += " window-dilated";
  }
  return category;
}

}  // namespace

bool IsElementwise(std::string_view opcode) {
  return std::binary_search(std::begin(kElementwise), std::end(kElementwise), opcode);
}

std::string CategoryOf(const Program& program, const Instruction& instruction) {
  const std::string_view opcode = program.Text(instruction.opcode);
  if (opcode == "transpose" || opcode == "copy" || opcode == "reshape" ||
      opcode == "dynamic-reshape") {
    return "data formatting";
  }
  if (opcode == "convolution") {
    const Range window = instruction.window;
    return ConvolutionCategory(std::span(program.windows).subspan(window.first, window.count));
  }
  if (opcode == "fusion") return FusionCategory(program.Text(instruction.fusion_kind));
  if (IsElementwise(opcode)) return "non-fusion elementwise";
  return std::string(opcode);
}

}  // namespace tfprof
