// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/convert.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "capture/spool/control_file.h"
#include "capture/spool/reader.h"
#include "capture/tool/spools.h"
#include "capture/writers/atomic_file.h"
#include "capture/writers/tensorflow_export.h"
#include "capture/writers/trace.h"
#include "capture/writers/xspace.h"

namespace tfprof::capture {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceEnding = ".xplane.pb";

// "python3.node7.rank2": what a file of the process is called.
std::string NameOf(const Definitions& definitions) {
  const std::string program = fs::path(definitions.Fact("exe")).filename().string();
  const std::string_view rank = definitions.Fact("rank");
  std::string host(definitions.Fact("host"));
  host = host.substr(0, host.find('.'));
  return (program.empty() ? "program" : program) + "." + (host.empty() ? "host" : host) + "." +
         (rank.empty() ? "pid" + std::string(definitions.Fact("pid")) : "rank" + std::string(rank));
}

// Several processes may have one name: a rank and what it started.
std::string FreeName(const std::string& wanted, const std::string& pid,
                     const std::vector<CapturedProcess>& taken) {
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(taken.begin(), taken.end(),
                       [&](const CapturedProcess& process) { return process.trace == name; });
  };
  const std::string ending(kTraceEnding);
  std::string name = wanted + ending;
  if (is_taken(name)) name = wanted + ".pid" + pid + ending;
  for (int i = 2; is_taken(name); ++i) {
    name = wanted + ".pid" + pid + "-" + std::to_string(i) + ending;
  }
  return name;
}

uint64_t StartOf(const Definitions& definitions) {
  if (definitions.is_cut) return definitions.kept_from;
  uint64_t start =
      definitions.clocks.empty() ? definitions.first_time : definitions.clocks[0].realtime;
  if (definitions.first_time != 0) start = std::min(start, definitions.first_time);
  return start;
}

void AddMessages(const CapturedProcess& process, XSpace* space) {
  for (std::string& loss : LossesOf(process)) space->AddWarning(std::move(loss));
  const std::string_view error = process.definitions.Fact("cupti.error");
  if (!error.empty()) space->AddError("GPU work is not recorded: " + std::string(error));
  if (!process.definitions.has_end && !process.is_running) {
    space->AddWarning("the process was killed or called _exit: at most the last second is missing");
  }
  space->SetHost(std::string(process.definitions.Fact("host")));
}

// Returns 0 or an errno.
int WriteTrace(SpoolReader* reader, const fs::path& folder, uint32_t export_steps,
               CapturedProcess* process) {
  XSpace space(folder.string(), StartOf(process->definitions));
  TensorflowExport files(process->definitions, folder.string(), export_steps);
  Trace trace(process->definitions, &space, export_steps > 0 ? &files : nullptr);
  reader->Rewind();
  Block block;
  while (reader->Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) { trace.Take(block.thread, head); });
  }
  trace.Finish();
  process->counts = trace.counts();
  process->events = space.event_count();
  if (process->events == 0) {
    process->trace.clear();
    return 0;
  }
  AddMessages(*process, &space);
  AtomicFile file((folder / process->trace).string());
  if (file.descriptor() < 0) return file.error();
  int error = space.Write(file.descriptor());
  if (error == 0) error = file.Commit();
  if (error != 0 || export_steps == 0) return error;
  const std::string base = process->trace.substr(0, process->trace.size() - kTraceEnding.size());
  error = files.Write((folder / base).string());
  for (const std::string& path : files.written()) {
    process->exports.push_back(fs::path(path).filename().string());
  }
  return error;
}

CapturedProcess ConvertSpool(const fs::path& spool, const fs::path& folder,
                             const ConvertOptions& options,
                             const std::vector<CapturedProcess>& before) {
  CapturedProcess process;
  process.spool = "spool/" + spool.filename().string();
  process.is_running = IsRunning(spool.string());
  SpoolReader reader;
  const int error = reader.Open(spool.string());
  if (error != 0) {
    process.error = std::strerror(error);
    return process;
  }
  process.definitions = ReadDefinitions(&reader);
  process.definitions.scope_domains.insert(process.definitions.scope_domains.end(),
                                           options.scope_domains.begin(),
                                           options.scope_domains.end());
  process.trace =
      FreeName(NameOf(process.definitions), std::string(process.definitions.Fact("pid")), before);
  const int written = WriteTrace(&reader, folder, options.export_steps, &process);
  if (written != 0) process.error = std::strerror(written);
  return process;
}

