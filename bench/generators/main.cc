// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "bench/generators/generate.h"
#include "bench/runners/files.h"

// tfprof_generate WHAT FILE: writes one big input, for manual experiments.

namespace tfprof {
namespace {

Result<Generated> Generate(const std::string& what, const ModelSize& size, int64_t first_step,
                           Sink& sink) {
  if (what == "graph") return WriteGraph(size.nodes, sink);
  if (what == "op_log") return WriteOpLog(size.nodes, sink);
  if (what == "profile") return WriteProfile(size, sink);
  if (what == "xspace") return WriteXSpace(size, sink);
  return WriteRunMetadata(size, first_step, sink);
}

int Main(int argc, char** argv) {
  CLI::App app("Writes a synthetic TensorFlow profile; the same arguments give the same bytes.");
  std::string what;
  std::string path;
  ModelSize size;
  int64_t first_step = 0;
  app.add_option("what", what, "graph, op_log, run_metadata, profile or xspace")
      ->required()
      ->check(CLI::IsMember({"graph", "op_log", "run_metadata", "profile", "xspace"}));
  app.add_option("file", path, "to write")->required();
  app.add_option("--nodes", size.nodes, "of the graph")->capture_default_str();
  app.add_option("--steps", size.steps, "in this file")->capture_default_str();
  app.add_option("--first-step", first_step, "of run_metadata: the number of its first step")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const Result<Generated> done =
      WriteFile(path, [&](Sink& sink) { return Generate(what, size, first_step, sink); });
  if (!done) {
    fmt::print(stderr, "{}: {}\n", path, done.error().what);
    return ExitStatus(done.error());
  }
  fmt::print("{} nodes, {} records, {} with memory, {} bytes\n", done->nodes, done->records,
             done->memory_records, std::filesystem::file_size(path));
  return 0;
}

}  // namespace
}  // namespace tfprof

int main(int argc, char** argv) { return tfprof::Main(argc, argv); }
