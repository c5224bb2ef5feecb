// SPDX-License-Identifier: Apache-2.0
// Real work on a real GPU, in known numbers: kernels on two streams, copies, fills, allocations and
// launches of a graph, inside ranges. It needs no CUDA toolkit: the kernel is PTX, and the driver
// is loaded. Prints what a capture must contain, and the CPU time of a launch. Exit status 77:
// there is no GPU.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "capture/testing/nvtx_client.h"

namespace {

// Runs for a number of clocks of the GPU.
constexpr char kPtx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 clocks)
{
  .reg .pred %p<2>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [clocks];
  mov.u64 %rd2, %clock64;
AGAIN:
  mov.u64 %rd3, %clock64;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p1, %rd4, %rd1;
  @%p1 bra AGAIN;
  ret;
}
)";

using Handle = void*;
void* g_driver = nullptr;

// Calls a function of the driver, and ends the program if it fails.
template <class... Arguments>
void Call(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(g_driver, name));
  const int error = function != nullptr ? function(arguments...) : -1;
  if (error == 0) return;
  std::fprintf(stderr, "%s: error %d\n", name, error);
  const bool is_no_gpu = error == 100 || error == 3;
  std::exit(is_no_gpu ? 77 : 1);
}

struct Gpu {
  Handle function = nullptr;
  Handle streams[2] = {};
  uint64_t buffer = 0;
};
constexpr size_t kBytes = 1 << 20;

Gpu Open() {
  g_driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (g_driver == nullptr) std::exit(77);
  Gpu gpu;
  int device = 0;
  Handle context = nullptr;
  Handle module = nullptr;
  Call("cuInit", 0U);
  Call("cuDeviceGet", &device, 0);
  Call("cuDevicePrimaryCtxRetain", &context, device);
  Call("cuCtxSetCurrent", context);
  Call("cuModuleLoadData", &module, static_cast<const void*>(kPtx));
  Call("cuModuleGetFunction", &gpu.function, module, "spin");
  for (Handle& stream : gpu.streams) Call("cuStreamCreate", &stream, 1U);
  Call("cuMemAlloc_v2", &gpu.buffer, kBytes);
  return gpu;
}

void Launch(const Gpu& gpu, int stream, uint64_t clocks) {
  void* parameters[] = {&clocks};
  Call("cuLaunchKernel", gpu.function, 1U, 1U, 1U, 32U, 1U, 1U, 0U, gpu.streams[stream],
       static_cast<void**>(parameters), static_cast<void**>(nullptr));
}

// Ten kernels.
Handle MakeGraph(const Gpu& gpu) {
  Handle graph = nullptr;
  Handle executable = nullptr;
  Call("cuStreamBeginCapture_v2", gpu.streams[0], 0);
  for (int i = 0; i < 10; ++i) Launch(gpu, 0, 1000);
  Call("cuStreamEndCapture", gpu.streams[0], &graph);
  Call("cuGraphInstantiateWithFlags", &executable, graph, static_cast<unsigned long long>(0));
  return executable;
}

double CpuNs() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void Step(const Gpu& gpu, Handle graph, int step, const void* host) {
  nvtxRangePushA(("step " + std::to_string(step)).c_str());
  nvtxRangePushA("input");
  Call("cuMemcpyHtoDAsync_v2", gpu.buffer, host, kBytes, gpu.streams[1]);
  nvtxRangePop();
  nvtxRangePushA("forward");
  Launch(gpu, 0, 20'000);
  Launch(gpu, 1, 10'000);
  nvtxRangePop();
  nvtxRangePushA("backward");
  Call("cuMemsetD8Async", gpu.buffer, static_cast<unsigned char>(0), kBytes, gpu.streams[0]);
  Call("cuGraphLaunch", graph, gpu.streams[0]);
  nvtxRangePop();
  Call("cuStreamSynchronize", gpu.streams[0]);
  nvtxRangePop();
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 20'000;
  static char host[kBytes];
  const Gpu gpu = Open();
  Handle graph = MakeGraph(gpu);
  for (int step = 0; step < steps; ++step) Step(gpu, graph, step, host);
  Call("cuCtxSynchronize");
  nvtxRangePushA("launches");
  const double start = CpuNs();
  for (int i = 0; i < launches; ++i) Launch(gpu, 0, 1);
  const double launch_ns = (CpuNs() - start) / launches;
  nvtxRangePop();
  Call("cuCtxSynchronize");
  Call("cuMemFree_v2", gpu.buffer);
  std::printf(
      "{\"kernels\": %d, \"graph_kernels\": %d, \"copies\": %d, \"fills\": %d, \"graph_launches\": "
      "%d, "
      "\"steps\": %d, \"launch_ns\": %.1f}\n",
      2 * steps + launches, 10 * steps, steps, steps, steps, steps, launch_ns);
  return 0;
}
