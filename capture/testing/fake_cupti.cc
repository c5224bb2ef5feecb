// SPDX-License-Identifier: Apache-2.0
// CUPTI 13.0's public interface over the fake driver. Records have the sizes that the real
// library's walker expects, buffers are filled on the program's threads and returned on a thread of
// CUPTI's own or on the one that flushes. FAKE_CUPTI_FAULT makes it refuse: "subscribe=39",
// "enable=35", "drop=N" (every Nth record lost), "zero=N" (every Nth kernel without times),
// "unknown=N" (records of a kind nobody knows).
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "capture/abi/cupti.h"
#include "capture/testing/fake_cuda.h"

namespace {

namespace cupti = tfprof::capture::cupti;
using cupti::Kind;
using cupti::Result;

// Sizes of records in CUPTI 13.0.
size_t SizeOf(Kind kind) {
  switch (kind) {
    case Kind::concurrent_kernel: return 216;
    case Kind::copy: return 96;
    case Kind::peer_copy: return 96;
    case Kind::fill: return 88;
    case Kind::memory: return 128;
    case Kind::wait: return 56;
    case Kind::overhead: return 56;
    case Kind::driver:
    case Kind::runtime: return 40;
    case Kind::graph: return 56;
    case Kind::device: return 184;
    case Kind::context: return 32;
    default: return 64;
  }
}
constexpr uint32_t kUnknownKind = 99;
constexpr uint32_t kDevice = 0;
constexpr uint32_t kContext = 1;

struct Session {
  std::mutex lock;
  cupti::Callback callback = nullptr;
  void* user = nullptr;
  std::set<std::pair<int, uint32_t>> callbacks;
  std::set<Kind> kinds;
  cupti::RequestBuffer request = nullptr;
  cupti::CompleteBuffer complete = nullptr;
  uint8_t* buffer = nullptr;
  size_t bytes = 0;
  size_t used = 0;
  size_t dropped = 0;
  uint64_t records = 0;
};
Session g_session;

int Fault(const char* name) {
  static const char* const faults = std::getenv("FAKE_CUPTI_FAULT");
  if (faults == nullptr) return 0;
  const char* found = std::strstr(faults, name);
  return found != nullptr ? std::atoi(found + std::strlen(name) + 1) : 0;
}

uint64_t NowNs() {
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// A full buffer, to be returned without the lock held.
struct Full {
  uint8_t* buffer = nullptr;
  size_t bytes = 0;
  size_t used = 0;
};

void Return(const Full& full) {
  if (full.buffer != nullptr) g_session.complete(nullptr, 0, full.buffer, full.bytes, full.used);
}

Full TakeBuffer() {
  const Full full{g_session.buffer, g_session.bytes, g_session.used};
  g_session.buffer = nullptr;
  g_session.used = g_session.bytes = 0;
  return full;
}

template <class Raw>
void Emit(Kind kind, const Raw& raw) {
  Full full;
  {
    const std::lock_guard<std::mutex> hold(g_session.lock);
    if (g_session.kinds.find(kind) == g_session.kinds.end() || g_session.request == nullptr) return;
    const int drop = Fault("drop");
    if (drop != 0 && ++g_session.records % static_cast<uint64_t>(drop) == 0) {
      ++g_session.dropped;
      return;
    }
    const size_t size = SizeOf(kind);
    if (g_session.buffer != nullptr && g_session.used + size > g_session.bytes) full = TakeBuffer();
    if (g_session.buffer == nullptr) {
      size_t most = 0;
      g_session.request(&g_session.buffer, &g_session.bytes, &most);
    }
    if (g_session.buffer != nullptr) {
      std::memcpy(g_session.buffer + g_session.used, &raw, sizeof raw);
      g_session.used += size;
    }
  }
  Return(full);
}

void EmitKernel(const fake::Item& item, uint64_t start, uint64_t end, uint64_t node) {
  static std::atomic<int> count{0};
  const int zero = Fault("zero");
  const bool is_zero = zero != 0 && ++count % zero == 0;
  cupti::KernelActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::concurrent_kernel);
  raw.registers = 32;
  raw.start = is_zero ? 0 : start;
  raw.end = is_zero ? 0 : end;
  raw.device = kDevice;
  raw.context = kContext;
  raw.stream = item.stream;
  const int32_t grid[3] = {static_cast<int32_t>(item.grid), 1, 1};
  const int32_t block[3] = {static_cast<int32_t>(item.block), 1, 1};
  std::memcpy(raw.grid, grid, sizeof grid);
  std::memcpy(raw.block, block, sizeof block);
  raw.static_shared_bytes = 1024;
  raw.dynamic_shared_bytes = 256;
  raw.correlation = item.correlation;
  raw.name = item.name;
  raw.graph_node = node;
  raw.graph = item.graph;
  Emit(Kind::concurrent_kernel, raw);
}

void EmitCopy(const fake::Item& item, bool to_device) {
  cupti::CopyActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::copy);
  raw.copy_kind = to_device ? 1 : 2;
  raw.from = to_device ? 2 : 3;
  raw.to = to_device ? 3 : 2;
  raw.flags = 1;
  raw.bytes = item.bytes;
  raw.start = item.start_ns;
  raw.end = item.end_ns;
  raw.device = kDevice;
  raw.context = kContext;
  raw.stream = item.stream;
  raw.correlation = item.correlation;
  Emit(Kind::copy, raw);
}

