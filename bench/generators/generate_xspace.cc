// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "bench/generators/generate.h"
#include "bench/generators/model.h"
#include "bench/generators/trace_event.h"
#include "core/base/wire_writer.h"
#include "proto/xplane_fields.h"

namespace tfprof {
namespace {

using namespace trace;

constexpr int64_t kStartNs = 1'700'000'000'000'000'000;

void WriteLine(const ModelSize& size, int64_t line, const std::string& name, WireWriter& out) {
  out.Message(field::XPlane::lines, [&] {
    out.Int(field::XLine::id, line + 1);
    out.Bytes(field::XLine::name, name);
    out.Int(field::XLine::timestamp_ns, kStartNs + line);
    int64_t at_ps = 0;
    for (int64_t i = 0; i < EventsOf(size, line); ++i) WriteEvent(size, line, i, &at_ps, out);
  });
}

void WriteName(WireWriter& out, FieldNumber field, int64_t number, std::string_view name) {
  out.Message(field, [&] {
    out.Int(MapEntryField::key, number);
    out.Message(MapEntryField::value, [&] {
      out.Int(field::XEventMetadata::id, number);
      out.Bytes(field::XEventMetadata::name, name);
    });
  });
}

void WriteNames(const ModelSize& size, bool on_gpu, WireWriter& out) {
  int64_t number = 1;
  for (int64_t i = 0; i < NamesOf(size); ++i) {
    const std::string node = NodeNameOfModel(i);
    WriteName(out, field::XPlane::event_metadata, number++,
              on_gpu ? "kernel_of_" + node : node + ":" + std::string(NodeOfModel(i).type));
  }
  for (const std::string_view name : kMoreNames)
    WriteName(out, field::XPlane::event_metadata, number++, name);
  int64_t key = 1;
  for (const std::string_view name : kKeyNames)
    WriteName(out, field::XPlane::stat_metadata, key++, name);
  for (int64_t i = 0; i < kLaunches; ++i) {
    WriteName(out, field::XPlane::stat_metadata, key++,
              "regs:" + std::to_string(16 + i) + " static_shared:0 dynamic_shared:" +
                  std::to_string(i * 512) + " grid:" + std::to_string(i + 1) +
                  ",1,1 block:256,1,1 occ_pct:" + std::to_string(i));
  }
  for (const std::string_view text : kTexts)
    WriteName(out, field::XPlane::stat_metadata, key++, text);
  for (int64_t i = 0; i < NamesOf(size); ++i) {
    WriteName(out, field::XPlane::stat_metadata, key++,
              NodeNameOfModel(i) + ":" + std::string(NodeOfModel(i).type));
  }
}

// The lengths of a plane's lines precede it, so lines are written twice: to measure them and to
// keep them. Memory use is that of one line.
class PlaneWriter {
 public:
  PlaneWriter(const ModelSize& size, Sink& sink, int64_t first_line, int64_t lines, int64_t gpu)
      : size_(size), sink_(sink), first_(first_line), lines_(lines), gpu_(gpu) {}

  Result<void> Write() {
    size_t bytes = Part(-1).size() + Part(lines_).size();
    for (int64_t i = 0; i < lines_; ++i) bytes += Part(i).size();
    WireWriter out(&sink_.buffer);
    out.BeginMessage(field::XSpace::planes, bytes);
    for (int64_t i = -1; i <= lines_; ++i) {
      sink_.Append(Part(i));
      TFPROF_TRY(sink_.MaybeFlush());
    }
    return {};
  }

 private:
  // -1: the head; then the lines; then the names.
  std::string Part(int64_t part) const {
    std::string bytes;
    WireWriter out(&bytes);
    if (part < 0) {
      out.Int(field::XPlane::id, gpu_ + 1);
      out.Bytes(field::XPlane::name,
                gpu_ < 0 ? "/host:CPU" : "/device:GPU:" + std::to_string(gpu_));
    } else if (part == lines_) {
      WriteNames(size_, gpu_ >= 0, out);
    } else if (gpu_ < 0) {
      WriteLine(size_, first_ + part, "thread " + std::to_string(part), out);
    } else {
      const bool copies = KindOfLine(first_ + part) == LineKind::copies;
      WriteLine(size_, first_ + part,
                "Stream #" + std::to_string(part + 7) + (copies ? "(MemcpyH2D)" : "(Compute)"),
                out);
    }
    return bytes;
  }

  const ModelSize& size_;
  Sink& sink_;
  int64_t first_, lines_, gpu_;
};

}  // namespace

Result<Generated> WriteXSpace(const ModelSize& size, Sink& sink) {
  TFPROF_TRY(PlaneWriter(size, sink, 0, kThreads, -1).Write());
  for (int64_t gpu = 0; gpu < kGpus; ++gpu) {
    TFPROF_TRY(PlaneWriter(size, sink, kThreads + gpu * kStreams, kStreams, gpu).Write());
  }
  TFPROF_TRY(sink.Flush());
  Generated generated{.nodes = size.nodes};
  for (int64_t line = 0; line < kLines; ++line) generated.records += EventsOf(size, line);
  return generated;
}

}  // namespace tfprof
