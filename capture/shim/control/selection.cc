// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/control/selection.h"

#include <fnmatch.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>

#include "capture/shim/process_facts.h"

namespace tfprof::capture {
namespace {

// A pattern with a slash is that of the whole path.
bool IsOfProgram(const char* glob) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return true;
  path[length] = '\0';
  const char* slash = std::strrchr(path, '/');
  const bool is_path = std::strchr(glob, '/') != nullptr || slash == nullptr;
  return fnmatch(glob, is_path ? path : slash + 1, 0) == 0;
}

// Where processes have ranks, one without is their launcher.
bool IsOfRank(const char* list) {
  const char* variable = nullptr;
  const char* rank = RankOfProcess(&variable);
  if (rank == nullptr) return false;
  char* end = nullptr;
  const unsigned long number = std::strtoul(rank, &end, 10);
  return end != rank && *end == '\0' && IsInList(list, number, nullptr);
}

}  // namespace

const char* SkippedBy(const Config& config) {
  if (config.level == Level::none) return "--level none";
  if (config.only_exe[0] != '\0' && !IsOfProgram(config.only_exe)) return "--only-exe";
  if (config.only_rank[0] != '\0' && !IsOfRank(config.only_rank)) return "--only-rank";
  return nullptr;
}

}  // namespace tfprof::capture
