// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/program.h"

#include <algorithm>

#include "analysis/flops/contraction.h"
#include "analysis/flops/fusion.h"

namespace tfprof {
namespace {

constexpr int kDeepest = 50;  // computations in computations

// They move no data and compute nothing.
constexpr std::string_view kFree[] = {"parameter",    "constant",   "get-tuple-element", "bitcast",
                                      "tuple",        "after-all",  "add-dependency",    "domain",
                                      "partition-id", "replica-id", "opt-barrier"};
// What they cost depends on what they call, and how often.
constexpr std::string_view kUnknownCost[] = {
    "custom-call", "call", "while", "conditional", "async-start", "async-update", "async-done"};

template <size_t kSize>
bool IsOneOf(std::string_view opcode, const std::string_view (&list)[kSize]) {
  return std::find(std::begin(list), std::end(list), opcode) != std::end(list);
}

double Elements(const Program& program, const Instruction& instruction) {
  return static_cast<double>(ElementsOf(program, program.TypeOf(instruction)));
}

// How much less work operands of few bits are.
double DeviceShare(const Program& program, const Instruction& instruction) {
  int64_t most_bits = 0;
  for (const uint32_t operand : program.References(instruction.operands)) {
    if (operand == Instruction::kNone) continue;
    const TensorType& type = program.TypeOf(program.instructions[operand]);
    most_bits = std::max(most_bits, ElementBits(type.element));
  }
  return most_bits == 8 ? 0.5 : most_bits == 4 ? 0.25 : 1;
}

// Concatenations ask which operand an element comes from: dearer where those do not fill warps.
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
  const Range range = program_.computations[computation].instructions;
  for (uint32_t i = range.first; i < range.first + range.count; ++i) flops += Flops(i, depth);
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
