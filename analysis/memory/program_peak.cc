// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory/program_peak.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/base/arith.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

// The life of a block of memory in a heap trace, shared by one or several buffers.
struct Life {
  uint32_t buffer = Buffer::kNone;  // the first one
  int64_t bytes = 0;
  uint32_t first = 0;  // event
  uint32_t last = 0;   // event that frees it; the number of events: none does
  int64_t holders = 1;
};

// A buffer may share the memory of one that was freed, as long as another one still holds it.
std::vector<Life> LivesOf(const Program& program, const HeapTrace& trace) {
  std::vector<Life> lives;
  std::unordered_map<uint32_t, size_t> life_of;  // by buffer
  for (uint32_t i = 0; i < trace.events.count; ++i) {
    const HeapEvent& event = program.heap_events[trace.events.first + i];
    if (event.buffer == Buffer::kNone) continue;
    const auto shared = life_of.find(event.shared);
    if (event.kind == HeapEvent::shares && shared != life_of.end() &&
        lives[shared->second].holders > 0) {
      const size_t life = shared->second;
      life_of[event.buffer] = life;
      ++lives[life].holders;
    } else if (event.kind != HeapEvent::freed) {
      life_of[event.buffer] = lives.size();
      // It takes the memory of one that nothing holds any more; later ones share it.
      const bool is_known = event.shared != Buffer::kNone;
      if (event.kind == HeapEvent::shares && is_known) life_of[event.shared] = lives.size();
      const int64_t bytes = program.buffers[event.buffer].bytes;
      lives.push_back({event.buffer, bytes, i, trace.events.count});
    } else if (const auto found = life_of.find(event.buffer); found != life_of.end()) {
      Life& life = lives[found->second];
      if (life.holders > 0 && --life.holders == 0) life.last = i;
    }
  }
  return lives;
}

// Returns the event after which the lives are largest in sum.
uint32_t PeakEvent(const std::vector<Life>& lives, uint32_t events) {
  std::vector<int64_t> change(events + size_t{1});
  for (const Life& life : lives) {
    change[life.first] = SaturatingAdd(change[life.first], life.bytes);
    change[life.last] = SaturatingAdd(change[life.last], -life.bytes);
  }
  int64_t now = 0, most = 0;
  uint32_t peak = 0;
  for (uint32_t i = 0; i < events; ++i) {
    now = SaturatingAdd(now, change[i]);
    if (now >= most) most = now, peak = i;
  }
  return peak;
}

// Returns the instruction that runs at an event. Events name the instruction that makes their
// buffer, so a buffer is freed at the last instruction that made one before.
uint32_t InstructionAt(const Program& program, const HeapTrace& trace, uint32_t event) {
  if (event >= trace.events.count) return Instruction::kNone;
  for (uint32_t at = event + 1; at-- > 0;) {
    const HeapEvent& of = program.heap_events[trace.events.first + at];
    if (of.kind != HeapEvent::freed) return of.instruction;
  }
  return Instruction::kNone;
}

// Adds the buffers of a temporary block at its peak, and the rest of the block.
void HoldTemporary(const Program& program, uint32_t allocation, const HeapTrace& trace,
                   ProgramPeak* peak) {
  const std::vector<Life> lives = LivesOf(program, trace);
  const uint32_t at = PeakEvent(lives, trace.events.count);
  int64_t rest = program.allocations[allocation].bytes;
  for (const Life& life : lives) {
    if (life.first > at || life.last <= at) continue;
    peak->held.push_back({life.buffer, allocation, life.bytes, false,
                          InstructionAt(program, trace, life.first),
                          InstructionAt(program, trace, life.last)});
    rest = SaturatingAdd(rest, -life.bytes);
  }
  if (rest == 0) return;
  peak->unused_bytes = SaturatingAdd(peak->unused_bytes, rest);
  peak->held.push_back({Buffer::kNone, allocation, rest, true});
}

// Returns the buffer that fills each allocation, else its largest one; of equal ones the last,
// which is the output where others lived before.
std::vector<uint32_t> LargestBuffers(const Program& program) {
  std::vector<uint32_t> largest(program.allocations.size(), Buffer::kNone);
  for (uint32_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    if (buffer.allocation == Buffer::kNone) continue;
    uint32_t& known = largest[buffer.allocation];
    const bool larger = known == Buffer::kNone || buffer.bytes >= program.buffers[known].bytes;
    if (larger) known = i;
  }
  return largest;
}

}  // namespace

int64_t ProgramPeak::Total() const {
  int64_t total = 0;
  for (const MemoryUse use :
       {MemoryUse::argument, MemoryUse::output, MemoryUse::constant, MemoryUse::temporary}) {
    total = SaturatingAdd(total, Of(use));
  }
  return total;
}

ProgramPeak PeakOfProgram(const Program& program) {
  ProgramPeak peak;
  const std::vector<uint32_t> largest = LargestBuffers(program);
  std::vector<const HeapTrace*> traces(program.allocations.size());
  for (const HeapTrace& trace : program.heap_traces) {
    if (trace.allocation == Buffer::kNone) continue;
    const HeapTrace*& known = traces[trace.allocation];
    if (known == nullptr || trace.events.count > known->events.count) known = &trace;
  }
  for (uint32_t i = 0; i < program.allocations.size(); ++i) {
    const BufferAllocation& allocation = program.allocations[i];
    int64_t& sum = peak.bytes[static_cast<size_t>(allocation.use)];
    sum = SaturatingAdd(sum, allocation.bytes);
    if (allocation.use == MemoryUse::thread_local_use) continue;
    if (allocation.use == MemoryUse::temporary && traces[i] != nullptr) {
      HoldTemporary(program, i, *traces[i], &peak);
    } else {
      peak.held.push_back({largest[i], i, allocation.bytes});
    }
  }
  StableSort(peak.held, std::greater(), &HeldBuffer::bytes);
  return peak;
}

}  // namespace tfprof
