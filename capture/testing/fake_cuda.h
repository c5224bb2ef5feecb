// SPDX-License-Identifier: Apache-2.0
// A driver without a GPU: as much of CUDA as our programs call. A kernel's time is chosen by its
// launch, and streams run their work in order, so that what a trace must show is known. It meets
// the fake CUPTI as the real ones meet: CUPTI asks the driver to be told of calls.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using CUresult = int;
using CUstream = uint32_t;  // 7 is the default one

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int* version);
// A kernel of this mangled name that runs for so long, on so many blocks of threads.
CUresult cuLaunchKernel(const char* name, uint32_t grid, uint32_t block, CUstream stream,
                        uint64_t duration_ns);
CUresult cuMemcpyHtoDAsync_v2(size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(size_t bytes, CUstream stream);
CUresult cuMemsetD8Async(size_t bytes, CUstream stream);
CUresult cuMemAlloc_v2(uint64_t* address, size_t bytes);
CUresult cuMemFree_v2(uint64_t address);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuProfilerStart();
CUresult cuProfilerStop();
// A graph of so many kernels of a microsecond.
CUresult cuGraphLaunch(uint32_t graph, uint32_t kernels, CUstream stream);

// The runtime: the same through a call that contains the driver's.
CUresult cudaLaunchKernel(const char* name, uint32_t grid, uint32_t block, CUstream stream,
                          uint64_t duration_ns);
CUresult cudaMemcpy(size_t bytes);  // to the host; waits
CUresult cudaProfilerStart();
CUresult cudaProfilerStop();

// CPU time of a launch in ns, from so many in a loop.
double fake_cuda_time_launches(uint32_t count);

}  // extern "C"

namespace fake {

enum class Work : uint32_t {
  kernel,
  copy_to_device,
  copy_to_host,
  fill,
  graph,
  allocate,
  release,
  wait
};

struct Item {
  Work work = Work::kernel;
  const char* name = nullptr;
  uint32_t grid = 1;
  uint32_t block = 1;
  uint32_t stream = 7;
  uint32_t correlation = 0;
  uint32_t graph = 0;
  uint32_t graph_nodes = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint64_t bytes = 0;
  uint64_t address = 0;
};

// What the fake CUPTI installs. `call` is told of enter (0) and exit (1).
struct Hooks {
  void (*call)(int domain, uint32_t callback, int site, const char* name, uint32_t correlation);
  void (*done)(const Item& item);
};

}  // namespace fake

extern "C" void fake_cuda_set_hooks(const fake::Hooks* hooks);
