// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/reading.h"
#include "loaders/hlo/type.h"
#include "loaders/wire/wire.h"

namespace tfprof::hlo {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

const char* ReadMetadata(std::string_view message, Reading* reading, Instruction* instruction) {
  Program* program = reading->program;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        instruction->op_type = Keep(fields.Bytes(), program);
        break;
      case Tag(2, kBytes):
        instruction->op_name = Keep(fields.Bytes(), program);
        break;
      case Tag(3, kBytes):
        instruction->source_file = Keep(fields.Bytes(), program);
        break;
      case Tag(4, kVarint):
        instruction->source_line = fields.Int32();
        break;
      case Tag(15, kVarint):
        reading->pending.frames.back() = fields.Int64();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

// Appends ids of other instructions or computations, to be looked up later.
void TakeReferences(Fields& fields, Reading* reading, Range* range) {
  const uint32_t next = Size(reading->references);
  if (range->first + range->count != next) *range = {next, 0};
  if (fields.type() == kBytes) {
    wire::EachPacked(fields.Bytes(),
                     [&](uint64_t id) { reading->references.push_back(static_cast<int64_t>(id)); });
  } else if (fields.type() == kVarint) {
    reading->references.push_back(fields.Int64());
  } else {
    fields.Skip();
  }
  range->count = Size(reading->references) - range->first;
}

// The three numbers of one dimension of a slice.
const char* ReadSlice(std::string_view message, Program* program, Range* slices) {
  int64_t slice[3] = {};
  Fields fields(message);
  while (fields.Next()) {
    if (fields.type() == kVarint && fields.number() <= 3) {
      slice[fields.number() - 1] = fields.Int64();
    } else {
      fields.Skip();
    }
  }
  const uint32_t next = Size(program->numbers);
  if (slices->first + slices->count != next) *slices = {next, 0};
  program->numbers.insert(program->numbers.end(), slice, slice + 3);
  slices->count += 3;
  return fields.bad();
}

const char* ReadDetails(Fields& fields, Reading* reading, Instruction* instruction) {
  Program* program = reading->program;
  switch (fields.tag()) {
    case Tag(3, kBytes):
      return ReadType(fields.Bytes(), program, &instruction->type);
    case Tag(7, kBytes):
      return ReadMetadata(fields.Bytes(), reading, instruction);
    case Tag(15, kBytes):
      return ReadWindow(fields.Bytes(), program, &instruction->window);
    case Tag(16, kBytes):
      instruction->convolution = Size(program->convolutions);
      return ReadConvolution(fields.Bytes(), program, &program->convolutions.emplace_back());
    case Tag(17, kBytes):
      return ReadSlice(fields.Bytes(), program, &instruction->slices);
    case Tag(30, kBytes):
      instruction->dot = Size(program->dots);
      return ReadDot(fields.Bytes(), program, &program->dots.emplace_back());
    default:
      fields.Skip();
      return nullptr;
  }
}

// A text field of an instruction; null: it is another field.
Range* TextOf(uint32_t tag, Instruction* instruction) {
  switch (tag) {
    case Tag(1, kBytes):
      return &instruction->name;
    case Tag(2, kBytes):
      return &instruction->opcode;
    case Tag(11, kBytes):
      return &instruction->fusion_kind;
    case Tag(28, kBytes):
      return &instruction->target;
    case Tag(43, kBytes):
      return &instruction->backend_config;
    case Tag(63, kBytes):
      return &instruction->direction;
    default:
      return nullptr;
  }
}

int64_t* NumberOf(uint32_t tag, Reading* reading, Instruction* instruction) {
  switch (tag) {
    case Tag(9, kVarint):   // of a parameter
    case Tag(13, kVarint):  // of a part of a tuple
      return &instruction->index;
    case Tag(35, kVarint):
      return &reading->pending.instruction_ids.back();
    case Tag(50, kVarint):
      return &instruction->feature_groups;
    case Tag(58, kVarint):
      return &instruction->batch_groups;
    default:
      return nullptr;
  }
}

}  // namespace

const char* ReadInstruction(std::string_view message, Reading* reading) {
  Instruction instruction;
  instruction.computation = Size(reading->program->computations) - 1;
  instruction.type = Instruction::kNone;
  reading->pending.instruction_ids.push_back(0);
  reading->pending.frames.push_back(0);
  NumberList dimensions(reading->program);
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    if (Range* text = TextOf(fields.tag(), &instruction)) {
      *text = Keep(fields.Bytes(), reading->program);
    } else if (int64_t* number = NumberOf(fields.tag(), reading, &instruction)) {
      *number = fields.Int64();
    } else if (fields.number() == 14) {
      dimensions.Take(fields);
    } else if (fields.number() == 36) {
      TakeReferences(fields, reading, &instruction.operands);
    } else if (fields.number() == 38) {
      TakeReferences(fields, reading, &instruction.called);
    } else {
      bad = ReadDetails(fields, reading, &instruction);
    }
  }
  if (instruction.type == Instruction::kNone) {
    instruction.type = Size(reading->program->types);
    reading->program->types.emplace_back();
  }
  instruction.dimensions = dimensions.range();
  if (bad == nullptr && reading->program->instructions.size() >= reading->most_instructions) {
    bad = message.data();
  }
  reading->program->instructions.push_back(instruction);
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace tfprof::hlo
