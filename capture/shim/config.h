// SPDX-License-Identifier: Apache-2.0
// What the launcher, or the user, set in the environment.
#pragma once

#include <climits>
#include <cstdint>

namespace tfprof::capture {

inline constexpr char kFolderVariable[] = "TFPROF_CAPTURE_DIR";
inline constexpr char kOptionsVariable[] = "TFPROF_CAPTURE_OPTS";
inline constexpr char kDisableVariable[] = "TFPROF_CAPTURE_DISABLE";
inline constexpr char kCuptiVariable[] = "TFPROF_CUPTI_LIB";

struct Config {
  char folder[PATH_MAX] = {};  // empty: nothing is recorded
  uint64_t most_memory = uint64_t{64} << 20;
  uint64_t most_disk = uint64_t{2} << 30;
  bool waits = false;
  bool api = false;
  bool graph_nodes = false;  // one record per node instead of one per launch
  bool quiet = false;        // no line on standard error
};

// Reads the environment. Unknown options are skipped: the launcher has checked them.
Config ReadConfig();

// Parses "64M"; returns false if it is no size.
bool ParseSize(const char* text, uint64_t* bytes);

}  // namespace tfprof::capture
