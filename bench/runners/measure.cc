// SPDX-License-Identifier: Apache-2.0
#include "bench/runners/measure.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tfprof {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

int64_t AnonymousBytes() {
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return 0;
  char line[256];
  long long kib = 0;
  while (std::fgets(line, sizeof line, status) != nullptr) {
    if (std::sscanf(line, "RssAnon: %lld kB", &kib) == 1) break;
  }
  std::fclose(status);
  return kib * 1024;
}

Result<std::string> OutputOfChild(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  std::string self = "/proc/self/exe";
  argv.push_back(self.data());
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return Fail(ErrorKind::internal, "no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t child = 0;
  const int failed = posix_spawn(&child, self.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char block[256];
  for (ssize_t n = 0; (n = read(ends[0], block, sizeof block)) > 0;) {
    text.append(block, static_cast<size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) {
    return Fail(ErrorKind::internal, "the measuring process did not start");
  }
  if (status != 0) return Fail(ErrorKind::internal, "the measuring process failed");
  return text;
}

std::vector<double> Sorted(const std::vector<Cost>& rounds, double Cost::*what) {
  std::vector<double> values;
  for (const Cost& cost : rounds) values.push_back(cost.*what);
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

Result<Cost> CostOf(const std::function<Result<Outcome>()>& work) {
  rusage before{};
  rusage after{};
  const int64_t anon_before = AnonymousBytes();
  getrusage(RUSAGE_SELF, &before);
  const auto start = std::chrono::steady_clock::now();
  const Result<Outcome> outcome = work();
  const auto end = std::chrono::steady_clock::now();
  getrusage(RUSAGE_SELF, &after);
  if (!outcome) return Failure(outcome.error());
  Cost cost;
  cost.user_s = Seconds(after.ru_utime) - Seconds(before.ru_utime);
  cost.system_s = Seconds(after.ru_stime) - Seconds(before.ru_stime);
  cost.wall_s = std::chrono::duration<double>(end - start).count();
  cost.anon_bytes = AnonymousBytes() - anon_before;
  cost.count = outcome->count();
  return cost;
}

Result<Cost> MeasureInChild(const std::vector<std::string>& arguments) {
  TFPROF_ASSIGN(const std::string text, OutputOfChild(arguments));
  Cost cost;
  long long anon_bytes = 0;
  long long count = 0;
  if (std::sscanf(text.c_str(), "%lf %lf %lf %lld %lld", &cost.user_s, &cost.system_s, &cost.wall_s,
                  &anon_bytes, &count) != 5) {
    return Fail(ErrorKind::internal, "the measuring process said: " + text);
  }
  cost.anon_bytes = anon_bytes;
  cost.count = count;
  return cost;
}

void ReportAndExit(const Result<Cost>& cost) {
  if (!cost) {
    fmt::print(stderr, "{} {}\n", cost.error().where, cost.error().what);
    std::exit(1);
  }
  fmt::print("{} {} {} {} {}\n", cost->user_s, cost->system_s, cost->wall_s, cost->anon_bytes,
             cost->count);
  std::fflush(stdout);
  _exit(0);  // skips the release of gigabytes, which is not measured
}

double Best(const std::vector<Cost>& rounds, double Cost::*what) {
  return Sorted(rounds, what).front();
}

double Median(const std::vector<Cost>& rounds, double Cost::*what) {
  return Sorted(rounds, what)[rounds.size() / 2];
}

}  // namespace tfprof
