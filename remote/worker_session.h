// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "remote/clock.h"
#include "remote/options.h"
#include "remote/progress.h"

namespace tfprof::remote {

// The session of one server, from its beginning until its trace is on disk.
struct WorkerSession {
  const Options& options;
  const Worker& worker;
  std::string session_id;
  std::string path;  // of the trace
  Interrupt interrupt;
  Progress& progress;

  std::unique_ptr<Connection> connection = nullptr;

  // The result.
  uint64_t bytes = 0;        // of the trace on disk; 0: there is none
  bool ended_early = false;  // by Ctrl-C; what was recorded is there
  std::optional<ClockOffset> offset = {};
  std::optional<Error> error = {};  // none: something was recorded

  // Connects, unless it is connected. Errors as Connection::Open.
  Result<void> Connect();
  // Records, with as many attempts as the options allow.
  void Run();
};

}  // namespace tfprof::remote
