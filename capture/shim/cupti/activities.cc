// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/cupti/activities.h"

#include <atomic>
#include <cstdio>
#include <cstring>

#include "capture/abi/decode.h"
#include "capture/shim/control/ring.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/cupti/activity_buffers.h"
#include "capture/shim/cupti/activity_records.h"
#include "capture/shim/cupti/calls.h"
#include "capture/shim/cupti/library.h"
#include "capture/shim/names.h"
#include "capture/shim/python/stacks.h"
#include "capture/shim/recorder.h"
#include "capture/shim/spool_file.h"
#include "capture/shim/writer.h"

namespace tfprof::capture {
namespace {

using cupti::Kind;

struct Session {
  CuptiLibrary library;
  cupti::Subscriber subscriber = nullptr;
  std::atomic<bool> is_on{false};
  std::atomic<bool> has_calls{false};
  uint64_t dropped_by_cupti = 0;  // the writer's, and the next
  uint64_t unknown = 0;
};
Session g_session;

struct KindOption {
  Kind kind;
  const char* name;
  bool is_needed;  // without it nothing else is worth recording
  bool (*is_on)(const Config& config);
};
bool HasDevices(const Config& config) { return config.level >= Level::hardware; }
bool HasAllCalls(const Config& config) { return config.api || config.level == Level::full; }
constexpr KindOption kKinds[] = {
    {Kind::concurrent_kernel, "kernel", true, HasDevices},
    {Kind::copy, "copy", false, HasDevices},
    {Kind::peer_copy, "peer_copy", false, HasDevices},
    {Kind::fill, "fill", false, HasDevices},
    {Kind::memory, "memory", false, HasDevices},
    {Kind::overhead, "overhead", false, HasDevices},
    {Kind::device, "device", false, HasDevices},
    {Kind::wait, "sync", false,
     [](const Config& config) { return config.waits && HasDevices(config); }},
    {Kind::graph, "graph", false,
     [](const Config& config) { return !config.graph_nodes && HasDevices(config); }},
    {Kind::runtime, "runtime", false, HasAllCalls},
    {Kind::driver, "driver", false, HasAllCalls},
};

const char* FixOf(cupti::Result result) {
  switch (result) {
    case cupti::kInsufficientPrivileges:
    case cupti::kVirtualizedPrivileges:
      return "run as root or with CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN), or load the "
             "driver "
             "with NVreg_RestrictProfilingToAdminUsers=0";
    case cupti::kMultipleSubscribers:
      return "record without the other profiler: only one per process is possible";
    case cupti::kNotInitialized: return "install a newer driver, or an older CUPTI";
    default: return "`tfprof-capture doctor` shows what is installed";
  }
}

// One line, and the same in the spool; ranges of NVTX are recorded further.
void Refuse(const char* what, const char* fix) {
  char text[384];
  std::snprintf(text, sizeof text, "GPU work is not recorded: %s", what);
  Say(text, fix);
  AddFact("cupti.error", what);
  AddFact("cupti.fix", fix);
}

void RefuseResult(const char* step, cupti::Result result) {
  const char* name = nullptr;
  g_session.library.functions.GetResultString(result, &name);
  char what[256];
  std::snprintf(what, sizeof what, "%s: error %d, %s", step, result, name != nullptr ? name : "?");
  Refuse(what, FixOf(result));
}

bool Load() {
  if (!LoadCupti(&g_session.library)) {
    char what[128];
    const char* missing = g_session.library.missing;
    std::snprintf(what, sizeof what,
                  missing != nullptr ? "%s is missing in libcupti" : "no libcupti was found%s",
                  missing != nullptr ? missing : "");
    Refuse(what, "install nvidia-cuda-cupti of the same CUDA version, or set TFPROF_CUPTI_LIB");
    return false;
  }
  uint32_t version = 0;
  g_session.library.functions.GetVersion(&version);
  char text[32];
  std::snprintf(text, sizeof text, "%u", version);
  AddFact("cupti.version", text);
  AddFact("cupti.path", g_session.library.path);
  if (version != 0 && version < cupti::kOldestVersion) {  // some know it only with a driver
    Refuse("libcupti is older than CUDA 11.8", "set TFPROF_CUPTI_LIB to a newer one");
    return false;
  }
  return true;
}

bool Subscribe() {
  const cupti::Functions& functions = g_session.library.functions;
  char other[128] = {};
  cupti::SubscriberParameters parameters{
      .name = "tfprof-capture", .other = other, .other_bytes = sizeof other};
  const cupti::Result result =
      functions.Subscribe_v2 != nullptr
          ? functions.Subscribe_v2(&g_session.subscriber, OnCall, nullptr, &parameters)
          : functions.Subscribe(&g_session.subscriber, OnCall, nullptr);
  if (result == cupti::kSuccess) return true;
  char step[192];
  std::snprintf(step, sizeof step, other[0] != '\0' ? "CUPTI is used by %s" : "cuptiSubscribe%s",
                other);
  RefuseResult(step, result);
  return false;
}

void SetAttributes() {
  const cupti::Functions& functions = g_session.library.functions;
  if (functions.SetThreadIdType != nullptr) functions.SetThreadIdType(cupti::kSystemThreadIds);
  uint8_t is_zeroed = 1;
  size_t bytes = sizeof is_zeroed;
  functions.ActivitySetAttribute(cupti::Attribute::zeroed_buffers, &bytes, &is_zeroed);
  size_t pool = 64;
  bytes = sizeof pool;
  functions.ActivitySetAttribute(cupti::Attribute::device_buffer_pool_limit, &bytes, &pool);
}

// Kinds may be refused one by one; the spool says which are on.
bool EnableKinds() {
  const cupti::Functions& functions = g_session.library.functions;
  for (const KindOption& option : kKinds) {
    if (!option.is_on(g_recorder.config)) continue;
    const cupti::Result result = functions.ActivityEnable(option.kind);
    AddFact(result == cupti::kSuccess ? "kind.on" : "kind.refused", option.name);
    if (result == cupti::kSuccess || !option.is_needed) continue;
    RefuseResult("cuptiActivityEnable", result);
    return false;
  }
  return true;
}

void Undo() {
  for (const KindOption& option : kKinds) g_session.library.functions.ActivityDisable(option.kind);
  g_session.library.functions.Unsubscribe(g_session.subscriber);
  g_session.subscriber = nullptr;
}

uint32_t InternOfCupti(const char* text) {
  const NameEntry* entry = Intern({text, strnlen(text, 4096)});
  return entry != nullptr ? entry->id : 0;
}

// The records of one buffer, which are shorter than what they are made of.
struct Pending {
  uint32_t bytes = 0;
  alignas(8) unsigned char records[2 * kActivityBufferBytes];
};
Pending g_pending;

void AddPending(void*, const void* record, uint32_t bytes) {
  if (g_pending.bytes + bytes > sizeof g_pending.records) return;
  std::memcpy(g_pending.records + g_pending.bytes, record, bytes);
  g_pending.bytes += bytes;
}

// Device work belongs to the window of the call that launched it. Of memory all is kept: what is
// allocated in a pause is held afterwards.
bool IsRecorded(const Activity& activity) {
  switch (activity.kind) {
    case Kind::concurrent_kernel:
    case Kind::copy:
    case Kind::peer_copy:
    case Kind::fill:
    case Kind::graph: return !g_session.has_calls.load() || WasRecorded(activity.correlation);
    case Kind::wait:
    case Kind::overhead:
    case Kind::driver:
    case Kind::runtime: return IsInWindow(activity.start);
    default: return true;
  }
}

void DecodeBuffer(ActivityBuffer* buffer) {
  const RecordSink sink{nullptr, AddPending};
  const bool has_paused = HasPaused();
  const auto next = g_session.library.functions.ActivityGetNextRecord;
  void* record = nullptr;
  while (next(buffer->bytes(), buffer->valid_bytes, &record) == cupti::kSuccess) {
    const auto* raw = static_cast<const uint8_t*>(record);
    const auto offset = static_cast<size_t>(raw - buffer->bytes());
    if (offset >= buffer->valid_bytes) break;
    Activity activity;
    if (DecodeActivity(raw, buffer->valid_bytes - offset, &activity) != Decoded::activity) {
      ++g_session.unknown;
    } else if (!has_paused || IsRecorded(activity)) {
      AddActivity(activity, InternOfCupti, sink);
    }
  }
}

void WritePending(SpoolFile* spool) {
  // By record, so that no block gets too long.
  for (uint32_t at = 0; at < g_pending.bytes;) {
    RecordHead head;
    std::memcpy(&head, g_pending.records + at, sizeof head);
    AddRecords(spool, nullptr, g_pending.records + at, head.bytes);
    at += head.bytes;
  }
  g_pending.bytes = 0;
}

}  // namespace

void StartActivities() {
  static std::atomic<bool> is_started{false};
  if (is_started.exchange(true) || !Load() || !Subscribe()) return;
  SetAttributes();
  const cupti::Result registered =
      g_session.library.functions.ActivityRegisterCallbacks(RequestBuffer, CompleteBuffer);
  if (registered != cupti::kSuccess) RefuseResult("cuptiActivityRegisterCallbacks", registered);
  if (registered != cupti::kSuccess || !EnableKinds()) return Undo();
  const uint32_t calls = EnableCalls(g_session.library.functions, g_session.subscriber,
                                     HasAllCalls(g_recorder.config));
  char text[16];
  std::snprintf(text, sizeof text, "%u", calls);
  AddFact("calls.on", text);
  g_session.has_calls.store(calls > 0);
  g_session.is_on.store(true, std::memory_order_release);
  if (!StartPython()) AddFact("python.error", "the process had no Python when CUDA began");
}

void FlushActivities(bool is_forced) {
  if (!g_session.is_on.load(std::memory_order_acquire)) return;
  g_session.library.functions.ActivityFlushAll(is_forced ? cupti::kFlushForced : 0);
}

void WriteActivities(ActivityBuffer* completed, SpoolFile* spool, void (*write_definitions)()) {
  while (completed != nullptr) {
    ActivityBuffer* next = completed->next;
    DecodeBuffer(completed);
    ReuseBuffer(completed);
    write_definitions();
    WritePending(spool);
    completed = next;
  }
}

ActivityCounts CountActivities() {
  if (g_session.is_on.load(std::memory_order_acquire)) {
    size_t dropped = 0;  // since the last call
    if (g_session.library.functions.ActivityGetNumDroppedRecords(nullptr, 0, &dropped) ==
        cupti::kSuccess) {
      g_session.dropped_by_cupti += dropped;
    }
  }
  return {DiscardedBytes(), g_session.dropped_by_cupti, g_session.unknown};
}

uint64_t CuptiTime() {
  uint64_t time = 0;
  if (g_session.is_on.load(std::memory_order_acquire)) {
    g_session.library.functions.GetTimestamp(&time);
  }
  return time;
}

void ForgetActivities() {
  g_session.is_on.store(false);
  ForgetBuffers();
  ForgetCalls();
  ForgetDefinitions();
}

}  // namespace tfprof::capture
