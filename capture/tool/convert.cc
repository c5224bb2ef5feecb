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
#include <system_error>
#include <utility>

#include "capture/spool/control_file.h"
#include "capture/spool/reader.h"
#include "capture/tool/spools.h"
#include "capture/writers/atomic_file.h"

namespace tfprof::capture {
namespace {

namespace fs = std::filesystem;

uint64_t CountOf(const Converted& converted, RecordKind kind) {
  uint64_t count = 0;
  for (const CapturedProcess* process : converted.processes) {
    const auto found = process->definitions.counts.find(kind);
    if (found != process->definitions.counts.end()) count += found->second;
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

FolderConversion::FolderConversion(std::string folder, ConvertOptions options)
    : folder_(std::move(folder)), options_(std::move(options)) {}

// Reads what there is. Returns when all of them ended, as far as was recorded.
uint64_t FolderConversion::Read(const std::vector<fs::path>& spools) {
  std::erase_if(conversions_, [&](const auto& conversion) {
    return !std::binary_search(spools.begin(), spools.end(), conversion.first);
  });
  uint64_t end = 0;
  for (const fs::path& spool : spools) {
    SpoolConversion& conversion = conversions_.try_emplace(spool, spool, options_).first->second;
    conversion.Read();
    end = std::max(end, conversion.End());
  }
  return end;
}

Converted FolderConversion::Convert(int exit_status) {
  Converted converted;
  const FolderLock lock(folder_);
  const std::vector<fs::path> spools = SpoolsIn(folder_);
  if (spools.empty() && exit_status < 0) return converted;  // the manifest is that of the command
  const uint64_t end = options_.last_ns != 0 ? Read(spools) : 0;
  for (const fs::path& spool : spools) {
    SpoolConversion& conversion = conversions_.try_emplace(spool, spool, options_).first->second;
    if (options_.last_ns == 0) conversion.Read();
    conversion.Write(folder_, end - std::min(end, options_.last_ns), &taken_);
    converted.processes.push_back(&conversion.process());
  }
  const std::string manifest = (fs::path(folder_) / "manifest.json").string();
  converted.error =
      WriteWhole(manifest, ManifestJson(converted.processes, exit_status, options_.last_ns));
  if (converted.error != 0) {
    converted.failed_path = manifest;
    return converted;
  }
  for (const fs::path& spool : spools) conversions_.at(spool).RemoveFormerTrace(folder_, taken_);
  const auto is_done = [](const CapturedProcess* process) {
    return process->error.empty() && !process->is_running;
  };
  if (options_.keep || !std::ranges::all_of(converted.processes, is_done)) {
    return converted;  // the next conversion writes the manifest of all of them
  }
  std::error_code ignored;
  for (const fs::path& spool : spools) {
    for (const std::string& segment : SegmentsOf(spool.string())) fs::remove(segment, ignored);
    fs::remove(spool, ignored);
  }
  fs::remove(fs::path(folder_) / "spool", ignored);
  fs::remove(fs::path(folder_) / kControlFile, ignored);
  return converted;
}

void PrintSummary(const std::string& folder, const Converted& converted) {
  size_t count = 0;
  std::map<std::string, size_t> skipped_by;  // by option
  for (const CapturedProcess* process : converted.processes) {
    const std::string option(process->definitions.Fact(kSkippedFact));
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
  for (const CapturedProcess* of : converted.processes) {
    const CapturedProcess& process = *of;
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

namespace {

// Who asks may end at any time.
int RunFollowing(const std::string& folder, const ConvertOptions& options) {
  FolderConversion conversion(folder, options);
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') continue;
    const Converted converted = conversion.Convert(-1);
    std::puts(converted.error == 0 ? "done" : std::strerror(converted.error));
    if (std::fflush(stdout) != 0) return 5;
  }
  return 0;
}

}  // namespace

int RunConvert(const std::string& folder, const ConvertOptions& options) {
  if (options.follow) return RunFollowing(folder, options);
  if (SpoolsIn(folder).empty()) {
    std::fprintf(stderr,
                 "tfprof-capture: no spools in %s/spool; name the folder that was given to -o\n",
                 folder.c_str());
    return 3;
  }
  FolderConversion conversion(folder, options);
  const Converted converted = conversion.Convert(-1);
  PrintSummary(folder, converted);
  if (converted.error == 0) return 0;
  std::fprintf(stderr, "tfprof-capture: cannot write %s: %s\n", converted.failed_path.c_str(),
               std::strerror(converted.error));
  return 5;
}

}  // namespace tfprof::capture
