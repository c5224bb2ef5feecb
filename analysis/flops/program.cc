// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/program.h"

#include <algorithm>
#include <span>

#include "analysis/flops/fusion.h"
#include "analysis/flops/library_calls.h"
#include "analysis/flops/shapes.h"

namespace tfprof {
namespace {

// ---- products

// FLOPs of a matrix product: one multiplication and one addition per summed element. NaN if the
// dimensions in the file are inconsistent.
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

bool MayUseMatrixUnits(const Program& program, const Instruction& instruction) {
  constexpr std::string_view kMatrix[] = {"dot", "convolution", "custom-call"};
  const auto is_matrix = [&](const Instruction& of) {
    return IsOneOf(program.Text(of.opcode), kMatrix);
  };
  if (is_matrix(instruction)) return true;
  std::vector<bool> seen(program.computations.size());
  std::vector<Range> open{instruction.called};
  while (!open.empty()) {
    const auto called = program.References(open.back());
    open.pop_back();
    for (const uint32_t at : called) {
      if (at == Instruction::kNone || seen[at]) continue;
      seen[at] = true;
      const Range range = program.computations[at].instructions;
      for (uint32_t i = range.first; i < range.first + range.count; ++i) {
        if (is_matrix(program.instructions[i])) return true;
        if (program.instructions[i].called.count > 0) {
          open.push_back(program.instructions[i].called);
        }
      }
    }
  }
  return false;
}

ProgramCost::ProgramCost(const Program& program, LibraryCalls library_calls)
    : program_(program),
      library_calls_(library_calls),
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
  const bool is_library_call = opcode == "custom-call" && library_calls_ == LibraryCalls::by_shape;
  if (is_library_call) return LibraryCallFlops(program_, of);
  if (IsOneOf(opcode, kUnknownCost) || depth > kDeepest) return kNoReal;
  if (IsElementwise(opcode)) {
    const auto cycles = CyclesPerElement(opcode, program_.TypeOf(of).element);
    return static_cast<double>(cycles) * Elements(program_, of);
  }
  if (opcode == "dot") return DotFlops(program_, of);
  if (opcode == "convolution") return ConvolutionFlops(program_, of, Convolves::forward);
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
  if (opcode == "custom-call") return LibraryCallBytes(program_, instruction);
  if (opcode != "fusion") return PlainBytes(program_, instruction);
  const auto called = program_.References(instruction.called);
  if (called.empty() || called[0] == Instruction::kNone) return kNoReal;
  return FusionWrittenBytes(program_, instruction, called[0]) + FusedCost(called[0], 0).read_bytes;
}

}  // namespace tfprof
