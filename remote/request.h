// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

// Messages to the profiler service (proto/profiler_service.proto).

namespace tfprof::remote {

constexpr char kProfilePath[] = "/tensorflow.ProfilerService/Profile";
constexpr char kTerminatePath[] = "/tensorflow.ProfilerService/Terminate";
constexpr char kMonitorPath[] = "/tensorflow.ProfilerService/Monitor";

struct Levels {
  int64_t host = 2;
  int64_t device = 1;
  int64_t python = 0;
};

struct Session {
  std::string id;
  std::string host;
  int64_t duration_ms = 0;
  Levels levels;
};

std::string ProfileRequest(const Session& session);
std::string TerminateRequest(const std::string& session_id);
std::string MonitorRequest(int64_t duration_ms, int64_t level);

}  // namespace tfprof::remote
