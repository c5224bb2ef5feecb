// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/program.h"

#include <algorithm>
#include <span>

#include "analysis/flops/fusion.h"

namespace tfprof {
namespace {

// ---- products and convolutions
// -------------------------------------------------------------------

constexpr double kFlopsOfMultiplyAdd = 2;

// Returns the type of an operand, or of the first element of its tuple; null: there is none.
const TensorType* OperandType(const Program& program, const Instruction& of, size_t number) {
  const auto operands = program.References(of.operands);
  if (number >= operands.size() || operands[number] == Instruction::kNone) return nullptr;
  return &program.TypeOf(program.instructions[operands[number]]);
}

const TensorType& FirstPart(const Program& program, const TensorType& type) {
  const bool is_tuple = type.element == ElementType::tuple && type.parts.count > 0;
  return is_tuple ? program.Parts(type)[0] : type;
}

double Elements(const Program& program, const TensorType& type) {
  return static_cast<double>(ElementsOf(program, type));
}

// Returns a dimension of a type; -1: the type has no such dimension.
int64_t Dimension(const Program& program, const TensorType& type, int64_t number) {
  const auto dims = program.Numbers(type.dims);
  if (number < 0 || static_cast<size_t>(number) >= dims.size()) return -1;
  return dims[static_cast<size_t>(number)];
}

// Counts the pairs of a kernel position and an output position whose window position lies in the
// input. NaN if there are too many pairs to check each.
double ValidPositions(const WindowDimension& window, int64_t input, int64_t kernel,
                      int64_t output) {
  constexpr int64_t kMaxPairs = int64_t{1} << 24;
  const int64_t dilation = std::max<int64_t>(1, window.base_dilation);
  const int64_t stride = std::max<int64_t>(1, window.stride);
  if (kernel <= 0 || output <= 0) return 0;
  if (kernel > kMaxPairs / output) return kNoReal;
  double positions = 0;
  for (int64_t k = 0; k < kernel; ++k) {
    const __int128 at = static_cast<__int128>(k) * window.window_dilation - window.padding_low;
    for (int64_t o = 0; o < output; ++o) {
      const __int128 undilated = at + static_cast<__int128>(o) * stride;
      if (undilated < 0) continue;
      if (undilated / dilation >= input) break;
      positions += undilated % dilation == 0;
    }
  }
  return positions;
}

// FLOPs of matrix products and convolutions: one multiplication and one addition per summed
// element. NaN if the dimensions in the file are inconsistent.
double DotFlops(const Program& program, const Instruction& dot) {
  const TensorType* left = OperandType(program, dot, 0);
  if (left == nullptr || dot.dot == Instruction::kNone) return kNoReal;
  double summed = 1;
  for (const int64_t dim : program.Numbers(program.dots[dot.dot].lhs_contracting)) {
    const int64_t size = Dimension(program, *left, dim);
    if (size < 0) return kNoReal;
    summed *= static_cast<double>(size);
  }
  return kFlopsOfMultiplyAdd * Elements(program, program.TypeOf(dot)) * summed;
}

double ConvolutionFlops(const Program& program, const Instruction& of) {
  const TensorType* input = OperandType(program, of, 0);
  const TensorType* kernel = OperandType(program, of, 1);
  if (input == nullptr || kernel == nullptr || of.convolution == Instruction::kNone) {
    return kNoReal;
  }
  const TensorType& output = FirstPart(program, program.TypeOf(of));
  const ConvolutionDimensions& dims = program.convolutions[of.convolution];
  const auto inputs = program.Numbers(dims.input_spatial);
  const auto kernels = program.Numbers(dims.kernel_spatial);
  const auto outputs = program.Numbers(dims.output_spatial);
  const size_t spatial = of.window.count;
  if (inputs.size() < spatial || kernels.size() < spatial || outputs.size() < spatial) {
    return kNoReal;
  }
  double positions = 1;
  for (size_t i = 0; i < spatial; ++i) {
    positions *= ValidPositions(
        program.windows[of.window.first + i], Dimension(program, *input, inputs[i]),
        Dimension(program, *kernel, kernels[i]), Dimension(program, output, outputs[i]));
  }
  const int64_t features = Dimension(program, *input, dims.input_feature);
  const int64_t batch = Dimension(program, *input, dims.input_batch);
  const int64_t made = Dimension(program, output, dims.output_feature);
  if (features < 0 || batch < 0 || made < 0) return kNoReal;
  return kFlopsOfMultiplyAdd * positions * static_cast<double>(made) *
         static_cast<double>(features / std::max<int64_t>(1, of.feature_groups)) *
         static_cast<double>(batch / std::max<int64_t>(1, of.batch_groups));
}

// Returns how often an instruction runs the computation that it calls per element; a reduction: its
// input elements minus its result elements. 0: other instructions.
double TimesCalled(const Program& program, const Instruction& of) {
  const std::string_view opcode = program.Text(of.opcode);
  const TensorType* input = OperandType(program, of, 0);
  const double made = Elements(program, FirstPart(program, program.TypeOf(of)));
  if (input == nullptr) return 0;
  if (opcode == "reduce") return std::max(0.0, Elements(program, *input) - made);
  if (opcode == "map" || opcode == "all-reduce" || opcode == "reduce-scatter") return made;
  if (opcode == "reduce-window") {
    double window = 1;
    for (const uint32_t i : of.window) window *= static_cast<double>(program.windows[i].size);
    return std::max(0.0, window - 1) * made;
  }
  if (opcode == "scatter") {
    const TensorType* updates = OperandType(program, of, 2);
    return updates == nullptr ? 0 : Elements(program, *updates);
  }
  return 0;
}

// ---- instructions -------------------------------------------------------------------------------

constexpr int kDeepest = 50;  // nesting depth of computations

// Instructions that move no data and compute nothing.
constexpr std::string_view kFree[] = {"parameter",    "constant",   "get-tuple-element", "bitcast",
                                      "tuple",        "after-all",  "add-dependency",    "domain",
                                      "partition-id", "replica-id", "opt-barrier"};
// Instructions whose cost depends on the computation that they call, and how often.
constexpr std::string_view kUnknownCost[] = {
    "custom-call", "call", "while", "conditional", "async-start", "async-update", "async-done"};

bool IsOneOf(std::string_view opcode, std::span<const std::string_view> list) {
  return std::ranges::find(list, opcode) != list.end();
}

double Elements(const Program& program, const Instruction& instruction) {
  return static_cast<double>(ElementsOf(program, program.TypeOf(instruction)));
}

// Returns how much less work operands of few bits need.
double DeviceShare(const Program& program, const Instruction& instruction) {
  int64_t max_bits = 0;
  for (const uint32_t operand : program.References(instruction.operands)) {
    if (operand == Instruction::kNone) continue;
    const TensorType& type = program.TypeOf(program.instructions[operand]);
    max_bits = std::max(max_bits, ElementBits(type.element));
  }
  return max_bits == 8 ? 0.5 : max_bits == 4 ? 0.25 : 1;
}

// A concatenation selects an operand per element, which costs more where operands do not fill
// warps.
double ConcatenateFlops(const Program& program, const Instruction& instruction) {
  constexpr int64_t kWarp = 32;
  const double elements = Elements(program, instruction);
  const auto dims = program.Numbers(instruction.dimensions);
  if (dims.empty() || dims[0] <= 0) return 6 * elements;
  for (const uint32_t operand : program.References(instruction.operands)) {
    if (operand == Instruction::kNone) continue;
    const auto of = program.Numbers(program.TypeOf(program.instructions[operand]).dims);
    const auto dim = static_cast<size_t>(dims[0]);
    if (dim < of.size() && of[dim] % kWarp != 0) return 400 * elements;
  }
  return 6 * elements;
}

}  // namespace

ProgramCost::ProgramCost(const Program& program)
    : program_(program),
      bodies_(program.computations.size()),
      fused_(program.computations.size()) {}

Cost ProgramCost::Of(uint32_t at) {
  const Instruction& instruction = program_.instructions[at];
  Cost cost;
  cost.flops = Flops(at, 0);
  cost.device_flops = cost.flops * DeviceShare(program_, instruction);
  if (cost.flops == cost.flops) cost.bytes = Bytes(instruction);
  return cost;
}

double ProgramCost::Flops(uint32_t at, int depth) {
  const Instruction& of = program_.instructions[at];
  const std::string_view opcode = program_.Text(of.opcode);
  if (IsOneOf(opcode, kFree) || opcode == "copy") return 0;
  if (IsOneOf(opcode, kUnknownCost) || depth > kDeepest) return kNoReal;
  if (IsElementwise(opcode)) {
    const auto cycles = CyclesPerElement(opcode, program_.TypeOf(of).element);
    return static_cast<double>(cycles) * Elements(program_, of);
  }
  if (opcode == "dot") return DotFlops(program_, of);
  if (opcode == "convolution") return ConvolutionFlops(program_, of);
  if (opcode == "concatenate") return ConcatenateFlops(program_, of);
  const auto called = program_.References(of.called);
  if (called.empty() || called[0] == Instruction::kNone) return called.empty() ? 0 : kNoReal;
  if (opcode == "fusion") return FusedCost(called[0], depth + 1).flops;
  const double times = TimesCalled(program_, of);
  return times == 0 ? 0 : times * BodyFlops(called[0], depth + 1);
}

double ProgramCost::BodyFlops(uint32_t computation, int depth) {
  Body& body = bodies_[computation];
  if (body.known) return body.flops;
  if (body.busy) return kNoReal;
  body.busy = true;
  double flops = 0;
  for (const uint32_t i : program_.computations[computation].instructions) flops += Flops(i, depth);
  body = {true, false, flops};
  return flops;
}

ProgramCost::Fused ProgramCost::FusedCost(uint32_t computation, int depth) {
  Fused& fused = fused_[computation];
  if (fused.known) return fused;
  if (bodies_[computation].busy) return {false, kNoReal, kNoReal};
  bodies_[computation].busy = true;
  const std::vector<double> utilization = Utilizations(program_, computation);
  const Range range = program_.computations[computation].instructions;
  Fused made{true, 0, FusionReadBytes(program_, computation, utilization)};
  for (uint32_t i = 0; i < range.count; ++i) {
    if (utilization[i] > 0) made.flops += utilization[i] * Flops(range.first + i, depth);
  }
  bodies_[computation].busy = false;
  fused = made;
  return made;
}

double ProgramCost::Bytes(const Instruction& instruction) {
  const std::string_view opcode = program_.Text(instruction.opcode);
  if (IsOneOf(opcode, kFree)) return 0;
  if (opcode != "fusion") return PlainBytes(program_, instruction);
  const auto called = program_.References(instruction.called);
  if (called.empty() || called[0] == Instruction::kNone) return kNoReal;
  return FusionWrittenBytes(program_, instruction, called[0]) + FusedCost(called[0], 0).read_bytes;
}

}  // namespace tfprof
