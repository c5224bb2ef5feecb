// SPDX-License-Identifier: Apache-2.0
// Where the values of a program are in memory.
#include <unordered_map>

#include "loaders/hlo/reading.h"
#include "loaders/wire/message.h"
#include "proto/hlo_fields.h"

namespace tfprof::hlo {
namespace {

using wire::Each;
using wire::Number;

// A buffer as recorded, next to its row in Program::buffers.
struct RecordedBuffer {
  int64_t id = 0;
  int64_t instruction_id = 0;
  std::string_view instruction_name = {};  // in the file
  std::vector<int64_t> path = {};          // to the part of a tuple
};

struct ReadingBuffers {
  Program* program;
  std::vector<RecordedBuffer> recorded = {};  // by buffer
  std::unordered_map<int64_t, uint32_t> buffer_of_id = {};
  std::unordered_map<int64_t, uint32_t> allocation_of_index = {};
  std::unordered_map<std::string_view, uint32_t> by_name = {};  // instructions
  std::vector<std::string_view> assigned = {};                  // messages, by allocation
  std::vector<uint32_t> assigned_to = {};
  size_t max_buffers = 0;  // bound from the size of the message

  uint32_t BufferOf(int64_t id) {
    const auto found = buffer_of_id.find(id);
    if (found != buffer_of_id.end()) return found->second;
    ++program->dangling;
    return Buffer::kNone;
  }
  uint32_t Named(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? Buffer::kNone : found->second;
  }
};

const char* ReadBuffer(std::string_view message, ReadingBuffers* reading) {
  using Of = field::LogicalBuffer;
  RecordedBuffer& recorded = reading->recorded.emplace_back();
  Buffer& buffer = reading->program->buffers.emplace_back();
  const auto read_location = [&](std::string_view location) {
    using Place = field::LogicalBuffer_Location;
    const auto add = [&](uint64_t index) { recorded.path.push_back(static_cast<int64_t>(index)); };
    return wire::ReadMessage(location,
                             wire::Text<Place::instruction_name>(&recorded.instruction_name),
                             wire::Numbers<Place::shape_index>(add),
                             Number<Place::instruction_id>(&recorded.instruction_id));
  };
  const char* bad =
      wire::ReadMessage(message, Number<Of::id>(&recorded.id), Number<Of::size>(&buffer.bytes),
                        Each<Of::defined_at>(read_location));
  reading->buffer_of_id[recorded.id] = Size(reading->program->buffers) - 1;
  if (bad == nullptr && reading->recorded.size() > reading->max_buffers) bad = message.data();
  return bad;
}

const char* ReadAllocation(std::string_view message, ReadingBuffers* reading) {
  using Of = field::BufferAllocation;
  BufferAllocation& allocation = reading->program->allocations.emplace_back();
  const uint32_t number = Size(reading->program->allocations) - 1;
  int64_t index = 0;
  bool is_thread_local = false, is_argument = false, is_output = false, is_constant = false;
  const char* bad = wire::ReadMessage(
      message, Number<Of::index>(&index), Number<Of::size>(&allocation.bytes),
      Number<Of::is_thread_local>(&is_thread_local),
      Number<Of::is_entry_computation_parameter>(&is_argument),
      Number<Of::parameter_number>(&allocation.parameter), Number<Of::maybe_live_out>(&is_output),
      Number<Of::color>(&allocation.memory_space), Number<Of::is_constant>(&is_constant),
      Each<Of::assigned>([&](std::string_view assigned) -> const char* {
        reading->assigned.push_back(assigned);
        reading->assigned_to.push_back(number);
        return nullptr;
      }));
  allocation.use = is_thread_local ? MemoryUse::thread_local_use
                   : is_argument   ? MemoryUse::argument
                   : is_output     ? MemoryUse::output
                   : is_constant   ? MemoryUse::constant
                                   : MemoryUse::temporary;
  reading->allocation_of_index[index] = number;
  return bad;
}

const char* Assign(ReadingBuffers* reading) {
  using Of = field::BufferAllocation_Assigned;
  for (size_t i = 0; i < reading->assigned.size(); ++i) {
    int64_t id = 0, offset = 0, bytes = 0;
    const char* bad = wire::ReadMessage(reading->assigned[i], Number<Of::logical_buffer_id>(&id),
                                        Number<Of::offset>(&offset), Number<Of::size>(&bytes));
    if (bad != nullptr) return bad;
    const uint32_t at = reading->BufferOf(id);
    if (at == Buffer::kNone) continue;
    Buffer& buffer = reading->program->buffers[at];
    buffer.allocation = reading->assigned_to[i];
    buffer.offset = offset;
    buffer.bytes = bytes;
  }
  return nullptr;
}

const char* ReadHeapEvent(std::string_view message, ReadingBuffers* reading) {
  using Of = field::HeapSimulatorTrace_Event;
  int64_t kind = 0, buffer = 0, shared = 0;
  std::string_view instruction;
  const char* bad = wire::ReadMessage(
      message, Number<Of::kind>(&kind), Number<Of::buffer_id>(&buffer),
      wire::Text<Of::instruction_name>(&instruction), Number<Of::share_with_canonical_id>(&shared));
  HeapEvent event;
  event.kind = kind == 1 ? HeapEvent::freed : kind == 2 ? HeapEvent::shares : HeapEvent::allocated;
  event.buffer = reading->BufferOf(buffer);
  if (event.kind == HeapEvent::shares) event.shared = reading->BufferOf(shared);
  event.instruction = reading->Named(instruction);
  reading->program->heap_events.push_back(event);
  return bad;
}

// Some versions record 0 for the allocation of every trace, so its buffers decide.
uint32_t AllocationOf(const Program& program, const HeapTrace& trace, uint32_t recorded) {
  for (const uint32_t event : trace.events) {
    const uint32_t buffer = program.heap_events[event].buffer;
    if (buffer == Buffer::kNone) continue;
    if (program.buffers[buffer].allocation != Buffer::kNone) {
      return program.buffers[buffer].allocation;
    }
  }
  return recorded;
}

const char* ReadHeapTrace(std::string_view message, ReadingBuffers* reading) {
  using Of = field::HeapSimulatorTrace;
  Program* program = reading->program;
  const uint32_t first = Size(program->heap_events);
  int64_t index = 0;
  const char* bad = wire::ReadMessage(message, Each<Of::events>([=](std::string_view event) {
                                        return ReadHeapEvent(event, reading);
                                      }),
                                      Number<Of::buffer_allocation_index>(&index));
  HeapTrace trace{Buffer::kNone, {first, Size(program->heap_events) - first}};
  const auto found = reading->allocation_of_index.find(index);
  const bool known = found != reading->allocation_of_index.end();
  trace.allocation = AllocationOf(*program, trace, known ? found->second : Buffer::kNone);
  program->heap_traces.push_back(trace);
  return bad;
}

// Returns the type of the part of a tuple; none: there is no such part.
uint32_t PartOf(const Program& program, uint32_t type, const std::vector<int64_t>& path) {
  for (const int64_t index : path) {
    const Range parts = program.types[type].parts;
    if (index < 0 || static_cast<uint64_t>(index) >= parts.count) return Buffer::kNone;
    type = parts.first + static_cast<uint32_t>(index);
  }
  return type;
}

// Finds the instructions that make the buffers. `ids`: of instructions, which are unique in a
// module.
void Place(const std::vector<int64_t>& ids, ReadingBuffers* reading) {
  std::unordered_map<int64_t, uint32_t> by_id;
  for (size_t i = 0; i < ids.size(); ++i) by_id.try_emplace(ids[i], static_cast<uint32_t>(i));
  Program* program = reading->program;
  for (size_t i = 0; i < program->buffers.size(); ++i) {
    const RecordedBuffer& recorded = reading->recorded[i];
    Buffer& buffer = program->buffers[i];
    const auto found = by_id.find(recorded.instruction_id);
    const bool by_name = recorded.instruction_id == 0 && !recorded.instruction_name.empty();
    buffer.instruction = by_name                ? reading->Named(recorded.instruction_name)
                         : found == by_id.end() ? Buffer::kNone
                                                : found->second;
    if (buffer.instruction == Buffer::kNone) {
      ++program->dangling;
      continue;
    }
    buffer.type = PartOf(*program, program->instructions[buffer.instruction].type, recorded.path);
  }
}

}  // namespace

const char* ReadBuffers(std::string_view message, Reading* of) {
  using Message = field::BufferAssignment;
  ReadingBuffers reading{of->program};
  reading.max_buffers = message.size() / 8 + 16;
  for (uint32_t i = 0; i < of->program->instructions.size(); ++i) {
    reading.by_name.try_emplace(of->program->Text(of->program->instructions[i].name), i);
  }
  const char* bad =
      wire::ReadMessage(message, Each<Message::logical_buffers>([&](std::string_view buffer) {
                          return ReadBuffer(buffer, &reading);
                        }),
                        Each<Message::buffer_allocations>([&](std::string_view allocation) {
                          return ReadAllocation(allocation, &reading);
                        }));
  if (bad == nullptr) bad = Assign(&reading);
  Place(of->pending.instruction_ids, &reading);
  if (bad != nullptr) return bad;
  return wire::ReadMessage(
      message, Each<Message::heap_simulator_traces>(
                   [&](std::string_view trace) { return ReadHeapTrace(trace, &reading); }));
}

}  // namespace tfprof::hlo
