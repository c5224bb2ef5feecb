// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/process_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "capture/shim/control/windows.h"
#include "capture/shim/recorder.h"
#include "capture/spool/step_names.h"

namespace tfprof::capture {
namespace {

// Launchers of ranks, and how they name what the manifest calls the rank.
constexpr const char* kRankVariables[] = {"RANK",     "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                          "PMI_RANK", "SLURM_PROCID",         "LOCAL_RANK"};

void AddNumber(SpoolFile* spool, const char* key, uint64_t number) {
  char text[24];
  const int length =
      std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(number));
  spool->AddInfo(key, {text, static_cast<size_t>(length)});
}

void AddExecutable(SpoolFile* spool) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length > 0) spool->AddInfo("exe", {path, static_cast<size_t>(length)});
}

// Arguments are separated by spaces, as `ps` prints them.
void AddArguments(SpoolFile* spool) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[1024];
  ssize_t length = read(file, text, sizeof text);
  close(file);
  while (length > 0 && text[length - 1] == '\0') --length;
  if (length <= 0) return;
  for (ssize_t i = 0; i < length; ++i) {
    if (text[i] == '\0') text[i] = ' ';
  }
  spool->AddInfo("args", {text, static_cast<size_t>(length)});
}

void AddRank(SpoolFile* spool) {
  const char* variable = nullptr;
  const char* rank = RankOfProcess(&variable);
  if (rank == nullptr) return;
  spool->AddInfo("rank", rank);
  spool->AddInfo("rank.from", variable);
}

}  // namespace

const char* RankOfProcess(const char** variable) {
  for (const char* name : kRankVariables) {
    const char* rank = std::getenv(name);
    if (rank == nullptr || *rank == '\0') continue;
    *variable = name;
    return rank;
  }
  return nullptr;
}

void WriteProcessFacts(SpoolFile* spool) {
  AddNumber(spool, "format", kFormatVersion);
  AddNumber(spool, "pid", static_cast<uint64_t>(getpid()));
  AddNumber(spool, "parent", static_cast<uint64_t>(getppid()));
  AddNumber(spool, "start", WallTime());
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) spool->AddInfo("host", host);
  AddExecutable(spool);
  AddArguments(spool);
  AddRank(spool);
  const Config& config = g_recorder.config;
  if (config.step_range[0] != '\0') spool->AddInfo(kStepRangeFact, config.step_range);
  if (HasPaused()) spool->AddInfo(kPausedFact, "1");
  spool->Add(0, ClockRecord{.realtime = WallTime(), .monotonic = MonotonicTime()});
}

}  // namespace tfprof::capture
