// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "views/ops/device_ops.h"
#include "views/ops/event_ops.h"
#include "views/programs.h"

namespace tfprof {

OpTime DescribeOp(const EventOp& of, const CompiledPrograms& programs, const Measuring& measuring) {
  OpTime time;
  time.provenance = measuring.Keep(of.provenance);
  time.op = ParseOpName(time.provenance);
  time.is_xla = of.is_xla;
  if (!of.is_xla) return time;
  time.program_id = of.program_id;
  time.hlo_name = time.expression = measuring.Keep(of.hlo_name);
  if (of.instruction == Instruction::kNone) return time;
  const Program& program = programs.Of(of.module);
  const Instruction& instruction = program.instructions[of.instruction];
  time.expression = measuring.Keep(InstructionText(program, instruction));
  time.category = measuring.Keep(CategoryOf(program, instruction));
  if (instruction.source_file.count > 0) {
    time.source = measuring.Keep(std::string(program.Text(instruction.source_file)) + ":" +
                                 std::to_string(instruction.source_line));
  }
  return time;
}

}  // namespace tfprof