uint64_t CountOf(const Converted& converted, RecordKind kind) {
  uint64_t count = 0;
  for (const CapturedProcess& process : converted.processes) {
    const auto found = process.definitions.counts.find(kind);
    if (found != process.definitions.counts.end()) count += found->second;
  }
  return count;
}

unsigned long long Printed(uint64_t number) { return number; }

// One conversion of a folder at a time: the last one removes the spools that another one reads.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ >= 0) flock(folder_, LOCK_EX);
  }
  ~FolderLock() {
    if (folder_ >= 0) close(folder_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

}  // namespace

Converted ConvertFolder(const std::string& folder, const ConvertOptions& options, int exit_status) {
  Converted converted;
  const FolderLock lock(folder);
  const std::vector<fs::path> spools = SpoolsIn(folder);
  if (spools.empty() && exit_status < 0) return converted;  // the manifest is that of the command
  for (const fs::path& spool : spools) {
    converted.processes.push_back(ConvertSpool(spool, folder, options, converted.processes));
  }
  const std::string manifest = (fs::path(folder) / "manifest.json").string();
  converted.error = WriteWhole(manifest, ManifestJson(converted.processes, exit_status));
  if (converted.error != 0) {
    converted.failed_path = manifest;
    return converted;
  }
  const auto is_done = [](const CapturedProcess& process) {
    return process.error.empty() && !process.is_running;
  };
  if (options.keep ||
      !std::all_of(converted.processes.begin(), converted.processes.end(), is_done)) {
    return converted;  // the next conversion writes the manifest of all of them
  }
  std::error_code ignored;
  for (const fs::path& spool : spools) {
    for (const std::string& segment : SegmentsOf(spool.string())) fs::remove(segment, ignored);
    fs::remove(spool, ignored);
  }
  fs::remove(fs::path(folder) / "spool", ignored);
  fs::remove(fs::path(folder) / kControlFile, ignored);
  return converted;
}

void PrintSummary(const std::string& folder, const Converted& converted) {
  size_t count = 0;
  std::map<std::string, size_t> skipped_by;  // by option
  for (const CapturedProcess& process : converted.processes) {
    const std::string option(process.definitions.Fact(kSkippedFact));
    option.empty() ? ++count : ++skipped_by[option];
  }
  std::fprintf(stderr, "tfprof-capture: %zu process%s, %llu ranges, %llu kernels, %llu copies\n",
               count, count == 1 ? "" : "es", Printed(CountOf(converted, RecordKind::push)),
               Printed(CountOf(converted, RecordKind::kernel)),
               Printed(CountOf(converted, RecordKind::copy)));
  for (const auto& [option, processes] : skipped_by) {
    std::fprintf(stderr, "tfprof-capture: %zu process%s skipped by %s\n", processes,
                 processes == 1 ? "" : "es", option.c_str());
  }
  bool has_trace = false;
  for (const CapturedProcess& process : converted.processes) {
    has_trace |= !process.trace.empty() && process.error.empty();
    const std::string pid(process.definitions.Fact("pid"));
    const auto print = [&](const std::string& text) {
      std::fprintf(stderr, "tfprof-capture: process %s: %s\n", pid.c_str(), text.c_str());
    };
    if (!process.error.empty()) print("no trace: " + process.error);
    if (process.is_running)
      print("still running; `tfprof-capture convert` again when it has ended");
    for (const std::string& loss : LossesOf(process)) print(loss);
  }
  if (has_trace) std::fprintf(stderr, "tfprof-capture: open it: tfprof %s\n", folder.c_str());
}

int RunConvert(const std::string& folder, const ConvertOptions& options) {
  if (SpoolsIn(folder).empty()) {
    std::fprintf(stderr,
                 "tfprof-capture: no spools in %s/spool; name the folder that was given to -o\n",
                 folder.c_str());
    return 3;
  }
  const Converted converted = ConvertFolder(folder, options, -1);
  PrintSummary(folder, converted);
  if (converted.error == 0) return 0;
  std::fprintf(stderr, "tfprof-capture: cannot write %s: %s\n", converted.failed_path.c_str(),
               std::strerror(converted.error));
  return 5;
}

}  // namespace tfprof::capture
