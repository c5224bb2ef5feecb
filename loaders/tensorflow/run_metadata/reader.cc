// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/reader.h"

#include <vector>

#include "core/base/ascii.h"
#include "loaders/epoch.h"
#include "loaders/tensorflow/device_lane.h"
#include "loaders/tensorflow/hosts.h"
#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "proto/run_metadata_fields.h"
#include "proto/step_stats_fields.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::Tag;

struct ReadingRun {
  RunFile& run;
  const StoredRuns& known;
  RunPart& part;
  const RunPause& pause;
  const char* next_pause;
  Result<void> stopped = {};  // result of the pause

  bool stop() const { return run.bad != nullptr || !stopped; }
};

// Fields of RunMetadata and StepStats besides the one that is read.
struct Others {
  std::string_view message;
  uint64_t unread;
};
// Fields that our schema leaves out.
enum class OtherRunField : uint32_t { cost_graph = 2, session_metadata = 5 };
constexpr Others kRunOthers{
    "RunMetadata",
    FieldSet(field::RunMetadata::partition_graphs, field::RunMetadata::function_graphs,
             OtherRunField::cost_graph, OtherRunField::session_metadata)};
constexpr Others kStepOthers{"StepStats", 0};
constexpr uint64_t kUnreadOfDevice = FieldSet(field::DeviceStepStats::thread_names);

// Calls `each` with every message in field `kField` of `message`.
template <FieldNumber kField, class Each>
const char* EachMessage(std::string_view message, const Others& others, UnknownFields* unknown,
                        Each each) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() == Tag(kField, kBytes)) {
      each(fields.BytesOrRest());
    } else {
      SkipOther(fields, others.message, others.unread, unknown);
    }
  }
  return fields.bad();
}

// ---- devices and steps -------------------------------------------------------------------------

// Returns the device of a DeviceStepStats. It is nearly always the first field; otherwise all
// fields are scanned and the last one counts.
std::string_view LeadingDevice(std::string_view message) {
  std::string_view text;
  Fields fields(message);
  for (bool first = true; fields.Next(); first = false) {
    if (fields.tag() == Tag(field::DeviceStepStats::device, kBytes)) {
      text = fields.Bytes();
      if (first) return text;
    } else {
      fields.Skip();
    }
  }
  return text;
}

void AddDevice(std::string_view text, bool begins, ReadingRun* reading) {
  const std::string device = WithHost(text, reading->run.arguments.host);
  const std::string lower = LowerCase(device);
  const LaneRole role = RoleOfDevice(lower);
  reading->part.devices.push_back({.text = text,
                                   .lane = reading->known.store.FindLane(lower),
                                   .may_copy = role == LaneRole::stream || role == LaneRole::copies,
                                   .begins = begins});
}

// Called inside a device; everything before `at` was read.
bool Pause(const char* at, ReadingRun* reading) {
  RunPart& part = reading->part;
  const std::string_view device = part.devices.back().text;
  EndRecords(reading->known, &part);
  reading->stopped = reading->pause.call(at);
  if (part.devices.empty()) AddDevice(device, false, reading);
  reading->next_pause = at + reading->pause.bytes;
  return reading->stopped.has_value();
}

void ReadDevice(std::string_view message, ReadingRun* reading) {
  constexpr ptrdiff_t kAheadBytes = 4096;
  RunFile& run = reading->run;
  std::string_view device = LeadingDevice(message);
  AddDevice(device, true, reading);
  ++run.devices;
  run.records = 0;
  Fields fields(message);
  while (fields.Next()) {
    wire::PrefetchAhead(fields.position(), kAheadBytes);
    if (fields.tag() == Tag(field::DeviceStepStats::node_stats, kBytes)) {
      const std::string_view record = fields.Bytes();
      if (fields.bad() != nullptr) break;
      ++run.records;
      AddRecord(record, reading->known, &reading->part);
      if (fields.position() >= reading->next_pause && !Pause(fields.position(), reading)) return;
    } else if (fields.tag() == Tag(field::DeviceStepStats::device, kBytes)) {
      device = fields.Bytes();
    } else {
      SkipOther(fields, "DeviceStepStats", kUnreadOfDevice, &run.unknown);
    }
  }
  EndRecords(reading->known, &reading->part);
  reading->part.devices.back().ends = true;
  reading->part.devices.back().last_text = device;
  run.bad = fields.bad();
}

void ReadStepStats(std::string_view message, ReadingRun* reading) {
  const auto read = [=](std::string_view device) {
    if (!reading->stop()) ReadDevice(device, reading);
  };
  const char* bad =
      EachMessage<field::StepStats::dev_stats>(message, kStepOthers, &reading->run.unknown, read);
  if (reading->run.bad == nullptr) reading->run.bad = bad;
}

// ---- time 0 ------------------------------------------------------------------------------------

void SampleStarts(std::string_view device, std::vector<int64_t>* starts) {
  const auto sample = [=](std::string_view record) -> const char* {
    int64_t start_us = 0;
    wire::ReadMessage(record, wire::Number<field::NodeExecStats::all_start_micros>(&start_us));
    if (start_us > 0) starts->push_back(start_us);
    // Any place ends the walk.
    return starts->size() < kSampleStarts ? nullptr : record.data();
  };
  wire::ReadMessage(device, wire::Each<field::DeviceStepStats::node_stats>(sample));
}

void FindEpoch(std::string_view step_stats, StoreBuilder& store) {
  if (store.has_epoch()) return;
  std::vector<int64_t> starts;
  UnknownFields unused;  // they are counted after everything is read
  const auto sample = [&](std::string_view device) {
    if (starts.size() < kSampleStarts) SampleStarts(device, &starts);
  };
  EachMessage<field::StepStats::dev_stats>(step_stats, kStepOthers, &unused, sample);
  SetEpoch(starts, store);
}

}  // namespace

void BeginFile(RunFile* run, StoreBuilder& store) {
  const SourceFile& file = run->file;
  run->source = store.AddSource({file.path, "run_metadata", file.file_bytes, file.bytes.size()});
  UnknownFields unused;
  const auto begin = [&](std::string_view step_stats) {
    run->step = store.AddStep(run->arguments.step);
    FindEpoch(step_stats, store);
  };
  EachMessage<field::RunMetadata::step_stats>(file.bytes, kRunOthers, &unused, begin);
}

Result<void> ReadRuns(RunFile* run, const StoredRuns& known, RunPart* part, const RunPause& pause) {
  const std::string_view bytes = run->file.bytes;
  Clear(part);
  part->file = &run->file;
  part->epoch_us = known.store.epoch_ns() / kNsPerUs;
  ReadingRun reading{*run, known, *part, pause, bytes.data() + pause.bytes};
  const auto read = [&](std::string_view step_stats) {
    if (!reading.stop()) ReadStepStats(step_stats, &reading);
  };
  const char* bad =
      EachMessage<field::RunMetadata::step_stats>(bytes, kRunOthers, &run->unknown, read);
  if (run->bad == nullptr) run->bad = bad;
  return reading.stopped;
}

}  // namespace tfprof
