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

// What is recorded, as TensorFlow's RunOptions name it. Each has what the one before has.
enum class Level : int {
  none,
  software,  // ranges, and calls of the CUDA API that start work
  hardware,  // the devices' work
  full,      // all calls of the CUDA API
};

inline constexpr int kLongestValue = 256;

struct Config {
  char folder[PATH_MAX] = {};  // empty: nothing is recorded
  Level level = Level::hardware;
  uint64_t most_memory = uint64_t{64} << 20;
  uint64_t most_disk = uint64_t{2} << 30;
  bool waits = false;
  bool api = false;
  bool graph_nodes = false;  // one record per node instead of one per launch
  bool python_stacks = false;
  bool python_samples = false;  // of the main thread's stack, all the time
  bool quiet = false;           // no line on standard error

  // When records are taken: where all of these hold (shim/control/windows.h).
  bool starts_paused = false;  // until `tfprof-capture ctl DIR start`
  uint64_t delay_ns = 0;
  uint64_t duration_ns = 0;  // 0: until the end
  bool has_steps = false;
  int64_t first_step = 0;
  int64_t last_step = INT64_MAX;
  int64_t every = 1;                       // one step in so many
  char step_range[kLongestValue] = {};     // names of steps, instead of the known ones
  bool capture_range_cuda = false;         // between cudaProfilerStart and Stop
  char capture_range[kLongestValue] = {};  // in a range of NVTX of this name
  // What is kept of a long run; 0: all.
  uint64_t ring_ns = 0;
  uint64_t ring_bytes = 0;
  // Which processes are recorded; empty: all.
  char only_exe[kLongestValue] = {};
  char only_rank[kLongestValue] = {};
};

inline bool HasRing(const Config& config) { return config.ring_ns != 0 || config.ring_bytes != 0; }

// Reads the environment. Unknown options are skipped: the launcher has checked them.
Config ReadConfig();

// Each parses the value of an option; returns false if it is none.
bool ParseSize(const char* text, uint64_t* bytes);                 // "64M"
bool ParseSeconds(const char* text, uint64_t* ns);                 // "1.5"
bool ParseSteps(const char* text, int64_t* first, int64_t* last);  // "3", "10:20", "10:"
bool ParseLevel(const char* text, Level* level);
bool ParseRing(const char* text, uint64_t* ns, uint64_t* bytes);  // "30s" or "100M"
bool ParseCaptureRange(const char* text, Config* config);         // "cuda" or "nvtx:NAME"
bool ParseEvery(const char* text, int64_t* every);

// Whether a list such as "0,2,4-7" has a number. `is_valid` (may be null): whether it is a list.
bool IsInList(const char* list, uint64_t number, bool* is_valid);

// The options are words separated by commas, so that values are written with %2C for a comma, %25
// for '%' and %27 for a quote. Decodes in place.
void DecodeValue(char* value);

}  // namespace tfprof::capture
