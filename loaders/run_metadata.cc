// SPDX-License-Identifier: Apache-2.0
// RunMetadata of TensorFlow 1: what one step ran on which device. See proto/step_stats.proto.
#include <vector>

#include "core/hash.h"
#include "loaders/epoch.h"
#include "loaders/formats.h"
#include "loaders/run_record.h"
#include "loaders/scores.h"
#include "loaders/tally.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

struct Loading {
  const SourceFile& file;
  StoreBuilder& store;
  Context& context;
  StepId step;
  LaneId lane;
  bool gpu_seen = false;
  bool gpu_stream_seen = false;
  int64_t devices = 0;
  int64_t records = 0;  // of the current device
  int64_t until_poll = 0;
  RunRecord record;  // the current one
  Tally no_time, malformed, foreign, several_gpu_allocators;
};

// ---- into the store ----------------------------------------------------------------------------

// Records of the runtime itself are no nodes unless the graph has such a node.
bool MakesNode(std::string_view name) {
  return name != "RecvTensor" && name != "_SOURCE" && name.find("MEMCPY") == name.npos;
}

// The label of a record's full name, at its first mention. The node is the name up to the first
// colon; `covered` is set when it was known before.
__attribute__((noinline)) LabelId MakeLabel(NameId name, std::string_view text, bool* covered,
                                            StoreBuilder& store) {
  const std::string_view node_text = text.substr(0, text.find(':'));
  const NameId node_name = node_text.size() == text.size() ? name : store.Name(node_text);
  NodeId node = store.FindNode(node_name);
  *covered = node.some();
  if (!node.some() && MakesNode(node_text)) node = store.AddNode(node_name, node_name, false);
  return store.AddLabel(name, node);
}

LabelId LabelOf(std::string_view text, StoreBuilder& store) {
  const NameId name = store.Name(text, Hash(text));
  LabelId label = store.FindLabel(name);
  bool covered = true;
  if (!label.some()) [[unlikely]]
    label = MakeLabel(name, text, &covered, store);
  const NodeId node = store.label(label).node;
  if (node.some() && covered) store.Cover(node);
  return label;
}

void AddMemory(EventId event, Loading* loading) {
  StoreBuilder& store = loading->store;
  RunRecord& record = loading->record;
  record.memory.event = event;
  record.memory.first_output = store.next_output();
  record.memory.time_ps = store.TimeFromMicros(WrapAdd(record.start_us, record.duration_us));
  for (const OutputMemory& output : record.outputs) store.AddOutput(output);
  store.AddMemory(record.memory);
}

void AddAllocations(EventId event, Loading* loading) {
  StoreBuilder& store = loading->store;
  for (const AllocationText& text : loading->record.allocations) {
    const int64_t time_ps = text.micros > 0 ? store.TimeFromMicros(text.micros) : kNoTime;
    store.AddAllocation({time_ps, text.bytes, event, store.Name(text.allocator)});
  }
}

void AddRecord(std::string_view message, Loading* loading) {
  RunRecord& record = loading->record;
  if (ReadRunRecord(message, &record) != nullptr) {
    loading->malformed.Add(message.data());
    return;
  }
  StoreBuilder& store = loading->store;
  const LabelId label = LabelOf(record.name, store);
  const NodeId node = store.label(label).node;
  const int64_t duration_ps = store.DurationFromMicros(record.duration_us);
  const auto detail = static_cast<uint32_t>(message.data() - loading->file.bytes.data());
  if (node.some()) {
    store.AddNodeLane(node, loading->lane);
  } else {
    loading->foreign.Add(message.data(), duration_ps);
  }
  if (record.start_us <= 0) {
    store.AddEvent(kNoTime, duration_ps, label, detail);
    loading->no_time.Add(message.data());
    return;
  }
  const EventId event =
      store.AddEvent(store.TimeFromMicros(record.start_us), duration_ps, label, detail);
  if (record.has_memory) AddMemory(event, loading);
  if (!record.allocations.empty()) AddAllocations(event, loading);
  if (record.gpu_allocators > 1) loading->several_gpu_allocators.Add(message.data());
}

// ---- devices and steps -------------------------------------------------------------------------

// The device of a DeviceStepStats; it may stand behind the records, and the last one counts.
std::string_view DeviceText(std::string_view message) {
  std::string_view text;
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() == Tag(1, kBytes)) {
      text = fields.Bytes();
    } else {
      fields.Skip();
    }
  }
  return text;
}

struct Stop {
  const char* bad = nullptr;  // where the file stops to be readable
  Result<void> cancelled;
  bool some() const { return bad != nullptr || !cancelled; }
};

bool TimeToPoll(const char* at, Loading* loading, Stop* stop) {
  constexpr int64_t kRecordsPerPoll = 4096;
  if (--loading->until_poll > 0) return true;
  loading->until_poll = kRecordsPerPoll;
  const auto done = static_cast<uint64_t>(at - loading->file.bytes.data());
  loading->context.done_bytes.store(done, std::memory_order_relaxed);
  stop->cancelled = Poll(loading->context);
  return stop->cancelled.has_value();
}

