// SPDX-License-Identifier: Apache-2.0
#include "capture/testing/fake_cuda.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>

namespace {

std::atomic<const fake::Hooks*> g_hooks{nullptr};
std::atomic<uint32_t> g_correlation{0};
std::mutex g_lock;
std::map<CUstream, uint64_t> g_busy_until;  // by stream
std::map<uint64_t, size_t> g_allocated;     // by address
uint64_t g_next_address = 0x7f0000000000;
// Of the runtime's call that this thread is in; its driver call has the same.
thread_local uint32_t t_correlation = 0;

constexpr int kDriver = 1;
constexpr int kRuntime = 2;

uint64_t NowNs() {
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// Tells CUPTI of a call while it lives.
class Call {
 public:
  Call(int domain, uint32_t callback, const char* name)
      : domain_(domain), callback_(callback), name_(name), is_outer_(t_correlation == 0) {
    if (is_outer_) t_correlation = g_correlation.fetch_add(1) + 1;
    correlation_ = t_correlation;
    Tell(0);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    Tell(1);
    if (is_outer_) t_correlation = 0;
  }
  uint32_t correlation() const { return correlation_; }

 private:
  void Tell(int site) const {
    const fake::Hooks* hooks = g_hooks.load();
    if (hooks != nullptr) hooks->call(domain_, callback_, site, name_, correlation_);
  }
  int domain_;
  uint32_t callback_;
  const char* name_;
  uint32_t correlation_ = 0;
  bool is_outer_;
};

// Work of a stream begins when the work before it is done.
void Run(fake::Item item, uint64_t duration_ns, uint32_t correlation) {
  item.correlation = correlation;
  {
    const std::lock_guard<std::mutex> hold(g_lock);
    uint64_t& until = g_busy_until[item.stream];
    item.start_ns = std::max(NowNs() + 2000, until);
    item.end_ns = until = item.start_ns + duration_ns;
  }
  const fake::Hooks* hooks = g_hooks.load();
  if (hooks != nullptr) hooks->done(item);
}

// 10 GB/s
uint64_t CopyNs(size_t bytes) { return bytes / 10 + 1; }

}  // namespace

void fake_cuda_set_hooks(const fake::Hooks* hooks) { g_hooks.store(hooks); }

CUresult cuInit(unsigned) {
  static const bool is_injected = [] {
    const char* path = std::getenv("CUDA_INJECTION64_PATH");
    void* tool = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
    if (tool == nullptr) return false;
    const auto initialize = reinterpret_cast<int (*)()>(dlsym(tool, "InitializeInjection"));
    return initialize != nullptr && initialize() != 0;
  }();
  (void)is_injected;
  return 0;
}

CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}

CUresult cuLaunchKernel(const char* name, uint32_t grid, uint32_t block, CUstream stream,
                        uint64_t duration_ns) {
  const Call call(kDriver, 307, "cuLaunchKernel");
  Run({.work = fake::Work::kernel, .name = name, .grid = grid, .block = block, .stream = stream},
      duration_ns, call.correlation());
  return 0;
}

CUresult cuMemcpyHtoDAsync_v2(size_t bytes, CUstream stream) {
  const Call call(kDriver, 277, "cuMemcpyHtoDAsync_v2");
  Run({.work = fake::Work::copy_to_device, .stream = stream, .bytes = bytes}, CopyNs(bytes),
      call.correlation());
  return 0;
}

CUresult cuMemcpyDtoHAsync_v2(size_t bytes, CUstream stream) {
  const Call call(kDriver, 279, "cuMemcpyDtoHAsync_v2");
  Run({.work = fake::Work::copy_to_host, .stream = stream, .bytes = bytes}, CopyNs(bytes),
      call.correlation());
  return 0;
}

CUresult cuMemsetD8Async(size_t bytes, CUstream stream) {
  const Call call(kDriver, 216, "cuMemsetD8Async");
  Run({.work = fake::Work::fill, .stream = stream, .bytes = bytes}, CopyNs(bytes),
      call.correlation());
  return 0;
}

CUresult cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  const Call call(kDriver, 243, "cuMemAlloc_v2");
  {
    const std::lock_guard<std::mutex> hold(g_lock);
    *address = g_next_address;
    g_next_address += (bytes + 511) / 512 * 512;
    g_allocated[*address] = bytes;
  }
  Run({.work = fake::Work::allocate, .bytes = bytes, .address = *address}, 0, call.correlation());
  return 0;
}

CUresult cuMemFree_v2(uint64_t address) {
  const Call call(kDriver, 245, "cuMemFree_v2");
  size_t bytes = 0;
  {
    const std::lock_guard<std::mutex> hold(g_lock);
    bytes = g_allocated[address];
    g_allocated.erase(address);
  }
  Run({.work = fake::Work::release, .bytes = bytes, .address = address}, 0, call.correlation());
  return 0;
}

CUresult cuStreamSynchronize(CUstream stream) {
  const Call call(kDriver, 126, "cuStreamSynchronize");
  uint64_t until = 0;
  {
    const std::lock_guard<std::mutex> hold(g_lock);
    until = g_busy_until[stream];
  }
  const uint64_t start = NowNs();
  while (NowNs() < until) {
  }
  const fake::Hooks* hooks = g_hooks.load();
  if (hooks != nullptr) {
    hooks->done({.work = fake::Work::wait,
                 .stream = stream,
                 .correlation = call.correlation(),
                 .start_ns = start,
                 .end_ns = NowNs()});
  }
  return 0;
}

CUresult cuGraphLaunch(uint32_t graph, uint32_t kernels, CUstream stream) {
  const Call call(kDriver, 514, "cuGraphLaunch");
  Run({.work = fake::Work::graph, .stream = stream, .graph = graph, .graph_nodes = kernels},
      uint64_t{kernels} * 1000, call.correlation());
  return 0;
}

CUresult cudaLaunchKernel(const char* name, uint32_t grid, uint32_t block, CUstream stream,
                          uint64_t duration_ns) {
  const Call call(kRuntime, 211, "cudaLaunchKernel_v7000");
  return cuLaunchKernel(name, grid, block, stream, duration_ns);
}

CUresult cudaMemcpy(size_t bytes) {
  const Call call(kRuntime, 31, "cudaMemcpy_v3020");
  cuMemcpyDtoHAsync_v2(bytes, 7);
  return cuStreamSynchronize(7);
}

CUresult cuProfilerStart() {
  const Call call(kDriver, 308, "cuProfilerStart");
  return 0;
}

CUresult cuProfilerStop() {
  const Call call(kDriver, 309, "cuProfilerStop");
  return 0;
}

CUresult cudaProfilerStart() {
  const Call call(kRuntime, 171, "cudaProfilerStart_v4000");
  return cuProfilerStart();
}

CUresult cudaProfilerStop() {
  const Call call(kRuntime, 172, "cudaProfilerStop_v4000");
  return cuProfilerStop();
}

double fake_cuda_time_launches(uint32_t count) {
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  for (uint32_t i = 0; i < count; ++i) cuLaunchKernel("kernel", 1, 32, 7, 10);
  return (now() - start) / count;
}
