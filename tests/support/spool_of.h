// SPDX-License-Identifier: Apache-2.0
// A spool that a test fills, and the trace of it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/model/definition_reader.h"
#include "capture/shim/spool_file.h"
#include "capture/spool/format.h"
#include "capture/spool/reader.h"
#include "capture/writers/tensorflow_export.h"
#include "capture/writers/trace.h"
#include "capture/writers/trace_counts.h"
#include "capture/writers/xspace.h"
#include "proto/xplane.pb.h"

namespace tfprof::capture {

inline constexpr uint64_t kStart = 1'000'000'000;  // ns
inline constexpr uint32_t kThread = 100;

// Times are ns from kStart.
class Spool {
 public:
  Spool() {
    char name[] = "/tmp/capture-test-XXXXXX";
    folder_ = mkdtemp(name);
    REQUIRE(file_->Create(folder_.c_str(), 1 << 24) == 0);
    file_->Add(0, ClockRecord{.realtime = kStart});
  }
  ~Spool() { std::filesystem::remove_all(folder_); }

  void Name(uint32_t id, const char* text) { file_->AddText(RecordKind::name, id, text); }
  void Push(uint64_t at, uint32_t name, uint16_t domain = 0, uint32_t thread = kThread) {
    PushRecord push{.time = kStart + at, .domain = domain};
    push.head.id = name;
    file_->Add(thread, push);
  }
  void Pop(uint64_t at, uint16_t domain = 0, uint32_t thread = kThread) {
    PopRecord pop{.time = kStart + at};
    pop.head.id = domain;
    file_->Add(thread, pop);
  }
  // What the thread was in when a window began: names, the outermost first; pushed at these times,
  // or in a pause (0).
  void Resume(uint32_t window, uint64_t at,
              const std::vector<std::pair<uint32_t, uint64_t>>& open = {}) {
    ResumeRecord resume{.time = kStart + at};
    resume.head.id = window;
    file_->Add(kThread, resume);
    for (const auto& [name, time] : open) {
      PushRecord reopen{.time = time == 0 ? 0 : kStart + time};
      reopen.head = {RecordKind::reopen, sizeof reopen, name};
      file_->Add(kThread, reopen);
    }
  }
  void Window(uint32_t id, uint64_t from, uint64_t to, WindowCause cause = WindowCause::time,
              int64_t first_step = -1) {
    WindowRecord window{
        .start = kStart + from, .end = kStart + to, .step = first_step, .cause = cause};
    window.head.id = id;
    file_->Add(0, window);
  }
  void Info(const char* key, const char* value) { file_->AddInfo(key, value); }
  void Call(uint64_t from, uint64_t to, uint32_t correlation, uint32_t thread = kThread) {
    CallRecord call{
        .start = kStart + from, .end = kStart + to, .domain = ApiDomain::driver, .callback = 307};
    call.head.id = correlation;
    file_->Add(thread, call);
  }
  void Lane(uint32_t id, uint32_t device, uint32_t stream) {
    LaneRecord lane{.device = device, .context = 1, .stream = stream};
    lane.head.id = id;
    file_->Add(0, lane);
  }
  void Shape(uint32_t id, uint32_t name) {
    KernelShapeRecord shape{.name = name, .registers = 8, .grid = {2, 1, 1}, .block = {32, 1, 1}};
    shape.head.id = id;
    file_->Add(0, shape);
  }
  // A GPU whose kernels all have that name.
  void Gpu(uint32_t name, uint32_t stream = 7) {
    Lane(1, 0, stream);
    Shape(1, name);
  }
  void Kernel(uint64_t from, uint64_t to, uint32_t correlation, uint32_t lane = 1) {
    KernelRecord kernel{.shape = 1};
    kernel.work.head.id = lane;
    kernel.work.start = from == 0 && to == 0 ? 0 : kStart + from;
    kernel.work.end = from == 0 && to == 0 ? 0 : kStart + to;
    kernel.work.correlation = correlation;
    file_->Add(0, kernel);
  }
  template <class Record>
  void Add(const Record& record) {
    file_->Add(0, record);
  }

