// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/cupti/activity_records.h"

#include <cstdlib>
#include <cstring>

#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

using cupti::Kind;

// Numbers records that differ in more than their ID, from 1 on. One thread uses it.
template <class Record>
class IdTable {
 public:
  // Sets the ID of the record. Returns true if it is new. Without memory, IDs repeat no more.
  bool Number(Record* record) {
    if (count_ * 2 >= slots_) Grow();
    if (count_ * 2 >= slots_) return record->head.id = ++count_, true;
    for (uint32_t at = HashOf(*record) & (slots_ - 1);; at = (at + 1) & (slots_ - 1)) {
      if (table_[at].head.id == 0) {
        record->head.id = ++count_;
        table_[at] = *record;
        return true;
      }
      if (IsSame(table_[at], *record)) return record->head.id = table_[at].head.id, false;
    }
  }

  void Clear() {
    std::free(table_);
    table_ = nullptr;
    count_ = slots_ = 0;
  }

 private:
  static constexpr size_t kSkip = sizeof(RecordHead);
  static constexpr size_t kBytes = sizeof(Record) - kSkip;

  static const char* ContentOf(const Record& record) {
    return reinterpret_cast<const char*>(&record) + kSkip;
  }
  static bool IsSame(const Record& a, const Record& b) {
    return std::memcmp(ContentOf(a), ContentOf(b), kBytes) == 0;
  }
  static uint32_t HashOf(const Record& record) {
    uint64_t hash = 0;
    for (size_t i = 0; i + 8 <= kBytes; i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, ContentOf(record) + i, 8);
      hash = (hash ^ word) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    }
    return static_cast<uint32_t>(hash);
  }

  void Grow() {
    const uint32_t wanted = slots_ == 0 ? 256 : slots_ * 2;
    auto* grown = static_cast<Record*>(std::calloc(wanted, sizeof(Record)));
    if (grown == nullptr) return;
    for (uint32_t i = 0; i < slots_; ++i) {
      if (table_[i].head.id == 0) continue;
      uint32_t at = HashOf(table_[i]) & (wanted - 1);
      while (grown[at].head.id != 0) at = (at + 1) & (wanted - 1);
      grown[at] = table_[i];
    }
    std::free(table_);
    table_ = grown;
    slots_ = wanted;
  }

  Record* table_ = nullptr;
  uint32_t slots_ = 0;
  uint32_t count_ = 0;
};

IdTable<LaneRecord> g_lanes;
IdTable<KernelShapeRecord> g_shapes;

uint32_t LaneOf(const Activity& activity, const RecordSink& sink) {
  LaneRecord lane{
      .device = activity.device, .context = activity.context, .stream = activity.stream};
  if (g_lanes.Number(&lane)) sink.Add(lane);
  return lane.head.id;
}

void TakeWork(const Activity& activity, const RecordSink& sink, WorkRecord* work) {
  work->head.id = LaneOf(activity, sink);
  work->start = activity.start;
  work->end = activity.end;
  work->correlation = activity.correlation;
  work->graph = activity.graph;
  work->graph_node = activity.graph_node;
}

void AddKernel(const Activity& activity, InternText intern, const RecordSink& sink) {
  KernelShapeRecord shape{.name = activity.name != nullptr ? intern(activity.name) : 0,
                          .registers = activity.registers,
                          .static_shared_bytes = activity.static_shared_bytes,
                          .dynamic_shared_bytes = activity.dynamic_shared_bytes,
                          .local_bytes = activity.local_bytes};
  std::memcpy(shape.grid, activity.grid, sizeof shape.grid);
  std::memcpy(shape.block, activity.block, sizeof shape.block);
  if (g_shapes.Number(&shape)) sink.Add(shape);
  KernelRecord kernel;
  TakeWork(activity, sink, &kernel.work);
  kernel.shape = shape.head.id;
  sink.Add(kernel);
}

