// SPDX-License-Identifier: Apache-2.0
#include "capture/abi/decode.h"

#include <cstring>

namespace tfprof::capture {
namespace {

using cupti::Kind;

// Records lie at multiples of 8 in real buffers, but not in those that a fuzzer makes.
template <class Raw>
bool Read(const uint8_t* record, size_t bytes, Raw* raw) {
  if (bytes < sizeof *raw) return false;
  std::memcpy(raw, record, sizeof *raw);
  return true;
}

template <class Raw>
void TakePlace(const Raw& raw, Activity* to) {
  to->device = raw.device;
  to->context = raw.context;
  to->stream = raw.stream;
}

template <class Raw>
void TakeWork(const Raw& raw, Activity* to) {
  TakePlace(raw, to);
  to->start = raw.start;
  to->end = raw.end;
  to->correlation = raw.correlation;
}

template <class Raw>
void TakeNode(const Raw& raw, Activity* to) {
  to->graph = raw.graph;
  to->graph_node = raw.graph_node;
}

void Take(const cupti::KernelActivity& raw, Activity* to) {
  TakeWork(raw, to);
  TakeNode(raw, to);
  to->name = raw.name;
  to->registers = raw.registers;
  std::memcpy(to->grid, raw.grid, sizeof raw.grid);
  std::memcpy(to->block, raw.block, sizeof raw.block);
  to->static_shared_bytes = raw.static_shared_bytes;
  to->dynamic_shared_bytes = raw.dynamic_shared_bytes;
  to->local_bytes = raw.local_bytes;
}

template <class Raw>
void TakeCopy(const Raw& raw, Activity* to) {
  TakeWork(raw, to);
  TakeNode(raw, to);
  to->bytes = raw.bytes;
  to->copy_kind = raw.copy_kind;
  to->from = raw.from;
  to->to = raw.to;
  to->is_async = (raw.flags & 1) != 0;
}

void Take(const cupti::CopyActivity& raw, Activity* to) { TakeCopy(raw, to); }

void Take(const cupti::PeerCopyActivity& raw, Activity* to) {
  TakeCopy(raw, to);
  to->to_device = raw.to_device;
}

void Take(const cupti::FillActivity& raw, Activity* to) {
  TakeWork(raw, to);
  TakeNode(raw, to);
  to->bytes = raw.bytes;
  to->value = raw.value;
  to->from = static_cast<uint8_t>(raw.memory_kind);
  to->is_async = (raw.flags & 1) != 0;
}

void Take(const cupti::MemoryActivity& raw, Activity* to) {
  TakePlace(raw, to);
  to->start = to->end = raw.time;
  to->correlation = raw.correlation;
  to->address = raw.address;
  to->bytes = raw.bytes;
  to->name = raw.name;
  to->from = static_cast<uint8_t>(raw.memory_kind);
  to->is_release = raw.operation == 2;
  to->is_async = raw.is_async != 0;
  to->is_pooled = raw.pool_type != 0;
  if (raw.pool_type == 1) to->pool_bytes = raw.pool_bytes;
}

void Take(const cupti::WaitActivity& raw, Activity* to) {
  to->start = raw.start;
  to->end = raw.end;
  to->correlation = raw.correlation;
  to->context = raw.context;
  to->stream = raw.stream;
  to->type = raw.type;
  to->event = raw.event;
}

void Take(const cupti::OverheadActivity& raw, Activity* to) {
  constexpr uint32_t kThread = 2;
  to->start = raw.start;
  to->end = raw.end;
  to->type = raw.overhead_kind;
  to->object_kind = raw.object_kind;
  if (raw.object_kind == kThread) to->thread = raw.thread;
}

void Take(const cupti::ApiActivity& raw, Activity* to) {
  to->start = raw.start;
  to->end = raw.end;
  to->correlation = raw.correlation;
  to->type = raw.callback;
  to->thread = raw.thread;
  to->result = raw.result;
}

void Take(const cupti::GraphActivity& raw, Activity* to) {
  TakeWork(raw, to);
  to->graph = raw.graph;
}

void Take(const cupti::DeviceActivity& raw, Activity* to) {
  to->device = raw.device;
  to->name = raw.name;
  to->memory_bytes = raw.memory_bytes;
  to->memory_kilobytes_per_s = raw.memory_kilobytes_per_s;
  to->clock_khz = raw.clock_khz;
  to->multiprocessors = raw.multiprocessors;
  to->capability_major = raw.capability_major;
  to->capability_minor = raw.capability_minor;
}

void Take(const cupti::ContextActivity& raw, Activity* to) {
  to->device = raw.device;
  to->context = raw.context;
  to->stream = raw.null_stream;
}

template <class Raw>
Decoded DecodeAs(const uint8_t* record, size_t bytes, Activity* activity) {
  Raw raw;
  if (!Read(record, bytes, &raw)) return Decoded::too_short;
  Take(raw, activity);
  return Decoded::activity;
}

}  // namespace

Decoded DecodeActivity(const uint8_t* record, size_t bytes, Activity* activity) {
  *activity = {};
  if (!Read(record, bytes, &activity->kind)) return Decoded::too_short;
  switch (activity->kind) {
    case Kind::concurrent_kernel: return DecodeAs<cupti::KernelActivity>(record, bytes, activity);
    case Kind::copy: return DecodeAs<cupti::CopyActivity>(record, bytes, activity);
    case Kind::peer_copy: return DecodeAs<cupti::PeerCopyActivity>(record, bytes, activity);
    case Kind::fill: return DecodeAs<cupti::FillActivity>(record, bytes, activity);
    case Kind::memory: return DecodeAs<cupti::MemoryActivity>(record, bytes, activity);
    case Kind::wait: return DecodeAs<cupti::WaitActivity>(record, bytes, activity);
    case Kind::overhead: return DecodeAs<cupti::OverheadActivity>(record, bytes, activity);
    case Kind::driver:
    case Kind::runtime: return DecodeAs<cupti::ApiActivity>(record, bytes, activity);
    case Kind::graph: return DecodeAs<cupti::GraphActivity>(record, bytes, activity);
    case Kind::device: return DecodeAs<cupti::DeviceActivity>(record, bytes, activity);
    case Kind::context: return DecodeAs<cupti::ContextActivity>(record, bytes, activity);
    case Kind::none: break;
  }
  return Decoded::unknown_kind;
}

}  // namespace tfprof::capture
