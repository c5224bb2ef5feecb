// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/hlo.h"

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

const char* ReadFrameTables(std::string_view message, Program* program, FrameTables* tables) {
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::StackFrameIndex::file_names, kBytes):
        tables->files.push_back(Keep(fields.Bytes(), program));
        break;
      case Tag(field::StackFrameIndex::file_locations, kBytes): {
        FrameTables::Location& location = tables->locations.emplace_back();
        bad = wire::ReadMessage(
            fields.Bytes(),
            wire::Number<field::StackFrameIndex_FileLocation::file_name_id>(&location.file),
            wire::Number<field::StackFrameIndex_FileLocation::line>(&location.line));
        break;
      }
      case Tag(field::StackFrameIndex::stack_frames, kBytes):
        bad = wire::ReadMessage(fields.Bytes(),
                                wire::Number<field::StackFrameIndex_StackFrame::file_location_id>(
                                    &tables->location_of_frame.emplace_back()));
        break;
      default: fields.Skip();
    }
  }
  return bad != nullptr ? bad : fields.bad();
}

const char* ReadComputation(std::string_view message, Reading* reading) {
  Program* program = reading->program;
  const uint32_t at = Size(program->computations);
  const uint32_t first = Size(program->instructions);
  program->computations.emplace_back();
  reading->pending.computation_ids.push_back(0);
  reading->pending.root_ids.push_back(0);
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::HloComputation::name, kBytes):
        program->computations[at].name = Keep(fields.Bytes(), program);
        break;
      case Tag(field::HloComputation::instructions, kBytes):
        bad = ReadInstruction(fields.Bytes(), reading);
        break;
      case Tag(field::HloComputation::id, kVarint):
        reading->pending.computation_ids[at] = fields.Int64();
        break;
      case Tag(field::HloComputation::root_id, kVarint):
        reading->pending.root_ids[at] = fields.Int64();
        break;
      default: fields.Skip();
    }
  }
  program->computations[at].instructions = {first, Size(program->instructions) - first};
  return bad != nullptr ? bad : fields.bad();
}

const char* ReadHloModule(std::string_view message, Reading* reading) {
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::HloModule::name, kBytes):
        reading->program->name = Keep(fields.Bytes(), reading->program);
        break;
      case Tag(field::HloModule::computations, kBytes):
        bad = ReadComputation(fields.Bytes(), reading);
        break;
      case Tag(field::HloModule::entry_computation_id, kVarint):
        reading->pending.entry_id = fields.Int64();
        break;
      case Tag(field::HloModule::stack_frame_index, kBytes):
        bad = ReadFrameTables(fields.Bytes(), reading->program, &reading->pending.sources);
        break;
      default: fields.Skip();
    }
  }
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace

const char* ReadModule(std::string_view message, Program* program) {
  if (message.size() > UINT32_MAX) return message.data();
  Reading reading{program};
  reading.max_instructions = message.size() / 16 + 16;
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    if (fields.tag() == Tag(field::HloProto::hlo_module, kBytes)) {
      bad = ReadHloModule(fields.Bytes(), &reading);
    } else {
      fields.Skip();
    }
  }
  Resolve(&reading);
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace tfprof::hlo