void AddCopy(const Activity& activity, const RecordSink& sink) {
  CopyRecord copy{.bytes = activity.bytes,
                  .kind = activity.copy_kind,
                  .from = activity.from,
                  .to = activity.to,
                  .is_async = activity.is_async,
                  .to_device = activity.to_device};
  TakeWork(activity, sink, &copy.work);
  sink.Add(copy);
}

void AddFill(const Activity& activity, const RecordSink& sink) {
  FillRecord fill{.bytes = activity.bytes,
                  .value = activity.value,
                  .memory_kind = activity.from,
                  .is_async = activity.is_async};
  TakeWork(activity, sink, &fill.work);
  sink.Add(fill);
}

void AddGraph(const Activity& activity, const RecordSink& sink) {
  GraphRecord graph;
  TakeWork(activity, sink, &graph.work);
  sink.Add(graph);
}

void AddMemory(const Activity& activity, const RecordSink& sink) {
  MemoryRecord memory{.time = activity.start,
                      .address = activity.address,
                      .bytes = activity.bytes,
                      .correlation = activity.correlation,
                      .is_release = activity.is_release,
                      .kind = activity.from,
                      .is_async = activity.is_async,
                      .is_pooled = activity.is_pooled,
                      .pool_bytes = activity.pool_bytes};
  memory.head.id = LaneOf(activity, sink);
  sink.Add(memory);
}

void AddWait(const Activity& activity, const RecordSink& sink) {
  WaitRecord wait{.start = activity.start,
                  .end = activity.end,
                  .type = activity.type,
                  .context = activity.context,
                  .stream = activity.stream,
                  .event = activity.event};
  wait.head.id = activity.correlation;
  sink.Add(wait);
}

void AddOverhead(const Activity& activity, const RecordSink& sink) {
  OverheadRecord overhead{.start = activity.start,
                          .end = activity.end,
                          .object_kind = activity.object_kind,
                          .thread = activity.thread};
  overhead.head.id = activity.type;
  sink.Add(overhead);
}

void AddApi(const Activity& activity, const RecordSink& sink) {
  ApiRecord api{.start = activity.start,
                .end = activity.end,
                .domain = activity.kind == Kind::driver ? ApiDomain::driver : ApiDomain::runtime,
                .callback = activity.type,
                .thread = activity.thread,
                .result = activity.result};
  api.head.id = activity.correlation;
  sink.Add(api);
}

void AddDevice(const Activity& activity, InternText intern, const RecordSink& sink) {
  DeviceRecord device{.memory_bytes = activity.memory_bytes,
                      .memory_kilobytes_per_s = activity.memory_kilobytes_per_s,
                      .clock_khz = activity.clock_khz,
                      .multiprocessors = activity.multiprocessors,
                      .capability_major = activity.capability_major,
                      .capability_minor = activity.capability_minor,
                      .name = activity.name != nullptr ? intern(activity.name) : 0};
  device.head.id = activity.device;
  sink.Add(device);
}

}  // namespace

void AddActivity(const Activity& activity, InternText intern, const RecordSink& sink) {
  switch (activity.kind) {
    case Kind::concurrent_kernel: return AddKernel(activity, intern, sink);
    case Kind::copy:
    case Kind::peer_copy: return AddCopy(activity, sink);
    case Kind::fill: return AddFill(activity, sink);
    case Kind::memory: return AddMemory(activity, sink);
    case Kind::wait: return AddWait(activity, sink);
    case Kind::overhead: return AddOverhead(activity, sink);
    case Kind::driver:
    case Kind::runtime: return AddApi(activity, sink);
    case Kind::graph: return AddGraph(activity, sink);
    case Kind::device: return AddDevice(activity, intern, sink);
    case Kind::context:
    case Kind::none: break;
  }
}

void ForgetDefinitions() {
  g_lanes.Clear();
  g_shapes.Clear();
}

}  // namespace tfprof::capture