void EmitFill(const fake::Item& item) {
  cupti::FillActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::fill);
  raw.bytes = item.bytes;
  raw.start = item.start_ns;
  raw.end = item.end_ns;
  raw.device = kDevice;
  raw.context = kContext;
  raw.stream = item.stream;
  raw.correlation = item.correlation;
  raw.memory_kind = 3;
  raw.flags = 1;
  Emit(Kind::fill, raw);
}

void EmitMemory(const fake::Item& item, bool is_release) {
  cupti::MemoryActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::memory);
  raw.operation = is_release ? 2 : 1;
  raw.memory_kind = 3;
  raw.correlation = item.correlation;
  raw.address = item.address;
  raw.bytes = item.bytes;
  raw.time = item.start_ns;
  raw.device = kDevice;
  raw.context = kContext;
  raw.stream = item.stream;
  Emit(Kind::memory, raw);
}

void EmitWait(const fake::Item& item) {
  cupti::WaitActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::wait);
  raw.type = 3;
  raw.start = item.start_ns;
  raw.end = item.end_ns;
  raw.correlation = item.correlation;
  raw.context = kContext;
  raw.stream = item.stream;
  Emit(Kind::wait, raw);
}

// One record, or one per node if graphs are not recorded as a whole.
void EmitGraph(const fake::Item& item) {
  if (g_session.kinds.find(Kind::graph) == g_session.kinds.end()) {
    fake::Item node = item;
    node.name = "graph_node";
    for (uint32_t i = 0; i < item.graph_nodes; ++i) {
      EmitKernel(node, item.start_ns + i * 1000, item.start_ns + (i + 1) * 1000, i + 1);
    }
    return;
  }
  cupti::GraphActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::graph);
  raw.correlation = item.correlation;
  raw.start = item.start_ns;
  raw.end = item.end_ns;
  raw.device = kDevice;
  raw.graph = item.graph;
  raw.context = kContext;
  raw.stream = item.stream;
  Emit(Kind::graph, raw);
}

void EmitUnknown() {
  const uint32_t raw[16] = {kUnknownKind};
  const std::lock_guard<std::mutex> hold(g_session.lock);
  if (g_session.buffer == nullptr || g_session.used + sizeof raw > g_session.bytes) return;
  std::memcpy(g_session.buffer + g_session.used, raw, sizeof raw);
  g_session.used += sizeof raw;
}

void OnDone(const fake::Item& item) {
  static std::atomic<int> count{0};
  switch (item.work) {
    case fake::Work::kernel: EmitKernel(item, item.start_ns, item.end_ns, 0); break;
    case fake::Work::copy_to_device: EmitCopy(item, true); break;
    case fake::Work::copy_to_host: EmitCopy(item, false); break;
    case fake::Work::fill: EmitFill(item); break;
    case fake::Work::allocate: EmitMemory(item, false); break;
    case fake::Work::release: EmitMemory(item, true); break;
    case fake::Work::wait: EmitWait(item); break;
    case fake::Work::graph: EmitGraph(item); break;
  }
  const int unknown = Fault("unknown");
  if (unknown != 0 && ++count % unknown == 0) EmitUnknown();
}

void OnCall(int domain, uint32_t callback, int site, const char* name, uint32_t correlation) {
  if (g_session.callback == nullptr) return;
  if (g_session.callbacks.find({domain, callback}) == g_session.callbacks.end()) return;
  uint64_t data = 0;
  const cupti::CallbackData call{.site = static_cast<cupti::Site>(site),
                                 .function = name,
                                 .parameters = nullptr,
                                 .result = nullptr,
                                 .symbol = nullptr,
                                 .context = nullptr,
                                 .context_id = kContext,
                                 .correlation_data = &data,
                                 .correlation = correlation};
  g_session.callback(g_session.user, domain, callback, &call);
}

void EmitDevice() {
  cupti::DeviceActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::device);
  raw.memory_kilobytes_per_s = 3'352'320'000;
  raw.memory_bytes = uint64_t{80} << 30;
  raw.clock_khz = 1'980'000;
  raw.multiprocessors = 132;
  raw.capability_major = 9;
  raw.device = kDevice;
  raw.name = "Fake GPU";
  Emit(Kind::device, raw);
}

