// SPDX-License-Identifier: Apache-2.0
// What python_launches.py does as PyTorch would: ranges of NVTX, and launches on threads without
// Python code.
#include <cstdint>
#include <thread>

#include "capture/testing/fake_cuda.h"
#include "capture/testing/nvtx_client.h"

extern "C" {

void push_range(const char* name) { nvtxRangePushA(name); }
void pop_range() { nvtxRangePop(); }

// Inside of a range, on a thread of its own.
void launch_on_thread(const char* range, const char* kernel, uint64_t duration_ns) {
  std::thread([=] {
    nvtxRangePushA(range);
    cuLaunchKernel(kernel, 1, 32, 7, duration_ns);
    nvtxRangePop();
  }).join();
}

}  // extern "C"
