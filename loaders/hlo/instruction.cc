// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/reading.h"
#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "proto/hlo_fields.h"

namespace tfprof::hlo {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

const char* ReadMetadata(std::string_view message, Reading* reading, Instruction* instruction) {
  using Metadata = field::OpMetadata;
  Program* program = reading->program;
  return wire::ReadMessage(
      message, wire::Each<Metadata::op_type>(KeepIn(&instruction->op_type, program)),
      wire::Each<Metadata::op_name>(KeepIn(&instruction->op_name, program)),
      wire::Each<Metadata::source_file>(KeepIn(&instruction->source_file, program)),
      wire::Number<Metadata::source_line>(&instruction->source_line),
      wire::Number<Metadata::stack_frame_id>(&reading->pending.frames.back()));
}

// Reads the three numbers of one dimension of a slice.
const char* ReadSlice(std::string_view message, Program* program, Range* slices) {
  using Slice = field::SliceDimension;
  int64_t slice[3] = {};
  const char* bad = wire::ReadMessage(message, wire::Number<Slice::start>(&slice[0]),
                                      wire::Number<Slice::limit>(&slice[1]),
                                      wire::Number<Slice::stride>(&slice[2]));
  const uint32_t next = Size(program->numbers);
  if (slices->After() != next) *slices = {next, 0};
  program->numbers.insert(program->numbers.end(), slice, slice + 3);
  slices->count += 3;
  return bad;
}

const char* ReadDetails(Fields& fields, Reading* reading, Instruction* instruction) {
  Program* program = reading->program;
  switch (fields.tag()) {
    case Tag(field::HloInstruction::shape, kBytes):
      return ReadType(fields.Bytes(), program, &instruction->type);
    case Tag(field::HloInstruction::metadata, kBytes):
      return ReadMetadata(fields.Bytes(), reading, instruction);
    case Tag(field::HloInstruction::window, kBytes):
      return ReadWindow(fields.Bytes(), program, &instruction->window);
    case Tag(field::HloInstruction::convolution_dimension_numbers, kBytes):
      instruction->convolution = Size(program->convolutions);
      return ReadConvolution(fields.Bytes(), program, &program->convolutions.emplace_back());
    case Tag(field::HloInstruction::slice_dimensions, kBytes):
      return ReadSlice(fields.Bytes(), program, &instruction->slices);
    case Tag(field::HloInstruction::dot_dimension_numbers, kBytes):
      instruction->dot = Size(program->dots);
      return ReadDot(fields.Bytes(), program, &program->dots.emplace_back());
    default: fields.Skip(); return nullptr;
  }
}

// Returns the text member for a field of an instruction; null if the field is not text.
Range* TextOf(uint32_t tag, Instruction* instruction) {
  switch (tag) {
    case Tag(field::HloInstruction::name, kBytes): return &instruction->name;
    case Tag(field::HloInstruction::opcode, kBytes): return &instruction->opcode;
    case Tag(field::HloInstruction::fusion_kind, kBytes): return &instruction->fusion_kind;
    case Tag(field::HloInstruction::custom_call_target, kBytes): return &instruction->target;
    case Tag(field::HloInstruction::backend_config, kBytes): return &instruction->backend_config;
    case Tag(field::HloInstruction::comparison_direction, kBytes): return &instruction->direction;
    default: return nullptr;
  }
}

int64_t* NumberOf(uint32_t tag, Reading* reading, Instruction* instruction) {
  switch (tag) {
    case Tag(field::HloInstruction::parameter_number, kVarint):  // of a parameter instruction
    case Tag(field::HloInstruction::tuple_index, kVarint):  // of a get-tuple-element instruction
      return &instruction->index;
    case Tag(field::HloInstruction::id, kVarint): return &reading->pending.instruction_ids.back();
    case Tag(field::HloInstruction::feature_group_count, kVarint):
      return &instruction->feature_groups;
    case Tag(field::HloInstruction::batch_group_count, kVarint): return &instruction->batch_groups;
    default: return nullptr;
  }
}

}  // namespace

const char* ReadInstruction(std::string_view message, Reading* reading) {
  Instruction instruction;
  instruction.computation = Size(reading->program->computations) - 1;
  instruction.type = Instruction::kNone;
  reading->pending.instruction_ids.push_back(0);
  reading->pending.frames.push_back(0);
  NumberList dimensions(&reading->program->numbers);
  NumberList operands(&reading->references), called(&reading->references);
  CustomCall custom_call;
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    if (Range* text = TextOf(fields.tag(), &instruction)) {
      *text = Keep(fields.Bytes(), reading->program);
    } else if (int64_t* number = NumberOf(fields.tag(), reading, &instruction)) {
      *number = fields.Int64();
    } else if (fields.Is(field::HloInstruction::dimensions)) {
      wire::TakeNumbers(fields, dimensions);
    } else if (fields.Is(field::HloInstruction::operand_ids)) {
      wire::TakeNumbers(fields, operands);
    } else if (fields.Is(field::HloInstruction::called_computation_ids)) {
      wire::TakeNumbers(fields, called);
    } else if (!custom_call.Read(fields, reading->program, &bad)) {
      bad = ReadDetails(fields, reading, &instruction);
    }
  }
  if (instruction.type == Instruction::kNone) {
    instruction.type = Size(reading->program->types);
    reading->program->types.emplace_back();
  }
  instruction.dimensions = dimensions.range();
  instruction.operands = operands.range();
  instruction.called = called.range();
  if (bad == nullptr && reading->program->Text(instruction.opcode) == "custom-call") {
    instruction.attributes = Keep(custom_call.Text(*reading->program), reading->program);
  }
  if (bad == nullptr && reading->program->instructions.size() >= reading->max_instructions) {
    bad = message.data();
  }
  reading->program->instructions.push_back(instruction);
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace tfprof::hlo
