// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/core.h>
#include <google/protobuf/arena.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "bench/generators/generate.h"
#include "bench/runners/files.h"
#include "bench/runners/measure.h"
#include "bench/runners/program.h"
#include "loaders/io/mapping.h"
#include "loaders/open.h"
#include "proto/graph.pb.h"
#include "proto/run_metadata.pb.h"
#include "proto/tfprof_log.pb.h"
#include "proto/xplane.pb.h"
#include "published/graph.pb.h"
#include "published/run_metadata.pb.h"
#include "published/tfprof_log.pb.h"
#include "published/xplane.pb.h"

// bench_ingest: the cost of opening a file. Ours ends with a store that answers every query without
// the file; libprotobuf ends with its objects, which answer none yet. libprotobuf reads with the
// published schemas, and once with ours, whose texts are `bytes`: no UTF-8 check.

namespace tfprof {
namespace {

struct Mapping {
  const char* data = nullptr;
  size_t size = 0;
};

Result<Mapping> MapFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0) return Fail(ErrorKind::unreadable, "cannot be read", path);
  const auto size = static_cast<size_t>(info.st_size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (data == MAP_FAILED) return Fail(ErrorKind::unreadable, "cannot be mapped", path);
  return Mapping{static_cast<const char*>(data), size};
}

// ---- records found by each way of reading; nodes of a graph -------------------------------------

template <class RunMetadata>
int64_t RunRecords(const RunMetadata& message) {
  int64_t records = 0;
  for (const auto& device : message.step_stats().dev_stats()) records += device.node_stats_size();
  return records;
}
int64_t Records(const pb::RunMetadata& message) { return RunRecords(message); }
int64_t Records(const published::RunMetadata& message) { return RunRecords(message); }

int64_t TimesOf(const pb::ExecTimeEntry& entry) { return entry.value().times_size(); }
template <class Entry>
int64_t TimesOf(const Entry& entry) {
  return entry.second.times_size();
}

template <class ProfileProto>
int64_t ProfileRecords(const ProfileProto& message) {
  int64_t records = 0;
  for (const auto& [id, node] : message.nodes()) {
    for (const auto& [step, exec] : node.execs()) {
      for (const auto& entry : exec.cpu_execs()) records += TimesOf(entry);
      for (const auto& entry : exec.accelerator_execs()) records += TimesOf(entry);
    }
  }
  return records;
}
int64_t Records(const pb::ProfileProto& message) { return ProfileRecords(message); }
int64_t Records(const published::ProfileProto& message) { return ProfileRecords(message); }

template <class XSpace>
int64_t TraceRecords(const XSpace& message) {
  int64_t records = 0;
  for (const auto& plane : message.planes()) {
    for (const auto& line : plane.lines()) records += line.events_size();
  }
  return records;
}
int64_t Records(const pb::XSpace& message) { return TraceRecords(message); }
int64_t Records(const published::XSpace& message) { return TraceRecords(message); }

int64_t Records(const pb::GraphDef& message) { return message.node_size(); }
int64_t Records(const published::GraphDef& message) { return message.node_size(); }

// ---- ways of reading ---------------------------------------------------------------------------

// The lower bound: touch every byte.
Result<Outcome> SumBytes(const std::string& path) {
  TFPROF_ASSIGN(const Mapping file, MapFile(path));
  uint64_t sum = 0;
  for (size_t i = 0; i + 8 <= file.size; i += 8) {
    uint64_t word = 0;
    __builtin_memcpy(&word, file.data + i, 8);
    sum += word;
  }
  return Outcome{nullptr, [sum] { return sum == 1 ? -2 : -1; }};
}

template <class Message>
Result<Outcome> ParseInto(const std::string& path, std::shared_ptr<void> keep, Message* message) {
  TFPROF_ASSIGN(const Mapping file, MapFile(path));
  if (file.size > INT32_MAX || !message->ParseFromArray(file.data, static_cast<int>(file.size))) {
    return Fail(ErrorKind::corrupt, "libprotobuf refuses it", path);
  }
  return Outcome{std::move(keep), [message] { return Records(*message); }};
}

template <class Message>
Result<Outcome> ParseOnHeap(const std::string& path) {
  auto message = std::make_shared<Message>();
  return ParseInto(path, message, message.get());
}

template <class Message>
Result<Outcome> ParseOnArena(const std::string& path) {
  google::protobuf::ArenaOptions options;
  options.start_block_size = size_t{1} << 20;
  options.max_block_size = size_t{64} << 20;  // larger than the default: fewer, cheaper blocks
  auto arena = std::make_shared<google::protobuf::Arena>(options);
  auto* message = google::protobuf::Arena::CreateMessage<Message>(arena.get());
  return ParseInto(path, arena, message);
}

Result<Outcome> LoadStore(const std::string& path, const std::string& format) {
  Context context;
  TFPROF_ASSIGN(const StorePtr store, Load({Input{path, format}}, context));
  // A profile without a run is counted in nodes.
  const size_t events = store->EventCount();
  const size_t records = events != 0 ? events : store->nodes.size();
  return Outcome{store, [records] { return static_cast<int64_t>(records); }};
}

// ---- formats -----------------------------------------------------------------------------------

struct Format {
  const char* name;  // of loaders/
  Result<Generated> (*write)(const ModelSize& size, Sink& sink);
  Result<Outcome> (*heap)(const std::string& path);
  Result<Outcome> (*arena)(const std::string& path);
  Result<Outcome> (*arena_of_bytes)(const std::string& path);
  double least_speedup;  // the goal: user time relative to the arena; 0: none
  double most_memory;    // the goal: anonymous memory as a multiple of the file
};

Result<Generated> WriteSteps(const ModelSize& size, Sink& sink) {
  return WriteRunMetadata(size, 0, sink);
}
Result<Generated> WriteNodes(const ModelSize& size, Sink& sink) {
  return WriteGraph(size.nodes * size.steps, sink);
}

template <class Published, class Ours>
constexpr Format FormatOf(const char* name, Result<Generated> (*write)(const ModelSize&, Sink&),
                          double least_speedup, double most_memory) {
  return {name,
          write,
          ParseOnHeap<Published>,
          ParseOnArena<Published>,
          ParseOnArena<Ours>,
          least_speedup,
          most_memory};
}

constexpr Format kFormats[] = {
    FormatOf<published::RunMetadata, pb::RunMetadata>("run_metadata", WriteSteps, 2.5, 0.5),
    FormatOf<published::ProfileProto, pb::ProfileProto>("profile", WriteProfile, 4, 0.6),
    FormatOf<published::XSpace, pb::XSpace>("xspace", WriteXSpace, 15, 0.6),
    FormatOf<published::GraphDef, pb::GraphDef>("graphdef", WriteNodes, 0, 0),
};

const char* const kModes[] = {"bytes summed", "libprotobuf heap", "libprotobuf arena",
                              "arena, no strings", "tfprof"};
constexpr size_t kModeCount = std::size(kModes);
constexpr size_t kArena = 2;
constexpr size_t kArenaOfBytes = 3;
constexpr size_t kOurs = 4;

Result<Outcome> Read(const Format& format, size_t mode, const std::string& path) {
  switch (mode) {
    case 0: return SumBytes(path);
    case 1: return format.heap(path);
    case kArena: return format.arena(path);
    case kArenaOfBytes: return format.arena_of_bytes(path);
    default: return LoadStore(path, format.name);
  }
}

struct Options {
  ModelSize size{.nodes = 25'000, .steps = 40};
  int rounds = 5;
  std::string only;  // a format's name
  std::string file;  // measured in place of a generated one
  int mode = -1;     // of the measuring process
};

using Rounds = std::vector<Cost>;

void PrintTable(const Format& format, const std::vector<Rounds>& modes, double bytes) {
  const double arena_s = Best(modes[kArena], &Cost::user_s);
  fmt::print("{:<20}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "user s", "(median)", "wall s",
             "MB/s", "vs arena", "anon");
  for (size_t mode = 0; mode < kModeCount; ++mode) {
    const double user_s = Best(modes[mode], &Cost::user_s);
    fmt::print("{:<20}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.0f}{:>9.2f}x{:>9.2f}x\n", kModes[mode],
               user_s, Median(modes[mode], &Cost::user_s), Best(modes[mode], &Cost::wall_s),
               bytes / user_s / 1e6, arena_s / user_s,
               static_cast<double>(modes[mode].back().anon_bytes) / bytes);
  }
  if (format.least_speedup == 0) return;
  const double speedup = arena_s / Best(modes[kOurs], &Cost::user_s);
  const double memory = static_cast<double>(modes[kOurs].back().anon_bytes) / bytes;
  fmt::print("goal: {:.1f}x as fast as the arena: {}; at most {:.1f}x of the file: {}\n",
             format.least_speedup, speedup >= format.least_speedup ? "met" : "MISSED",
             format.most_memory, memory <= format.most_memory ? "met" : "MISSED");
}

Result<void> CheckCounts(const std::vector<Rounds>& modes) {
  const int64_t expected = modes[kArena].back().count;
  for (size_t mode = 1; mode < kModeCount; ++mode) {
    if (modes[mode].back().count == expected) continue;
    return Fail(ErrorKind::internal, fmt::format("{} finds {} records, the arena {}", kModes[mode],
                                                 modes[mode].back().count, expected));
  }
  return {};
}

Result<void> MeasureFormat(const Format& format, const Options& options, const std::string& path) {
  std::vector<Rounds> modes(kModeCount);
  for (int round = 0; round < options.rounds; ++round) {
    for (size_t mode = 0; mode < kModeCount; ++mode) {
      TFPROF_ASSIGN(const Cost cost, MeasureInChild({"--file", path, "--only", format.name,
                                                     "--mode", std::to_string(mode)}));
      modes[mode].push_back(cost);
    }
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  fmt::print("\n{}: {:.0f} MB, {} records; best of {} rounds\n", format.name, bytes / 1e6,
             modes[kArena].back().count, options.rounds);
  PrintTable(format, modes, bytes);
  std::fflush(stdout);
  return CheckCounts(modes);
}

Result<void> MeasureAll(const Options& options) {
  const ScratchFolder folder;
  for (const Format& format : kFormats) {
    if (!options.only.empty() && options.only != format.name) continue;
    std::string path = options.file;
    if (path.empty()) {
      path = folder.File(format.name);
      TFPROF_TRY(WriteFile(path, [&](Sink& sink) { return format.write(options.size, sink); }));
    }
    TFPROF_TRY(MeasureFormat(format, options, path));
    if (options.file.empty()) std::filesystem::remove(path);
  }
  return {};
}

[[noreturn]] void MeasureOne(const Options& options) {
  for (const Format& format : kFormats) {
    if (options.only != format.name) continue;
    ReportAndExit(
        CostOf([&] { return Read(format, static_cast<size_t>(options.mode), options.file); }));
  }
  ReportAndExit(Fail(ErrorKind::usage, "no such format"));
}

int Main(int argc, char** argv) {
  CLI::App app("What it costs to open a file: tfprof and libprotobuf, in turns.");
  Options options;
  app.add_option("--nodes", options.size.nodes, "of the model")->capture_default_str();
  app.add_option("--steps", options.size.steps, "of the model; a graph has nodes * steps nodes")
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "of which the best counts")->capture_default_str();
  app.add_option("--only", options.only, "run_metadata, profile, xspace or graphdef");
  app.add_option("--file", options.file, "measure this file; needs --only")->needs("--only");
  app.add_option("--mode", options.mode)->group("");  // the measuring process
  CLI11_PARSE(app, argc, argv);
  if (options.mode >= 0) MeasureOne(options);
  return Ended(MeasureAll(options));
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) {
  tfprof::CatchShrinkingFiles();  // or files would be read into memory
  return tfprof::Main(argc, argv);
}
