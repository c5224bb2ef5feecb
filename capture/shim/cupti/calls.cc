// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/cupti/calls.h"

#include <atomic>
#include <cstring>

#include "capture/shim/chunks.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/nvtx/ranges.h"
#include "capture/shim/python/gradients.h"
#include "capture/shim/python/stacks.h"
#include "capture/shim/recorder.h"
#include "capture/shim/spool_file.h"

namespace tfprof::capture {
namespace {

// Beginnings of names; suffixes are versions and variants. What starts work, allocates, waits, or
// is so slow that a gap needs it for an explanation.
constexpr const char* kStarts[] = {
    "cudaLaunch",     "__cudaLaunch",   "cuLaunch",      "cudaGraphLaunch", "cuGraphLaunch",
    "cudaMemcpy",     "cuMemcpy",       "cudaMemset",    "cuMemset",        "cudaMalloc",
    "cuMemAlloc",     "cudaFree",       "cuMemFree",     "cudaMemPrefetch", "cuMemPrefetch",
    "cudaDeviceSync", "cudaStreamSync", "cudaEventSync", "cuCtxSync",       "cuStreamSync",
    "cuEventSync",    "cudaHostAlloc",  "cudaHostReg",   "cudaHostUnreg",   "cuMemHostAlloc",
    "cuMemHostReg",   "cuMemHostUnreg", "cuMemCreate",   "cuMemRelease",    "cuModuleLoad",
    "cuLibraryLoad",
};

// Used when CUPTI knows no names; these numbers have not changed since they exist.
struct Fixed {
  int domain;
  uint32_t callback;
  const char* name;
};
constexpr Fixed kFixed[] = {
    {cupti::kDriverDomain, 307, "cuLaunchKernel"},
    {cupti::kDriverDomain, 308, "cuProfilerStart"},
    {cupti::kDriverDomain, 309, "cuProfilerStop"},
    {cupti::kDriverDomain, 442, "cuLaunchKernel_ptsz"},
    {cupti::kDriverDomain, 514, "cuGraphLaunch"},
    {cupti::kDriverDomain, 515, "cuGraphLaunch_ptsz"},
    {cupti::kDriverDomain, 652, "cuLaunchKernelEx"},
    {cupti::kDriverDomain, 653, "cuLaunchKernelEx_ptsz"},
    {cupti::kRuntimeDomain, 41, "cudaMemcpyAsync_v3020"},
    {cupti::kRuntimeDomain, 171, "cudaProfilerStart_v4000"},
    {cupti::kRuntimeDomain, 172, "cudaProfilerStop_v4000"},
    {cupti::kRuntimeDomain, 211, "cudaLaunchKernel_v7000"},
    {cupti::kRuntimeDomain, 214, "cudaLaunchKernel_ptsz_v7000"},
    {cupti::kRuntimeDomain, 311, "cudaGraphLaunch_v10000"},
};

constexpr uint32_t kMostCallbacks = 2000;  // CUPTI 13 has 806 and 522

struct CallName {
  uint32_t id = 0;  // as in the spool
  const char* name = nullptr;
};
CallName g_names[2 * kMostCallbacks];
std::atomic<uint32_t> g_name_count{0};
uint32_t g_written_names = 0;  // the writer's

// Which calls began in a window, by their correlation: a byte that says which of the times that
// the table was gone through. Threads write bytes of their own, so that no lock is needed.
constexpr uint32_t kMarkBits = 20;
std::atomic<uint8_t> g_marks[1 << kMarkBits];
std::atomic<uint8_t>& MarkOf(uint32_t correlation) {
  return g_marks[correlation & ((1U << kMarkBits) - 1)];
}
uint8_t RoundOf(uint32_t correlation) {
  return static_cast<uint8_t>(0x80 | (correlation >> kMarkBits & 0x7F));
}

// Calls by which a program says what is to be recorded. The runtime's contains the driver's.
struct Switch {
  std::atomic<uint32_t> id{0};  // domain << 24 | callback; 0: none
  bool is_on = false;
};
Switch g_switches[4];
std::atomic<bool> g_has_switches{false};

bool IsSwitch(const char* name) {
  return std::strncmp(name, "cuProfilerSt", 12) == 0 ||
         std::strncmp(name, "cudaProfilerSt", 14) == 0;
}

void AddSwitch(uint32_t id, const char* name) {
  for (Switch& at : g_switches) {
    if (at.id.load() != 0) continue;
    at.is_on = std::strstr(name, "Start") != nullptr;
    at.id.store(id);
    g_has_switches.store(true);
    return;
  }
}

// What is inside of Start and Stop is not recorded. Returns false if the call is another one.
bool TakeSwitch(uint32_t id, cupti::Site site) {
  for (const Switch& at : g_switches) {
    if (at.id.load(std::memory_order_acquire) != id) continue;
    if ((site == cupti::Site::exit) == at.is_on) SwitchByProgram(at.is_on);
    return true;
  }
  return false;
}

void Remember(int domain, uint32_t callback, const char* name) {
  const uint32_t at = g_name_count.load(std::memory_order_relaxed);
  if (at == 2 * kMostCallbacks) return;
  g_names[at] = {static_cast<uint32_t>(domain) << 24 | callback, name};
  g_name_count.store(at + 1, std::memory_order_release);
}

}  // namespace

bool IsRecorded(const char* name) {
  for (const char* start : kStarts) {
    if (std::strncmp(name, start, std::strlen(start)) == 0) return true;
  }
  return false;
}

uint32_t EnableCalls(const cupti::Functions& functions, cupti::Subscriber subscriber,
                     bool all_names) {
  uint32_t enabled = 0;
  const bool has_switches = g_recorder.config.capture_range_cuda;
  const auto is_needed = [&](const char* name) {
    return IsRecorded(name) || (has_switches && IsSwitch(name));
  };
  const auto enable = [&](int domain, uint32_t callback, const char* name) {
    if (!all_names && !is_needed(name)) return;
    Remember(domain, callback, name);
    if (!is_needed(name)) return;
    if (IsSwitch(name) && has_switches) {
      AddSwitch(static_cast<uint32_t>(domain) << 24 | callback, name);
    }
    if (functions.EnableCallback(1, subscriber, domain, callback) == cupti::kSuccess) ++enabled;
  };
  for (const int domain : {cupti::kDriverDomain, cupti::kRuntimeDomain}) {
    for (uint32_t callback = 1; callback < kMostCallbacks; ++callback) {
      const char* name = nullptr;
      if (functions.GetCallbackName(domain, callback, &name) != cupti::kSuccess) continue;
      if (name != nullptr) enable(domain, callback, name);
    }
  }
  if (enabled == 0) {
    for (const Fixed& fixed : kFixed) enable(fixed.domain, fixed.callback, fixed.name);
  }
  return enabled;
}

void OnCall(void*, int domain, uint32_t callback, const void* data) {
  if (g_recorder.mode.load(std::memory_order_relaxed) != Mode::on) return;
  const auto& call = *static_cast<const cupti::CallbackData*>(data);
  if (g_has_switches.load(std::memory_order_relaxed) &&
      TakeSwitch(static_cast<uint32_t>(domain) << 24 | callback, call.site)) {
    return;
  }
  ThreadLog* log = Log();
  if (log == nullptr) return;
  // What began in a window is recorded to its end.
  if (log->call_depth == 0 && !IsOpen(GateState())) return;
  if (call.site == cupti::Site::enter) {
    MarkOf(call.correlation).store(RoundOf(call.correlation), std::memory_order_relaxed);
    if (log->call_depth++ == 0) {
      EnterWindow(log);
      log->call_correlation = call.correlation;
      log->call_start = WallTime();
    }
    return;
  }
  if (log->call_depth == 0) return;  // it was entered before recording began
  const bool is_outer = --log->call_depth == 0;
  // The driver's call inside the runtime's is the same work, unless CUPTI numbers it apart.
  if (!is_outer && call.correlation == log->call_correlation) return;
  CallRecord record{.start = log->call_start,
                    .end = WallTime(),
                    .domain = static_cast<ApiDomain>(domain),
                    .callback = callback};
  record.head.id = call.correlation;
  const CallStack stack = ReadsPythonStacks() ? StackOfCall(*log, PythonStackId()) : CallStack{};
  if (stack.id == 0) return Append(log, record);
  record.head.bytes = sizeof(CallStackRecord);
  Append(log, CallStackRecord{record, stack.id, stack.is_gradient ? 1U : 0});
}

bool WasRecorded(uint32_t correlation) {
  return MarkOf(correlation).load(std::memory_order_relaxed) == RoundOf(correlation);
}

void WriteCallNames(SpoolFile* spool) {
  const uint32_t count = g_name_count.load(std::memory_order_acquire);
  for (; g_written_names < count; ++g_written_names) {
    const CallName& call = g_names[g_written_names];
    spool->AddText(RecordKind::api_name, call.id, call.name);
  }
}

void ForgetCalls() {
  for (Switch& at : g_switches) at.id.store(0);
  g_has_switches.store(false);
  g_name_count.store(0);
  g_written_names = 0;
}

}  // namespace tfprof::capture
