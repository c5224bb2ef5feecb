// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/program_inputs.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr size_t kMaxVisits = 256;
constexpr size_t kNoPart = static_cast<size_t>(-1);

// A consumed result: the whole result of an instruction, or one element of its tuple.
struct ConsumedResult {
  uint32_t instruction;
  size_t part = kNoPart;
  bool operator==(const ConsumedResult&) const = default;
};

}  // namespace

std::vector<uint32_t> InputsOf(const Program& program, uint32_t instruction) {
  std::vector<ConsumedResult> seen, open;
  std::vector<uint32_t> found;
  const auto take = [&](const ConsumedResult& taken) {
    if (taken.instruction == Instruction::kNone || seen.size() >= kMaxVisits) return;
    if (std::ranges::find(seen, taken) != seen.end()) return;
    seen.push_back(taken);
    open.push_back(taken);
  };
  // Looks through instructions that move no data, to the result behind them.
  const auto look = [&](const ConsumedResult& taken) {
    const Instruction& of = program.instructions[taken.instruction];
    const std::string_view opcode = program.Text(of.opcode);
    const auto operands = program.References(of.operands);
    if (opcode == "constant") return;
    if (opcode == "get-tuple-element" && of.index >= 0 && !operands.empty()) {
      return take({operands[0], static_cast<size_t>(of.index)});
    }
    if (opcode == "bitcast" && !operands.empty()) return take({operands[0]});
    if (opcode == "tuple" && taken.part < operands.size()) return take({operands[taken.part]});
    if (opcode == "tuple") {
      for (size_t i = operands.size(); i-- > 0;) take({operands[i]});
    } else if (std::ranges::find(found, taken.instruction) == found.end()) {
      found.push_back(taken.instruction);
    }
  };
  for (const uint32_t operand : program.References(program.instructions[instruction].operands)) {
    take({operand});
    while (!open.empty()) {
      const ConsumedResult last = open.back();
      open.pop_back();
      look(last);
    }
  }
  return found;
}

}  // namespace tfprof
