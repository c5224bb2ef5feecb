// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/samples.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "capture/shim/chunks.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/recorder.h"
#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

constexpr timespec kPeriod = {0, 5'000'000};

const PythonApi* g_api = nullptr;
uint32_t (*g_main_stack_id)() = nullptr;
uint32_t g_main_thread = 0;  // kernel ID
std::atomic<bool> g_is_wanted{false};
std::atomic<bool> g_is_running{false};

// Whoever waits for the GIL gets it where its holder waits or calls C, unless it has waited for the
// switch interval. Where it was given up by itself after a while says nothing of the time before.
bool IsTypical(uint64_t waited_ns) {
  constexpr uint64_t kAtOnce = 200'000;
  constexpr uint64_t kSwitchInterval = 5'000'000;
  return waited_ns < kAtOnce || waited_ns >= kSwitchInterval;
}

// `last`: the time of the sample before; 0: there is none. Returns that of this one.
uint64_t TakeSample(uint64_t last, uint64_t asked) {
  const uint32_t stack = g_main_stack_id();
  const uint64_t time = WallTime();
  ThreadLog* log = Log();
  if (log == nullptr || stack == 0) return time;
  const uint64_t since = std::max(last, g_gate.start.load(std::memory_order_relaxed));
  const bool is_known = last != 0 && since < time && IsTypical(time - std::min(asked, time));
  SampleRecord sample{.time = time, .since = is_known ? since : time, .thread = g_main_thread};
  sample.head.id = stack;
  Append(log, sample);
  return time;
}

// The interpreter ends the thread where it continues, if it was not waited for.
void* Run(void*) {
  const int before = g_api->TakeLock();
  uint64_t last = 0, asked = WallTime();
  while (g_is_wanted.load() && g_recorder.mode.load() == Mode::on) {
    if (IsOpen(GateState())) last = TakeSample(last, asked);
    void* thread = g_api->PauseThread();
    nanosleep(&kPeriod, nullptr);
    asked = WallTime();
    g_api->ContinueThread(thread);
  }
  g_api->LeaveLock(before);
  g_is_running.store(false);
  return nullptr;
}

}  // namespace

bool StartSamples(const PythonApi& api, uint32_t (*main_stack_id)()) {
  g_api = &api;
  g_main_stack_id = main_stack_id;
  g_main_thread = static_cast<uint32_t>(syscall(SYS_gettid));
  g_is_wanted.store(true);
  g_is_running.store(true);
  if (StartOwnThread(Run, "tfprof-python") == 0) return true;
  g_is_running.store(false);
  return false;
}

void EndSamples(const PythonApi& api, uint64_t longest_ns) {
  constexpr timespec kPause = {0, 200'000};
  g_is_wanted.store(false);
  if (!g_is_running.load()) return;
  const uint64_t start = MonotonicTime();
  void* thread = api.PauseThread();
  while (g_is_running.load() && MonotonicTime() - start < longest_ns) nanosleep(&kPause, nullptr);
  api.ContinueThread(thread);
}

void ForgetSamples() {
  g_is_wanted.store(false);
  g_is_running.store(false);
}

}  // namespace tfprof::capture
