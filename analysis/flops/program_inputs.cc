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

// Looks through instructions that move no data, to the result behind them.
class Walk {
 public:
  explicit Walk(const Program& program) : program_(program) {}

  void Take(const ConsumedResult& taken) {
    if (taken.instruction == Instruction::kNone || seen_.size() >= kMaxVisits) return;
    if (std::find(seen_.begin(), seen_.end(), taken) != seen_.end()) return;
    seen_.push_back(taken);
    open_.push_back(taken);
  }
  // Looks through all consumed results, the last one first.
  void Finish() {
    while (!open_.empty()) {
      const ConsumedResult taken = open_.back();
      open_.pop_back();
      Step(taken);
    }
  }
  const std::vector<uint32_t>& found() const { return found_; }

 private:
  void Step(const ConsumedResult& taken) {
    const Instruction& of = program_.instructions[taken.instruction];
    const std::string_view opcode = program_.Text(of.opcode);
    const auto operands = program_.References(of.operands);
    if (opcode == "constant") return;
    if (opcode == "get-tuple-element" && of.index >= 0 && !operands.empty()) {
      return Take({operands[0], static_cast<size_t>(of.index)});
    }
    if (opcode == "bitcast" && !operands.empty()) return Take({operands[0]});
    if (opcode == "tuple" && taken.part < operands.size()) return Take({operands[taken.part]});
    if (opcode == "tuple") {
      for (size_t i = operands.size(); i-- > 0;) Take({operands[i]});
      return;
    }
    const bool known = std::find(found_.begin(), found_.end(), taken.instruction) != found_.end();
    if (!known) found_.push_back(taken.instruction);
  }

  const Program& program_;
  std::vector<ConsumedResult> seen_;
  std::vector<ConsumedResult> open_;
  std::vector<uint32_t> found_;
};

}  // namespace

std::vector<uint32_t> InputsOf(const Program& program, uint32_t instruction) {
  Walk walk(program);
  for (const uint32_t operand : program.References(program.instructions[instruction].operands)) {
    walk.Take({operand});
    walk.Finish();
  }
  return walk.found();
}

}  // namespace tfprof
