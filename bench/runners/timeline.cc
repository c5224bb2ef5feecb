// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "analysis/nodes/accounting.h"
#include "bench/generators/generate.h"
#include "bench/runners/files.h"
#include "bench/runners/program.h"
#include "core/base/sink.h"
#include "emitters/trace/trace.h"
#include "loaders/open.h"
#include "views/timeline/timeline.h"

// bench_timeline: the cost of writing a timeline after loading: time per event, MB/s of JSON on one
// core, and memory in addition to the store.

namespace tfprof {
namespace {

struct Options {
  int64_t nodes = 25'000;
  int64_t steps = 300;
  bool gzip = false;
};

// Anonymous memory; the system decides which pages of the mapped file are resident.
int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0, resident = 0, shared = 0;
  statm >> total >> resident >> shared;
  return (resident - shared) * 4096;
}

// Counts the bytes written and records the max growth of resident memory since `start_bytes`.
struct Drain {
  int64_t bytes = 0;
  int64_t start_bytes = 0;
  int64_t max_bytes = 0;

  Result<void> Write(std::string_view written) {
    bytes += static_cast<int64_t>(written.size());
    max_bytes = std::max(max_bytes, ResidentBytes() - start_bytes);
    return {};
  }
};

Result<StorePtr> MakeStore(const Options& options) {
  const ScratchFolder folder;
  std::vector<Input> inputs{{folder.File("graph"), "graphdef"}};
  TFPROF_TRY(
      WriteFile(inputs[0].path, [&](Sink& sink) { return WriteGraph(options.nodes, sink); }));
  for (int64_t step = 0; step < options.steps; ++step) {
    inputs.push_back({folder.File(fmt::format("run_{}", step)), "run_metadata"});
    TFPROF_TRY(WriteFile(inputs.back().path, [&](Sink& sink) {
      return WriteRunMetadata({.nodes = options.nodes, .steps = 1}, step, sink);
    }));
  }
  Context context;
  return Load(inputs, context);
}

struct Written {
  double seconds = 0;
  TraceCounts counts;
  Drain drain;
};

Result<Written> Write(const StorePtr& store, const Options& options) {
  Written written;
  const Indexes indexes(store);
  Context context;
  TFPROF_TRY(indexes.Get<NodeAccounts>(context));  // derived from the store by the first question
  written.drain.start_bytes = ResidentBytes();
  Sink sink{.buffer = {},
            .write = [&](std::string_view bytes) { return written.drain.Write(bytes); }};
  const double start = CpuSeconds();
  TFPROF_ASSIGN(const Trace trace, Timeline(store, indexes, Query{}, context));
  if (options.gzip) {
    GzipSink gzip(sink);
    TFPROF_ASSIGN(written.counts, EmitTrace(*store, trace, gzip.sink(), context));
    TFPROF_TRY(gzip.Finish());
  } else {
    TFPROF_ASSIGN(written.counts, EmitTrace(*store, trace, sink, context));
  }
  TFPROF_TRY(sink.Flush());
  written.seconds = CpuSeconds() - start;
  return written;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("what writing a timeline costs");
  app.add_option("--nodes", options.nodes, "nodes of the synthetic model")->capture_default_str();
  app.add_option("--steps", options.steps, "recorded steps")->capture_default_str();
  app.add_flag("--gzip", options.gzip, "compressed");
  CLI11_PARSE(app, argc, argv);
  const Result<StorePtr> store = MakeStore(options);
  const Result<Written> written = store ? Write(*store, options) : Failure(store.error());
  if (!written) return Ended(Failure(written.error()));
  const auto megabytes = static_cast<double>(written->drain.bytes) / 1e6;
  fmt::print("executions  {}\narrows      {}\nmemory      {} values\n", written->counts.executions,
             written->counts.flows, written->counts.samples);
  fmt::print("written     {:.0f} MB in {:.2f} s: {:.0f} MB/s, {:.0f} ns per execution\n", megabytes,
             written->seconds, megabytes / written->seconds,
             written->seconds * 1e9 / static_cast<double>(written->counts.executions));
  fmt::print("beside the store: {:.1f} MB at most\n",
             static_cast<double>(written->drain.max_bytes) / 1e6);
  return 0;
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) { return tfprof::Main(argc, argv); }
