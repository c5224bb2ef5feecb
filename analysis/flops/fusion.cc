// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/fusion.h"

#include <algorithm>
#include <cmath>

namespace tfprof {
namespace {

// Elementwise chains of one computation that end in one instruction; larger counts are capped.
constexpr size_t kMaxRoots = 256;

double Elements(const Program& program, uint32_t instruction) {
  if (instruction == Instruction::kNone) return 0;
  return static_cast<double>(
      ElementsOf(program, program.TypeOf(program.instructions[instruction])));
}

double Bytes(const Program& program, uint32_t instruction) {
  if (instruction == Instruction::kNone) return 0;
  return static_cast<double>(BytesOf(program, program.TypeOf(program.instructions[instruction])));
}

uint32_t OperandOf(const Program& program, const Instruction& of, size_t number) {
  const auto operands = program.References(of.operands);
  return number < operands.size() ? operands[number] : Instruction::kNone;
}

bool IsUpdate(const Program& program, uint32_t instruction) {
  return instruction != Instruction::kNone &&
         program.Text(program.instructions[instruction].opcode) == "dynamic-update-slice";
}

// Returns how much of operand `number` the instruction needs to produce its whole result.
double OperandUse(const Program& program, uint32_t at, size_t number, bool is_result) {
  const Instruction& of = program.instructions[at];
  const std::string_view opcode = program.Text(of.opcode);
  const double made = Elements(program, at);
  const double taken = Elements(program, OperandOf(program, of, number));
  if (taken == 0) return 0;
  if (opcode == "reduce") {
    // The second half of the operands are the initial values of reductions.
    const size_t inputs = program.References(of.operands).size() / 2;
    return number >= inputs ? made / std::max<double>(1, static_cast<double>(inputs)) : 1;
  }
  if (number > 0) return 1;
  if (opcode == "slice" || opcode == "dynamic-slice" || opcode == "gather") return made / taken;
  if (opcode == "dynamic-update-slice") {
    if (is_result) return 0;
    return (made - Elements(program, OperandOf(program, of, 1))) / std::max(1.0, made);
  }
  return 1;
}

// The instructions of a computation, consumers first: the uses of operands derive from the uses of
// their consumers.
struct Uses {
  const Program& program;
  Range range;
  uint32_t result;
  std::vector<double> of_root;  // uses that start at an instruction
  // the instructions where the uses of an instruction start
  std::vector<std::vector<uint32_t>> roots;

  void AddRoot(uint32_t at, uint32_t root) {
    std::vector<uint32_t>& known = roots[at - range.first];
    if (known.size() >= kMaxRoots) return;
    if (std::find(known.begin(), known.end(), root) == known.end()) known.push_back(root);
  }
  double Sum(uint32_t at) const {
    double sum = 0;
    for (const uint32_t root : roots[at - range.first]) sum += of_root[root - range.first];
    return sum;
  }
};

void PassToOperands(uint32_t at, double use, Uses* uses) {
  const Program& program = uses->program;
  const Instruction& of = program.instructions[at];
  const std::string_view opcode = program.Text(of.opcode);
  const bool passes = IsElementwise(opcode) || opcode == "tuple" || opcode == "get-tuple-element";
  const auto operands = program.References(of.operands);
  const std::vector<uint32_t> roots = uses->roots[at - uses->range.first];
  for (size_t i = 0; i < operands.size(); ++i) {
    const uint32_t operand = operands[i];
    // An operand after its consumer would be a cycle.
    if (operand == Instruction::kNone || operand >= at) continue;
    if (passes) {
      for (const uint32_t root : roots) uses->AddRoot(operand, root);
      continue;
    }
    uses->AddRoot(operand, operand);
    const double elements = Elements(program, operand);
    const double part = use * OperandUse(program, at, i, at == uses->result);
    // Elements are produced whole.
    if (elements > 0) {
      uses->of_root[operand - uses->range.first] += std::ceil(part * elements) / elements;
    }
  }
}

}  // namespace

std::vector<double> Utilizations(const Program& program, uint32_t computation) {
  const Range range = program.computations[computation].instructions;
  const uint32_t result = program.computations[computation].root;
  Uses uses{program, range, result, std::vector<double>(range.count),
            std::vector<std::vector<uint32_t>>(range.count)};
  std::vector<double> utilization(range.count);
  if (result == Instruction::kNone) return utilization;
  uses.of_root[result - range.first] = 1;
  uses.AddRoot(result, result);
  for (uint32_t i = range.count; i-- > 0;) {
    utilization[i] = uses.Sum(range.first + i);
    if (utilization[i] > 0) PassToOperands(range.first + i, utilization[i], &uses);
  }
  return utilization;
}

double FusionReadBytes(const Program& program, uint32_t computation,
                       const std::vector<double>& utilization) {
  constexpr double kSmallConstant = 8;  // elements; smaller constants are part of the code
  const Range range = program.computations[computation].instructions;
  double bytes = 0;
  for (uint32_t i = 0; i < range.count; ++i) {
    const uint32_t at = range.first + i;
    const std::string_view opcode = program.Text(program.instructions[at].opcode);
    const bool reads =
        opcode == "parameter" || (opcode == "constant" && Elements(program, at) > kSmallConstant);
    if (reads) bytes += std::floor(Bytes(program, at) * std::min(1.0, utilization[i]));
  }
  return bytes;
}

double FusionWrittenBytes(const Program& program, const Instruction& fusion, uint32_t computation) {
  const uint32_t result = program.computations[computation].root;
  const auto all = static_cast<double>(BytesOf(program, program.TypeOf(fusion)));
  if (result == Instruction::kNone) return all;
  const auto update_bytes = [&](uint32_t update) {
    return Bytes(program, OperandOf(program, program.instructions[update], 1));
  };
  if (IsUpdate(program, result)) return update_bytes(result);
  if (program.Text(program.instructions[result].opcode) != "tuple") return all;
  double bytes = 0;
  for (const uint32_t part : program.References(program.instructions[result].operands)) {
    bytes += IsUpdate(program, part) ? update_bytes(part) : Bytes(program, part);
  }
  return bytes;
}

double PlainBytes(const Program& program, const Instruction& of) {
  const std::string_view opcode = program.Text(of.opcode);
  const auto made = static_cast<double>(BytesOf(program, program.TypeOf(of)));
  const auto operand = [&](size_t i) { return Bytes(program, OperandOf(program, of, i)); };
  if (opcode == "slice") return 2 * made;
  if (opcode == "dynamic-slice" || opcode == "gather") return 2 * made + operand(1);
  if (opcode == "dynamic-update-slice") return 2 * operand(1) + operand(2);
  if (opcode == "scatter") return 3 * operand(2) + operand(1);
  double bytes = made;
  for (size_t i = 0; i < of.operands.count; ++i) bytes += operand(i);
  return bytes;
}

}  // namespace tfprof
