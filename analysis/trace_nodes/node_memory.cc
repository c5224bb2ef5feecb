// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/memory/events.h"
#include "analysis/trace_nodes/node_maker.h"

namespace tfprof {
namespace {

// What an operation holds from one allocator.
struct Held {
  int64_t bytes = 0;
  int64_t peak = 0;
};

int64_t RequestedBytes(const MemoryEvent& event) {
  return std::max<int64_t>(0,
                           event.requested_bytes != kNoInt ? event.requested_bytes : event.bytes);
}

void AddAllocator(const MemoryEvents& memory, const Allocator& allocator, NodeMaker* maker) {
  std::unordered_map<uint32_t, Held> held;  // by the name of the operation
  for (const MemoryEvent& event : memory.Of(allocator)) {
    // A free has the operation of its allocation.
    const bool counts = event.op.some() && maker->IsChosen(event.event.value);
    const bool frees_unknown = event.frees && event.partner == kNoMemoryEvent;
    if (!counts || frees_unknown) continue;
    const int64_t bytes = RequestedBytes(event.frees ? memory.events[event.partner] : event);
    Held& of = held[event.op.value];
    of.bytes = SaturatingAdd(of.bytes, event.frees ? -bytes : bytes);
    of.peak = std::max(of.peak, of.bytes);
    if (event.frees) continue;
    ExecMemory& sum = maker->memory[std::string(memory.Text(event.op))];
    sum.requested = SaturatingAdd(sum.requested, bytes);
    if (event.partner == kNoMemoryEvent) sum.residual = SaturatingAdd(sum.residual, bytes);
  }
  for (const auto& [op, of] : held) {
    ExecMemory& sum = maker->memory[std::string(memory.Text(NameId(op)))];
    sum.peak = SaturatingAdd(sum.peak, of.peak);
  }
}

}  // namespace

Result<void> FindNodeMemory(std::span<const ProcessId> hosts, NodeMaker* maker) {
  const Store& trace = maker->trace;
  TFPROF_ASSIGN(const auto memory, maker->indexes.Get<MemoryEvents>(maker->context));
  for (const Allocator& allocator : memory->allocators) {
    const bool selected = std::ranges::any_of(
        hosts, [&](ProcessId id) { return trace.processes[id.value].host == allocator.host; });
    if (selected) AddAllocator(*memory, allocator, maker);
  }
  return {};
}

void AddMemoryOf(NodeId node, EventId row, NodeMaker* maker) {
  if (maker->memory.empty()) return;
  StoreBuilder& builder = maker->builder;
  const auto found = maker->memory.find(std::string(builder.Text(builder.node(node).name)));
  if (found == maker->memory.end()) return;
  found->second.event = row;
  builder.AddMemory(found->second);
  maker->memory.erase(found);
}

}  // namespace tfprof
