// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/word_options.h"
#include "remote/http2/connection.h"
#include "remote/request.h"
#include "remote/targets.h"

namespace tfprof::remote {

using std::chrono::milliseconds;

// The command line of both commands.
struct Options {
  std::vector<std::string> targets;
  Security security;
  Metadata metadata;
  milliseconds duration{2000};
  milliseconds timeout{60'000};  // beyond what a session takes
  milliseconds connect{5'000};
  milliseconds every{0};  // 0: once
  bool quiet = false;

  // capture
  std::string folder;
  std::string run;  // the name; empty: the time
  Levels levels;
  milliseconds delay{0};
  int64_t retries = 3;
  int64_t keep = 0;   // runs; 0: all
  int64_t times = 0;  // with `every`; 0: until Ctrl-C
  int64_t parallel = 64;
  bool wait = false;  // for the end of another session

  // monitor
  int64_t level = 2;
};

// Reads the words behind the command. Error: usage.
Result<Options> ParseOptions(std::string_view command, const std::vector<std::string>& words);

// Replaces "@FILE" of metadata, which hides a token from the list of processes, by the contents of
// the file. It is read once: it may be a pipe. Error: unreadable, also of certificates; usage.
Result<void> ReadFiles(Options* options);

// The options of a command. This file needs no library of the network: tfprof links it, too.
std::vector<DeclaredOption> DeclaredOptions(std::string_view command);

}  // namespace tfprof::remote
