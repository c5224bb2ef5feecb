// SPDX-License-Identifier: Apache-2.0
// RunMetadata of TensorFlow 1: what one step ran on which device. See proto/step_stats.proto.
#include <vector>

#include "loaders/epoch.h"
#include "loaders/formats.h"
#include "loaders/hosts.h"
#include "loaders/overlap.h"
#include "loaders/run_rows.h"
#include "loaders/scores.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

struct Loading {
  RunRows rows;
  Context& context;
  PagesBehind pages;
  std::string host = {};  // LoadArguments::host
  StepId step = {};
  bool gpu_seen = false;
  bool gpu_stream_seen = false;
  int64_t devices = 0;
  int64_t records = 0;  // of the current device
  int64_t until_poll = 0;
};

struct Stop {
  const char* bad = nullptr;  // where the file stops to be readable
  Result<void> cancelled;
  bool some() const { return bad != nullptr || !cancelled; }
};

bool TimeToPoll(const char* at, Loading* loading, Stop* stop) {
  constexpr int64_t kRecordsPerPoll = 4096;
  loading->pages.GiveBack(at);
  if (--loading->until_poll > 0) return true;
  loading->until_poll = kRecordsPerPoll;
  const auto done = static_cast<uint64_t>(at - loading->rows.file.bytes.data());
  loading->context.done_bytes.store(done, std::memory_order_relaxed);
  stop->cancelled = Poll(loading->context);
  return stop->cancelled.has_value();
}

// ---- devices and steps -------------------------------------------------------------------------

// The device of a DeviceStepStats: nearly always its first field. Where it is not, all fields are
// looked at, of which the last one counts.
std::string_view LeadingDevice(std::string_view message) {
  std::string_view text;
  Fields fields(message);
  for (bool first = true; fields.Next(); first = false) {
    if (fields.tag() == Tag(1, kBytes)) {
      text = fields.Bytes();
      if (first) return text;
    } else {
      fields.Skip();
    }
  }
  return text;
}

void LookForGpu(LaneId lane, Loading* loading) {
  const StoreBuilder& store = loading->rows.store;
  const std::string_view device = store.Text(store.lane(lane).name);
  const bool gpu = device.find("gpu") != device.npos;
  loading->gpu_seen |= gpu;
  loading->gpu_stream_seen |= gpu && device.find("stream:all") != device.npos;
}

LaneId LaneOf(std::string_view device, const Loading& loading) {
  StoreBuilder& store = loading.rows.store;
  if (loading.host.empty() || !HostOf(device).empty()) return store.AddDeviceLane(device);
  return store.AddDeviceLane(loading.host + std::string(device));
}

Stop LoadDevice(std::string_view message, Loading* loading) {
  constexpr ptrdiff_t kAheadBytes = 4096;
  RunRows& rows = loading->rows;
  std::string_view device = LeadingDevice(message);
  BeginDevice(LaneOf(device, *loading), loading->step, &rows);
  ++loading->devices;
  loading->records = 0;
  Stop stop;
  Fields fields(message);
  while (fields.Next()) {
    wire::PrefetchAhead(fields.position(), kAheadBytes);
    if (fields.tag() == Tag(2, kBytes)) {
      const std::string_view record = fields.Bytes();
      if (fields.bad() != nullptr) break;
      ++loading->records;
      AddRunRecord(record, &rows);
      if (!TimeToPoll(record.data(), loading, &stop)) return stop;
    } else if (fields.tag() == Tag(1, kBytes)) {
      device = fields.Bytes();
    } else {
      fields.Skip();
    }
  }
  const LaneId lane = LaneOf(device, *loading);
  EndDevice(lane, &rows);
  LookForGpu(lane, loading);
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

// ---- is it of the graph? -----------------------------------------------------------------------

// Of the records from `first` on that are of nodes, those of nodes that a graph has. Where these
// are most, not all are looked at.
Overlap RecordsOfGraph(EventId first, StoreBuilder& store) {
  constexpr int64_t kEnough = 1 << 16;
  Overlap overlap{"records",
                  "records of nodes that the graph lacks, most of a file: is it of this graph?", 0,
                  0};
  for (uint64_t row = first.value; row < store.next_event().value; ++row) {
    const NodeId node = store.label(store.label_of(EventId(row))).node;
    if (!node.some()) continue;
    ++overlap.own;
    overlap.shared += store.node(node).defined ? 1 : 0;
    if (overlap.own >= kEnough && !overlap.Few()) break;
  }
  return overlap;
}

// ---- the file ----------------------------------------------------------------------------------

Stop LoadMessage(const LoadArguments& arguments, Loading* loading) {
  Stop stop;
  Fields fields(loading->rows.file.bytes);
  while (fields.Next() && !stop.some()) {
    if (fields.tag() == Tag(1, kBytes)) {
      loading->step = loading->rows.store.AddStep(arguments.step);
      const std::string_view step_stats = fields.BytesOrRest();
      FindEpoch(step_stats, loading->rows.store);
      stop = LoadStepStats(step_stats, loading);
    } else {
      fields.Skip();
    }
  }
  if (!stop.some()) stop.bad = fields.bad();
  return stop;
}

Result<void> Load(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                  Context& context) {
  const SourceId source =
      store.AddSource({file.path, "run_metadata", file.file_bytes, file.bytes.size()});
  Loading loading{{file, store, source}, context, {file}, arguments.host};
  const EventId first = store.next_event();
  const Stop stop = LoadMessage(arguments, &loading);
  loading.pages.GiveBackAll();
  TFPROF_TRY(stop.cancelled);
  if (arguments.check_overlap) {
    TFPROF_TRY(CheckOverlap(RecordsOfGraph(first, store), file, store));
  }
  if (loading.step.some()) {
    store.step(loading.step).lacks_accelerator_stream |=
        loading.gpu_seen && !loading.gpu_stream_seen;
  }
  KeepAllocations(file, source, AllocationsOfRun, store);
  store.source(source).covered_nodes = store.covered_count();
  store.source(source).known_nodes = static_cast<int64_t>(store.node_count());
  TellAll(loading.rows);
  if (!loading.step.some()) {
    store.AddNote("run metadata without step statistics: adds no step", file.path);
  }
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
