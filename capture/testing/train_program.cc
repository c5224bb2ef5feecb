// SPDX-License-Identifier: Apache-2.0
// Trains on the fake GPU: steps of a forward and a backward range, copies on a stream of their own,
// a CUDA graph, allocations, and a loader thread. Every duration is fixed. "train STEPS FIRST LAST"
// calls cudaProfilerStart before step FIRST and cudaProfilerStop after step LAST. "train STEPS -1
// -1 PAUSE" waits so many microseconds after each step.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "capture/testing/fake_cuda.h"
#include "capture/testing/nvtx_client.h"

namespace {

constexpr CUstream kCompute = 7;
constexpr CUstream kCopies = 13;
constexpr char kGemm[] = "_ZN3gpu4gemmIfLi128EEEvPKfS2_Pf";  // void gpu::gemm<float, 128>(...)
constexpr char kRelu[] = "relu_kernel";

void Forward() {
  nvtxRangePushA("forward");
  nvtxRangePushA("dense");
  cudaLaunchKernel(kGemm, 64, 128, kCompute, 20'000);
  nvtxRangePop();
  nvtxRangePushA("activation");
  cuLaunchKernel(kRelu, 32, 256, kCompute, 5'000);
  nvtxRangePop();
  nvtxRangePop();
}

void Backward() {
  nvtxRangePushA("backward");
  cudaLaunchKernel(kGemm, 64, 128, kCompute, 30'000);
  cuMemsetD8Async(4096, kCompute);
  nvtxRangePop();
}

void Step(int step) {
  nvtxRangePushA(("step " + std::to_string(step)).c_str());
  cuMemcpyHtoDAsync_v2(100'000, kCopies);
  Forward();
  Backward();
  cuGraphLaunch(3, 10, kCompute);
  cudaMemcpy(1000);
  nvtxRangePop();
}

void Load(int steps, int pause_us) {
  for (int i = 0; i < steps; ++i) {
    nvtxRangePushA("load");
    nvtxRangePop();
    if (pause_us > 0) usleep(static_cast<useconds_t>(pause_us));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 5;
  const int first = argc > 3 ? std::atoi(argv[2]) : -1;
  const int last = argc > 3 ? std::atoi(argv[3]) : -1;
  const int pause_us = argc > 4 ? std::atoi(argv[4]) : 0;
  cuInit(0);
  uint64_t weights = 0;
  uint64_t scratch = 0;
  cuMemAlloc_v2(&weights, 64 << 20);
  std::thread loader(Load, steps, pause_us);
  for (int step = 0; step < steps; ++step) {
    if (step == first) cudaProfilerStart();
    cuMemAlloc_v2(&scratch, 16 << 20);
    Step(step);
    if (step == last) cudaProfilerStop();
    cuMemFree_v2(scratch);
    if (pause_us > 0) usleep(static_cast<useconds_t>(pause_us));
  }
  cuLaunchKernel(kRelu, 1, 32, kCompute, 7'000);  // outside of all ranges
  loader.join();
  cuStreamSynchronize(kCompute);
  std::printf("trained %d steps\n", steps);
  return 0;
}
