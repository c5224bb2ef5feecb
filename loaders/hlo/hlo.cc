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
  using Location = field::StackFrameIndex_FileLocation;
  const auto read_file = [&](std::string_view name) {
    return KeepIn(&tables->files.emplace_back(), program)(name);
  };
  const auto read_function = [&](std::string_view name) {
    return KeepIn(&tables->functions.emplace_back(), program)(name);
  };
  const auto read_location = [&](std::string_view location) {
    FrameTables::Location& to = tables->locations.emplace_back();
    return wire::ReadMessage(location, wire::Number<Location::file_name_id>(&to.file),
                             wire::Number<Location::function_name_id>(&to.function),
                             wire::Number<Location::line>(&to.line));
  };
  const auto read_frame = [&](std::string_view frame) {
    FrameTables::Frame& to = tables->frames.emplace_back();
    using Frame = field::StackFrameIndex_StackFrame;
    return wire::ReadMessage(frame, wire::Number<Frame::file_location_id>(&to.location),
                             wire::Number<Frame::parent_frame_id>(&to.caller));
  };
  using Tables = field::StackFrameIndex;
  return wire::ReadMessage(message, wire::Each<Tables::file_names>(read_file),
                           wire::Each<Tables::function_names>(read_function),
                           wire::Each<Tables::file_locations>(read_location),
                           wire::Each<Tables::stack_frames>(read_frame));
}

const char* ReadComputation(std::string_view message, Reading* reading) {
  using Of = field::HloComputation;
  Program* program = reading->program;
  Computation& computation = program->computations.emplace_back();
  const uint32_t first = Size(program->instructions);
  const char* bad =
      wire::ReadMessage(message, wire::Each<Of::name>(KeepIn(&computation.name, program)),
                        wire::Each<Of::instructions>([=](std::string_view instruction) {
                          return ReadInstruction(instruction, reading);
                        }),
                        wire::Number<Of::id>(&reading->pending.computation_ids.emplace_back()),
                        wire::Number<Of::root_id>(&reading->pending.root_ids.emplace_back()));
  computation.instructions = {first, Size(program->instructions) - first};
  return bad;
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
      case Tag(field::HloModule::id, kVarint): reading->program->id = fields.Int64(); break;
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

const char* ReadWith(std::string_view message, Program* program, const auto& read) {
  if (message.size() > UINT32_MAX) return message.data();
  Reading reading{program};
  reading.max_instructions = message.size() / 16 + 16;
  const char* bad = read(&reading);
  Resolve(&reading);
  return bad;
}

}  // namespace

const char* ReadModule(std::string_view message, Program* program) {
  return ReadWith(message, program, [&](Reading* reading) {
    const char* bad = wire::ReadMessage(
        message, wire::Each<field::HloProto::hlo_module>(
                     [=](std::string_view module) { return ReadHloModule(module, reading); }));
    if (bad != nullptr) return bad;
    return wire::ReadMessage(
        message, wire::Each<field::HloProto::buffer_assignment>(
                     [=](std::string_view buffers) { return ReadBuffers(buffers, reading); }));
  });
}

const char* ReadBareModule(std::string_view message, Program* program) {
  return ReadWith(message, program,
                  [&](Reading* reading) { return ReadHloModule(message, reading); });
}

}  // namespace tfprof::hlo
