// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "bench/generate.h"
#include "bench/model.h"
#include "core/wire_writer.h"

namespace tfprof {
namespace {

// Host threads and eight GPUs with 20 streams each. Of each plane, names and attributes are
// numbered from 1; field numbers are those of proto/xplane.proto.
constexpr int64_t kThreads = 100;
constexpr int64_t kGpus = 8;
constexpr int64_t kStreams = 20;
constexpr int64_t kLines = kThreads + kGpus * kStreams;
constexpr int64_t kStartNs = 1'700'000'000'000'000'000;

enum Key : int64_t { kOp = 1, kGroup, kCorrelation, kDetails, kContext, kMark, kFirstText };
constexpr std::string_view kKeyNames[] = {"tf_op",          "group_id",   "correlation_id",
                                          "kernel_details", "context_id", "_r"};
constexpr int64_t kLaunches = 64;  // different launch parameters
constexpr int64_t kMostNames = 4096;

struct Space {
  WireWriter& out;
  ModelSize size;

  int64_t names() const { return size.nodes < kMostNames ? size.nodes : kMostNames; }
  int64_t EventsOf(int64_t line) const {
    const int64_t events = size.nodes * size.steps;
    return events / kLines + (line < events % kLines ? 1 : 0);
  }
};

// Threads launch what streams run; some launches start two kernels.
int64_t CorrelationOf(int64_t line, int64_t index) {
  return 1 + line % kThreads * 1'000'000 + index;
}

// A number that is spread well and the same each time.
uint64_t Scatter(int64_t a, int64_t b) {
  uint64_t x = static_cast<uint64_t>(a) * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(b);
  x ^= x >> 31;
  x *= 0xD6E8FEB86659FD93u;
  return x ^ (x >> 29);
}

void WriteStat(WireWriter& out, Key key, int field, int64_t value) {
  out.Message(4, [&] {
    out.Int(1, key);
    out.Int(field, value);
  });
}

void WriteEvent(Space& space, bool on_gpu, int64_t line, int64_t index, int64_t* at_ps) {
  WireWriter& out = space.out;
  const uint64_t random = Scatter(line, index);
  const auto duration_ps = static_cast<int64_t>(1'000'000 + random % 60'000'000);
  const auto name = static_cast<int64_t>(random >> 20) % space.names();
  out.Message(4, [&] {
    out.Int(1, 1 + (name < 0 ? -name : name));
    out.Int(2, *at_ps + 1);
    out.Int(3, duration_ps);
    WriteStat(out, kGroup, 4, 1 + index * space.size.steps / (space.EventsOf(line) + 1));
    WriteStat(out, kCorrelation, 4, CorrelationOf(line, index));
    if (on_gpu) {
      const auto launch = static_cast<int64_t>(random >> 8 & 63);
      WriteStat(out, kDetails, 7, kFirstText + launch);
      WriteStat(out, kContext, 7, kFirstText + launch % 4);
      WriteStat(out, kOp, 7, kFirstText + kLaunches + (name < 0 ? -name : name));
    } else if (index % 8 == 0) {
      WriteStat(out, kMark, 4, 1);
    }
  });
  *at_ps += duration_ps + static_cast<int64_t>(random >> 40) % 5'000'000;
}

void WriteLine(Space& space, int64_t line, bool on_gpu, const std::string& name) {
  space.out.Message(3, [&] {
    space.out.Int(1, line + 1);
    space.out.Bytes(2, name);
    space.out.Int(3, kStartNs + line);
    int64_t at_ps = 0;
    for (int64_t i = 0; i < space.EventsOf(line); ++i) WriteEvent(space, on_gpu, line, i, &at_ps);
  });
}

void WriteName(WireWriter& out, int field, int64_t number, std::string_view name) {
  out.Message(field, [&] {
    out.Int(1, number);
    out.Message(2, [&] {
      out.Int(1, number);
      out.Bytes(2, name);
    });
  });
}

void WriteNames(Space& space, bool on_gpu) {
  WireWriter& out = space.out;
  for (int64_t i = 0; i < space.names(); ++i) {
    const std::string node = NodeNameOfModel(i);
    WriteName(out, 4, i + 1,
              on_gpu ? "kernel_of_" + node : node + ":" + std::string(NodeOfModel(i).type));
  }
  int64_t key = 1;
  for (const std::string_view name : kKeyNames) WriteName(out, 5, key++, name);
  for (int64_t i = 0; i < kLaunches; ++i) {
    WriteName(out, 5, key++,
              "regs:" + std::to_string(16 + i) + " static_shared:0 dynamic_shared:" +
                  std::to_string(i * 512) + " grid:" + std::to_string(i + 1) +
                  ",1,1 block:256,1,1 occ_pct:" + std::to_string(i));
  }
  if (!on_gpu) return;
  for (int64_t i = 0; i < space.names(); ++i) {
    WriteName(out, 5, key++, NodeNameOfModel(i) + ":" + std::string(NodeOfModel(i).type));
  }
}

// The lengths of a plane's lines stand before it, so they are written to measure them and once
// more to keep them: the memory needed is that of one line.
class PlaneWriter {
 public:
  PlaneWriter(const ModelSize& size, Sink& sink, int64_t first_line, int64_t lines, int64_t gpu)
      : size_(size), sink_(sink), first_(first_line), lines_(lines), gpu_(gpu) {}

  Result<void> Write() {
    size_t bytes = Part(-1).size() + Part(lines_).size();
    for (int64_t i = 0; i < lines_; ++i) bytes += Part(i).size();
    WireWriter out(&sink_.buffer);
    out.Varint(1 << 3 | 2);
    out.Varint(bytes);
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
    Space space{out, size_};
    if (part < 0) {
      out.Int(1, gpu_ + 1);
      out.Bytes(2, gpu_ < 0 ? "/host:CPU" : "/device:GPU:" + std::to_string(gpu_));
    } else if (part == lines_) {
      WriteNames(space, gpu_ >= 0);
    } else if (gpu_ < 0) {
      WriteLine(space, first_ + part, false, "thread " + std::to_string(part));
    } else {
      WriteLine(space, first_ + part, true, "Stream #" + std::to_string(part + 7) + "(Compute)");
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
  return Generated{.nodes = size.nodes, .records = size.nodes * size.steps};
}

}  // namespace tfprof
