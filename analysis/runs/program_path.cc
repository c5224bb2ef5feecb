// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/program_path.h"

#include <utility>

#include "analysis/runs/longest_chain.h"

namespace tfprof {
namespace {

// What an instruction waits for: its operands, the result of a computation that it calls, and as a
// parameter of that computation the operands of the call. Computations that several instructions
// call are left out: a path would come in from one and go out to another.
class ProgramEdges {
 public:
  explicit ProgramEdges(const Program& program) : program_(program) {
    callers_.resize(program.computations.size(), {Instruction::kNone, 0});
    for (uint32_t i = 0; i < program.instructions.size(); ++i) {
      for (const uint32_t called : program.References(program.instructions[i].called)) {
        if (called != Instruction::kNone) callers_[called] = {i, callers_[called].second + 1};
      }
    }
  }

  std::vector<uint32_t> InputsOf(uint32_t at) const {
    const Instruction& of = program_.instructions[at];
    std::vector<uint32_t> inputs;
    AddOperands(of, &inputs);
    for (const uint32_t called : program_.References(of.called)) {
      if (called == Instruction::kNone || callers_[called].second != 1) continue;
      const uint32_t root = program_.computations[called].root;
      if (root != Instruction::kNone) inputs.push_back(root);
    }
    const auto [caller, count] = callers_[of.computation];
    if (count == 1 && program_.Text(of.opcode) == "parameter") {
      AddOperands(program_.instructions[caller], &inputs);
    }
    return inputs;
  }

 private:
  void AddOperands(const Instruction& of, std::vector<uint32_t>* inputs) const {
    for (const uint32_t operand : program_.References(of.operands)) {
      if (operand != Instruction::kNone) inputs->push_back(operand);
    }
  }

  const Program& program_;
  std::vector<std::pair<uint32_t, uint32_t>> callers_;  // by computation: the last one, how many
};

}  // namespace

Result<std::vector<uint32_t>> PathOfProgram(const Program& program,
                                            const std::function<int64_t(uint32_t)>& time,
                                            Context& context) {
  const ProgramEdges edges(program);
  return LongestChain(
      {program.instructions.size(), time, [&](uint32_t at) { return edges.InputsOf(at); }},
      context);
}

}  // namespace tfprof
