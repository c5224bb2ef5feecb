// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>

#include "bench/generators/generate.h"
#include "bench/runners/files.h"
#include "bench/runners/program.h"
#include "core/store/details.h"
#include "loaders/io/source.h"
#include "loaders/open.h"
#include "loaders/xspace/layout.h"
#include "views/view.h"

// bench_tools: the cost of trace queries after opening, compared with reading the columns of its
// events once.

namespace tfprof {
namespace {

struct Options {
  ModelSize size{.nodes = 25'000, .steps = 40};  // their product is the number of events
  std::string file;
  std::string only;  // part of a line's name
  int rounds = 5;
};

struct Times {
  double cpu_s = std::numeric_limits<double>::infinity();
  double wall_s = std::numeric_limits<double>::infinity();

  void Keep(const Times& other) {
    cpu_s = std::min(cpu_s, other.cpu_s);
    wall_s = std::min(wall_s, other.wall_s);
  }
};

class Watch {
 public:
  Times Stop() const { return {CpuSeconds() - cpu_s_, WallSeconds() - wall_s_}; }

 private:
  double cpu_s_ = CpuSeconds();
  double wall_s_ = WallSeconds();
};

struct Measured {
  StorePtr store;
  const Options& options;
  Times columns;  // reading the columns of all events once

  double PerEvent(double seconds) const {
    return seconds * 1e9 / static_cast<double>(std::max<size_t>(store->EventCount(), 1));
  }
  void Print(const std::string& name, const Times& times, size_t rows) const {
    fmt::print("{:<40}{:>10.1f}{:>10.1f}{:>10.2f}{:>9.1f}x{:>12}\n", name, times.cpu_s * 1e3,
               times.wall_s * 1e3, PerEvent(times.cpu_s), times.cpu_s / columns.cpu_s, rows);
  }
};

// The lower bound of a query over all events: read each of the four columns once.
Times ReadColumns(const Store& store, int rounds) {
  Times best;
  for (int round = 0; round < rounds; ++round) {
    const Watch watch;
    int64_t sum = 0;
    for (size_t row = 0; row < store.EventCount(); ++row) {
      sum ^= store.events.start_ps[row] + store.events.duration_ps[row] +
             store.events.label[row].value + store.events.detail[row];
    }
    asm volatile("" : : "r"(sum));
    best.Keep(watch.Stop());
  }
  return best;
}

// The process of a kind with the most events, from which keys are read.
ProcessId Largest(const Store& store, ProcessKind kind) {
  ProcessId largest;
  size_t max = 0;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != kind) continue;
    size_t events = 0;
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      events += store.lanes[process.lanes.first + k].rows.count;
    }
    if (events > max) largest = ProcessId(i);
    max = std::max(max, events);
  }
  return largest;
}

// Reads one key of one process for the first time; ns are per event of the process.
Result<void> MeasureKey(const Measured& of, ProcessKind kind, std::string_view key) {
  const ProcessId process = Largest(*of.store, kind);
  if (!process.some()) return {};
  Times best;
  size_t rows = 0;
  for (int round = 0; round < of.options.rounds; ++round) {
    Context context;
    const Watch watch;
    TFPROF_ASSIGN(const DetailColumn column,
                  ReadColumn(*of.store, process, DetailKey::Named(key), context));
    best.Keep(watch.Stop());
    rows = column.rows.count;
  }
  fmt::print(
      "{:<40}{:>10.1f}{:>10.1f}{:>10.2f}{:>10}{:>12}\n",
      fmt::format("key {} of {}", key, of.store->Text(of.store->processes[process.value].name)),
      best.cpu_s * 1e3, best.wall_s * 1e3,
      best.cpu_s * 1e9 / static_cast<double>(std::max<size_t>(rows, 1)), "", rows);
  return {};
}

Result<void> MeasureView(const Measured& of, const View& view) {
  Times first, again;
  size_t rows = 0;
  for (int round = 0; round < of.options.rounds; ++round) {
    const Indexes indexes(of.store);
    for (Times* times : {&first, &again}) {
      Context context;
      const Watch watch;
      TFPROF_ASSIGN(const Report report, view.make(of.store, indexes, Query{}, context));
      times->Keep(watch.Stop());
      rows = report.tables.empty() ? 0 : report.tables.front().rows;
    }
  }
  of.Print(std::string(view.name) + ", first", first, rows);
  of.Print(std::string(view.name), again, rows);
  return {};
}

// Reads planes, lines and names, but no events.
Result<Times> MeasureStructure(const std::string& path, int rounds) {
  Times best;
  for (int round = 0; round < rounds; ++round) {
    Context context;
    TFPROF_ASSIGN(const SourceFile file, OpenSource(path, context));
    const Watch watch;
    const xspace::Layout layout = xspace::ReadLayout(file.bytes);
    asm volatile("" : : "r"(layout.planes.data()));
    best.Keep(watch.Stop());
  }
  return best;
}

Result<void> MeasureFile(const std::string& path, const Options& options) {
  TFPROF_ASSIGN(const Times structure, MeasureStructure(path, options.rounds));
  Context context;
  const Watch watch;
  TFPROF_ASSIGN(StorePtr store, Load({Input{path, "xspace"}}, context));
  const Times load = watch.Stop();
  const Times columns = ReadColumns(*store, options.rounds);
  const Measured of{std::move(store), options, columns};
  fmt::print("{} events, {:.0f} MB; best of {}\n", of.store->EventCount(),
             static_cast<double>(std::filesystem::file_size(path)) / 1e6, options.rounds);
  fmt::print("{:<40}{:>10}{:>10}{:>10}{:>10}{:>12}\n", "", "CPU ms", "wall ms", "ns/event",
             "columns", "rows");
  of.Print("structure alone", structure, of.store->lanes.size());
  of.Print("open", load, of.store->EventCount());
  of.Print("columns read once", columns, of.store->EventCount());
  const auto wants = [&](std::string_view name) { return name.find(options.only) != name.npos; };
  for (const auto& [kind, key] :
       {std::pair{ProcessKind::host, "group"}, std::pair{ProcessKind::host, "correlation"},
        std::pair{ProcessKind::device, "correlation"}, std::pair{ProcessKind::device, "op"}}) {
    if (wants("key")) TFPROF_TRY(MeasureKey(of, kind, key));
  }
  for (const View& view : Views()) {
    if (!wants(view.name) || view.subject != Subject::none) continue;
    const Result<void> done = MeasureView(of, view);
    if (!done) fmt::print("{:<40}  {}\n", view.name, done.error().what);
    std::fflush(stdout);
  }
  return {};
}

Result<void> MeasureAll(const Options& options) {
  if (!options.file.empty()) return MeasureFile(options.file, options);
  const ScratchFolder folder;
  const std::string path = folder.File("host.xplane.pb");
  TFPROF_TRY(WriteFile(path, [&](Sink& sink) { return WriteXSpace(options.size, sink); }));
  return MeasureFile(path, options);
}

int Main(int argc, char** argv) {
  CLI::App app("What questions about a trace cost.");
  Options options;
  app.add_option("--nodes", options.size.nodes, "times steps: events")->capture_default_str();
  app.add_option("--steps", options.size.steps, "recorded")->capture_default_str();
  app.add_option("--file", options.file, "measure this XSpace");
  app.add_option("--rounds", options.rounds, "of which the best counts")->capture_default_str();
  app.add_option("--only", options.only, "only lines that hold this");
  CLI11_PARSE(app, argc, argv);
  return Ended(MeasureAll(options));
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) { return tfprof::Main(argc, argv); }
