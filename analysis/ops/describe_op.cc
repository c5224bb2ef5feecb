// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "analysis/flops/program.h"
#include "analysis/ops/device_ops.h"
#include "analysis/ops/event_ops.h"
#include "analysis/ops/links.h"
#include "analysis/programs.h"

namespace tfprof {

void KeepExecuted(std::vector<OpTime>* ops) {
  std::erase_if(*ops, [](const OpTime& op) { return op.occurrences == 0; });
  ops->shrink_to_fit();
}

OpTime DescribeOp(const EventOp& of, const CompiledPrograms& programs, const Measuring& measuring) {
  OpTime time;
  time.provenance = measuring.texts.Keep(of.provenance).text;
  time.of = of.of;
  if (!of.is_xla) return time;
  XlaOp& xla = measuring.instructions.emplace_back();
  time.xla = &xla;
  xla.program_id = of.program_id;
  xla.name = xla.expression = measuring.texts.Keep(of.hlo_name).text;
  time.over_links = MovesOverLinks({}, xla.name, {});
  if (measuring.IsExact()) xla.type = measuring.texts.Keep(DerivedType(xla.name)).text;
  if (of.instruction == Instruction::kNone) return time;
  const Program& program = programs.Of(of.module);
  const Instruction& instruction = program.instructions[of.instruction];
  if (measuring.IsExact()) xla.type = measuring.texts.Keep(program.Text(instruction.opcode)).text;
  xla.expression = measuring.texts.Keep(InstructionText(program, instruction)).text;
  xla.category = measuring.texts.Keep(CategoryOf(program, instruction)).text;
  time.over_links = MovesOverLinks(xla.category, xla.name, xla.expression);
  time.may_use_matrix_units = MayUseMatrixUnits(program, instruction);
  if (instruction.source_file.count > 0) {
    xla.source = measuring.texts
                     .Keep(std::string(program.Text(instruction.source_file)) + ":" +
                           std::to_string(instruction.source_line))
                     .text;
  }
  return time;
}

}  // namespace tfprof