  // By then all that was recorded before is written.
  void Clock(uint64_t at) { file_->Add(0, ClockRecord{.realtime = kStart + at}); }
  void Memory(uint64_t at, uint64_t bytes, bool is_release, uint32_t correlation = 0) {
    MemoryRecord memory{.time = kStart + at,
                        .address = 64,
                        .bytes = bytes,
                        .correlation = correlation,
                        .is_release = is_release,
                        .kind = 3};
    memory.head.id = 1;
    file_->Add(0, memory);
  }
  // Writes what was added, and returns where.
  std::filesystem::path Write() {
    REQUIRE(file_->Flush() == 0);
    return std::filesystem::directory_iterator(folder_ / "spool")->path();
  }
  // The process ends.
  void End() {
    file_->Add(0, EndRecord{});
    Write();
    file_->Forget();
  }
  const std::filesystem::path& folder() const { return folder_; }

  // Reads a file that the export wrote.
  template <class Message>
  Message Exported(const char* ending) const {
    std::ifstream in(folder_ / (std::string("a") + ending), std::ios::binary);
    Message message;
    REQUIRE(message.ParseFromIstream(&in));
    return message;
  }

  bool Exists(const char* ending) const {
    return std::filesystem::exists(folder_ / (std::string("a") + ending));
  }

  pb::XSpace Trace(TraceCounts* counts, uint32_t export_steps = 0) {
    SpoolReader reader;
    REQUIRE(reader.Open(Write().string()) == 0);
    const Definitions definitions = ReadDefinitions(&reader);
    XSpace space(folder_.string(), kStart);
    std::unique_ptr<TensorflowExport> also_to;
    if (export_steps > 0) {
      also_to = std::make_unique<TensorflowExport>(definitions, folder_.string(), export_steps);
    }
    capture::Trace trace(definitions, &space, also_to.get());
    reader.Rewind();
    Block block;
    while (reader.Next(&block)) {
      EachRecord(block.records, [&](const RecordHead& head) { trace.Take(block.thread, head); });
    }
    trace.Finish();
    *counts = trace.counts();
    if (also_to != nullptr) REQUIRE(also_to->Write((folder_ / "a").string()) == 0);
    const std::string path = (folder_ / "a.xplane.pb").string();
    const int out = open(path.c_str(), O_CREAT | O_RDWR, 0600);
    REQUIRE(space.Write(out) == 0);
    lseek(out, 0, SEEK_SET);
    pb::XSpace parsed;
    REQUIRE(parsed.ParseFromFileDescriptor(out));
    close(out);
    return parsed;
  }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<SpoolFile> file_ = std::make_unique<SpoolFile>();
};

// "line: name start+duration key=value ...", times in ns from kStart.
inline std::vector<std::string> Events(const pb::XPlane& plane, uint64_t from = kStart) {
  std::vector<std::string> events;
  for (const pb::XLine& line : plane.lines()) {
    CHECK(line.timestamp_ns() == static_cast<int64_t>(from));
    for (const pb::XEvent& event : line.events()) {
      std::string text =
          line.name() + ": " + plane.event_metadata().at(event.metadata_id()).name() + " " +
          std::to_string(from - kStart + static_cast<uint64_t>(event.offset_ps()) / 1000) + "+" +
          std::to_string(event.duration_ps() / 1000);
      for (const pb::XStat& stat : event.stats()) {
        text += " " + plane.stat_metadata().at(stat.metadata_id()).name() + "=";
        text += stat.ref_value() != 0
                    ? plane.stat_metadata().at(static_cast<int64_t>(stat.ref_value())).name()
                    : std::to_string(stat.int64_value());
      }
      events.push_back(text);
    }
  }
  return events;
}

}  // namespace tfprof::capture
