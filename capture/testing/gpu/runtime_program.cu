// SPDX-License-Identifier: Apache-2.0
// Real work through the runtime API, in known numbers: kernels of two streams and of the default
// one, a cooperative kernel, copies, fills, allocations of a pool, events and a graph, inside
// ranges of the vendor's headers. Prints what a capture must contain. Build: nvcc runtime_program.cu
#include <cooperative_groups.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(error == cudaErrorNoDevice ? 77 : 1);
}
#define CHECK(call) Check(call, #call)

__global__ void Spin(long long clocks) {
  const long long start = clock64();
  while (clock64() - start < clocks) {
  }
}

template <int kScale>
__global__ void Scaled(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= kScale;
}

__global__ void Together(float* values) {
  cooperative_groups::this_grid().sync();
  values[threadIdx.x] += 1;
}

constexpr int kCount = 1 << 18;

struct Work {
  cudaStream_t streams[2];
  cudaEvent_t event;
  cudaGraphExec_t graph;
  float* values;
  float* host;
};

// Five kernels, a copy and a fill.
cudaGraphExec_t MakeGraph(const Work& work) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(work.streams[0], cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 5; ++i) Spin<<<1, 32, 0, work.streams[0]>>>(5000);
  CHECK(cudaMemsetAsync(work.values, 0, 4096, work.streams[0]));
  CHECK(cudaMemcpyAsync(work.host, work.values, 4096, cudaMemcpyDeviceToHost, work.streams[0]));
  CHECK(cudaStreamEndCapture(work.streams[0], &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

Work Prepare() {
  Work work = {};
  for (cudaStream_t& stream : work.streams) CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&work.event));
  CHECK(cudaMalloc(&work.values, kCount * sizeof(float)));
  CHECK(cudaMallocHost(&work.host, kCount * sizeof(float)));
  work.graph = MakeGraph(work);
  return work;
}

// 4 kernels, 2 copies, 1 fill, 1 launch of a graph.
void Step(Work& work, int step) {
  nvtxRangePushA(("step " + std::to_string(step)).c_str());
  nvtxRangePushA("input");
  CHECK(cudaMemcpyAsync(work.values, work.host, kCount * sizeof(float), cudaMemcpyHostToDevice,
                        work.streams[1]));
  CHECK(cudaEventRecord(work.event, work.streams[1]));
  CHECK(cudaStreamWaitEvent(work.streams[0], work.event, 0));
  nvtxRangePop();
  nvtxRangePushA("forward");
  Scaled<2><<<kCount / 256, 256, 0, work.streams[0]>>>(work.values, kCount);
  Scaled<3><<<kCount / 256, 256, 0, work.streams[0]>>>(work.values, kCount);
  Spin<<<1, 1>>>(10000);
  float* scratch = nullptr;
  CHECK(cudaMallocAsync(&scratch, 1 << 20, work.streams[0]));
  CHECK(cudaMemsetAsync(scratch, 0, 1 << 20, work.streams[0]));
  CHECK(cudaFreeAsync(scratch, work.streams[0]));
  nvtxRangePop();
  nvtxRangePushA("backward");
  void* arguments[] = {&work.values};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(Together), dim3(2), dim3(64), arguments, 0,
                                    work.streams[0]));
  CHECK(cudaGraphLaunch(work.graph, work.streams[0]));
  nvtxRangePop();
  CHECK(cudaStreamSynchronize(work.streams[0]));
  CHECK(cudaMemcpy(work.host, work.values, 1024, cudaMemcpyDeviceToHost));
  nvtxRangePop();
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
  Work work = Prepare();
  for (int step = 0; step < steps; ++step) Step(work, step);
  CHECK(cudaDeviceSynchronize());
  std::printf("{\"kernels\": %d, \"graph_kernels\": %d, \"copies\": %d, \"graph_copies\": %d, "
              "\"fills\": %d, \"graph_fills\": %d, \"graph_launches\": %d, \"steps\": %d}\n",
              4 * steps, 5 * steps, 2 * steps, steps, steps, steps, steps, steps);
  return 0;
}
