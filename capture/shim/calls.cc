// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/calls.h"

#include <atomic>
#include <cstring>

#include "capture/shim/chunks.h"
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
    {cupti::kDriverDomain, 442, "cuLaunchKernel_ptsz"},
    {cupti::kDriverDomain, 514, "cuGraphLaunch"},
    {cupti::kDriverDomain, 515, "cuGraphLaunch_ptsz"},
    {cupti::kDriverDomain, 652, "cuLaunchKernelEx"},
    {cupti::kDriverDomain, 653, "cuLaunchKernelEx_ptsz"},
    {cupti::kRuntimeDomain, 41, "cudaMemcpyAsync_v3020"},
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
  const auto enable = [&](int domain, uint32_t callback, const char* name) {
    Remember(domain, callback, name);
    if (!IsRecorded(name)) return;
    if (functions.EnableCallback(1, subscriber, domain, callback) == cupti::kSuccess) ++enabled;
  };
  for (const int domain : {cupti::kDriverDomain, cupti::kRuntimeDomain}) {
    for (uint32_t callback = 1; callback < kMostCallbacks; ++callback) {
      const char* name = nullptr;
      if (functions.GetCallbackName(domain, callback, &name) != cupti::kSuccess) continue;
      if (name != nullptr && (all_names || IsRecorded(name))) enable(domain, callback, name);
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
  ThreadLog* log = Log();
  if (log == nullptr) return;
  if (call.site == cupti::Site::enter) {
    if (log->call_depth++ == 0) {
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
  Append(log, record);
}

void WriteCallNames(SpoolFile* spool) {
  const uint32_t count = g_name_count.load(std::memory_order_acquire);
  for (; g_written_names < count; ++g_written_names) {
    const CallName& call = g_names[g_written_names];
    spool->AddText(RecordKind::api_name, call.id, call.name);
  }
}

void ForgetCalls() {
  g_name_count.store(0);
  g_written_names = 0;
}

}  // namespace tfprof::capture