Stop LoadDevice(std::string_view message, Loading* loading) {
  const std::string_view device = DeviceText(message);
  loading->lane = loading->store.AddDeviceLane(device);
  loading->store.BeginRows(loading->lane, loading->step);
  const std::string_view lower = loading->store.Text(loading->store.lane(loading->lane).name);
  const bool gpu = lower.find("gpu") != lower.npos;
  loading->gpu_seen |= gpu;
  loading->gpu_stream_seen |= gpu && lower.find("stream:all") != lower.npos;
  ++loading->devices;
  loading->records = 0;
  Stop stop;
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() != Tag(2, kBytes)) {
      fields.Skip();
      continue;
    }
    const std::string_view record = fields.Bytes();
    if (fields.bad() != nullptr) break;
    ++loading->records;
    AddRecord(record, loading);
    if (!TimeToPoll(record.data(), loading, &stop)) return stop;
  }
  stop.bad = fields.bad();
  return stop;
}

Stop LoadStepStats(std::string_view message, Loading* loading) {
  Stop stop;
  Fields fields(message);
  while (fields.Next() && !stop.some()) {
    if (fields.tag() == Tag(1, kBytes)) {
      stop = LoadDevice(fields.BytesOrRest(), loading);
    } else {
      fields.Skip();
    }
  }
  if (!stop.some()) stop.bad = fields.bad();
  return stop;
}

// ---- time 0 ------------------------------------------------------------------------------------

void SampleStarts(std::string_view device, std::vector<int64_t>* starts) {
  Fields fields(device);
  while (fields.Next() && starts->size() < kSampleStarts) {
    if (fields.tag() != Tag(2, kBytes)) {
      fields.Skip();
      continue;
    }
    Fields record(fields.Bytes());
    while (record.Next()) {
      if (record.tag() == Tag(2, kVarint)) {
        const int64_t start_us = record.Int64();
        if (start_us > 0) starts->push_back(start_us);
      } else {
        record.Skip();
      }
    }
  }
}

void FindEpoch(std::string_view step_stats, StoreBuilder& store) {
  if (store.has_epoch()) return;
  std::vector<int64_t> starts;
  Fields fields(step_stats);
  while (fields.Next() && starts.size() < kSampleStarts) {
    if (fields.tag() == Tag(1, kBytes)) {
      SampleStarts(fields.BytesOrRest(), &starts);
    } else {
      fields.Skip();
    }
  }
  SetEpoch(starts, store);
}

// ---- the file ----------------------------------------------------------------------------------

Stop LoadMessage(const LoadArguments& arguments, Loading* loading) {
  Stop stop;
  Fields fields(loading->file.bytes);
  while (fields.Next() && !stop.some()) {
    if (fields.tag() == Tag(1, kBytes)) {
      loading->step = loading->store.AddStep(arguments.step);
      const std::string_view step_stats = fields.BytesOrRest();
      FindEpoch(step_stats, loading->store);
      stop = LoadStepStats(step_stats, loading);
    } else {
      fields.Skip();
    }
  }
  if (!stop.some()) stop.bad = fields.bad();
  return stop;
}

void TellAll(const Loading& loading) {
  const SourceFile& file = loading.file;
  StoreBuilder& store = loading.store;
  loading.no_time.Tell("records without a start time: no time, no run, no memory", file, store);
  loading.malformed.Tell("malformed records, skipped", file, store);
  loading.foreign.Tell("records of the runtime that belong to no graph node", file, store);
  loading.several_gpu_allocators.Tell("records with several gpu allocators", file, store);
  if (!loading.step.some()) {
    store.AddNote("run metadata without step statistics: adds no step", file.path);
  }
}

Result<void> Load(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                  Context& context) {
  const SourceId source =
      store.AddSource({file.path, "run_metadata", file.file_bytes, file.bytes.size()});
  Loading loading{file, store, context};
  const Stop stop = LoadMessage(arguments, &loading);
  TFPROF_TRY(stop.cancelled);
  if (loading.step.some()) {
    store.step(loading.step).lacks_accelerator_stream |=
        loading.gpu_seen && !loading.gpu_stream_seen;
  }
  store.source(source).covered_nodes = store.covered_count();
  store.source(source).known_nodes = static_cast<int64_t>(store.node_count());
  TellAll(loading);
  if (stop.bad == nullptr) return {};
  const std::string record = "device " + std::to_string(loading.devices) + ", record " +
                             std::to_string(loading.records + 1);
  return Damaged(stop.bad, file, loading.devices > 0 ? record : "", store, context);
}

}  // namespace

const Loader kRunMetadataLoader = {"run_metadata",
                                   "RunMetadata of a TensorFlow session run, one step a file",
                                   3,
                                   false,
                                   ScoreRunMetadata,
                                   Load};

}  // namespace tfprof