const fake::Hooks kHooks{OnCall, OnDone};

struct Known {
  int domain;
  uint32_t callback;
  const char* name;
};
constexpr Known kKnown[] = {
    {1, 126, "cuStreamSynchronize"},     {1, 216, "cuMemsetD8Async"},
    {1, 243, "cuMemAlloc_v2"},           {1, 245, "cuMemFree_v2"},
    {1, 277, "cuMemcpyHtoDAsync_v2"},    {1, 279, "cuMemcpyDtoHAsync_v2"},
    {1, 307, "cuLaunchKernel"},          {1, 514, "cuGraphLaunch"},
    {1, 308, "cuProfilerStart"},         {1, 309, "cuProfilerStop"},
    {2, 171, "cudaProfilerStart_v4000"}, {2, 172, "cudaProfilerStop_v4000"},
    {2, 31, "cudaMemcpy_v3020"},         {2, 211, "cudaLaunchKernel_v7000"},
};

}  // namespace

extern "C" {

Result cuptiGetVersion(uint32_t* version) {
  *version = 130001;
  return 0;
}

Result cuptiGetTimestamp(uint64_t* time) {
  *time = NowNs();
  return 0;
}

Result cuptiGetResultString(Result result, const char** text) {
  *text = result == cupti::kMultipleSubscribers ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
          : result == cupti::kInsufficientPrivileges ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                                     : "CUPTI_ERROR_UNKNOWN";
  return 0;
}

Result cuptiSubscribe_v2(cupti::Subscriber* subscriber, cupti::Callback callback, void* user,
                         cupti::SubscriberParameters* parameters) {
  const int fault = Fault("subscribe");
  if (fault == cupti::kMultipleSubscribers && parameters != nullptr) {
    std::snprintf(parameters->other, parameters->other_bytes, "CUPTI for Kineto");
  }
  if (fault != 0) return fault;
  g_session.callback = callback;
  g_session.user = user;
  *subscriber = &g_session;
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return cupti::kUnknown;
  const auto set =
      reinterpret_cast<void (*)(const fake::Hooks*)>(dlsym(driver, "fake_cuda_set_hooks"));
  if (set == nullptr) return cupti::kUnknown;
  set(&kHooks);
  return 0;
}

Result cuptiSubscribe(cupti::Subscriber* subscriber, cupti::Callback callback, void* user) {
  return cuptiSubscribe_v2(subscriber, callback, user, nullptr);
}

Result cuptiUnsubscribe(cupti::Subscriber) {
  g_session.callback = nullptr;
  return 0;
}

Result cuptiEnableCallback(uint32_t, cupti::Subscriber, int domain, uint32_t callback) {
  g_session.callbacks.insert({domain, callback});
  return 0;
}

Result cuptiGetCallbackName(int domain, uint32_t callback, const char** name) {
  for (const Known& known : kKnown) {
    if (known.domain != domain || known.callback != callback) continue;
    *name = known.name;
    return 0;
  }
  return 1;
}

Result cuptiActivityRegisterCallbacks(cupti::RequestBuffer request,
                                      cupti::CompleteBuffer complete) {
  g_session.request = request;
  g_session.complete = complete;
  return 0;
}

Result cuptiActivityEnable(Kind kind) {
  const int fault = Fault("enable");
  if (fault != 0) return fault;
  g_session.kinds.insert(kind);
  if (kind == Kind::device) EmitDevice();
  return 0;
}

Result cuptiActivityDisable(Kind kind) {
  g_session.kinds.erase(kind);
  return 0;
}

Result cuptiActivityFlushAll(uint32_t) {
  Full full;
  {
    const std::lock_guard<std::mutex> hold(g_session.lock);
    full = TakeBuffer();
  }
  Return(full);
  return 0;
}

Result cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid_bytes, void** record) {
  constexpr Result kMaxLimitReached = 12;
  auto* at = static_cast<uint8_t*>(*record);
  if (at == nullptr) {
    at = buffer;
  } else {
    Kind kind;
    std::memcpy(&kind, at, sizeof kind);
    at += SizeOf(kind);
  }
  if (at + 4 > buffer + valid_bytes) return kMaxLimitReached;
  *record = at;
  return 0;
}

Result cuptiActivityGetNumDroppedRecords(void*, uint32_t, size_t* dropped) {
  const std::lock_guard<std::mutex> hold(g_session.lock);
  *dropped = std::exchange(g_session.dropped, 0);
  return 0;
}

Result cuptiActivitySetAttribute(cupti::Attribute, size_t*, void*) { return 0; }
Result cuptiSetThreadIdType(int) { return 0; }

}  // extern "C"
