// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/event_roles.h"

#include <catch2/catch.hpp>
#include <utility>

namespace tfprof::xspace::event_roles_test {
namespace {

EventRole OnHost(std::string_view name) { return EventRoleOf(name, ProcessKind::host).role; }
EventRole OnDevice(std::string_view name) { return EventRoleOf(name, ProcessKind::device).role; }

}  // namespace

TEST_CASE("names of host events have the roles of their recorders") {
  using enum EventRole;
  constexpr std::pair<std::string_view, EventRole> kNames[] = {
      {"train", step_marker},
      {"train 3", step_marker},
      {"train/step", none},
      {"test_step", step_marker},
      {"TraceContext", root_step_marker},
      {"TraceContext 2", step_marker},
      {"FunctionRun", function_run},
      {"FunctionRun: f", wrapper},
      {"SessionRun", graph_run},
      {"SessionRun2", none},
      {"RunGraph", graph_run},
      {"ExecutorState::Process", graph_executor},
      {"EagerExecute: MatMul", eager_executor},
      {"EagerKernelExecute", wrapper},
      {"IteratorGetNext:IteratorGetNext", input_fetch},
      {"iteratorgetnext", input_fetch},
      {"Iterator::Prefetch", root_iterator},
      {"Iterator::Prefetch::Map", iterator},
      {"Iterator::Prefetch::Generator", device_iterator},
      {"MakeIterator::PrefetchDataset", iterator_made},
      {"Iterator:Prefetch", none},
      {"BufferProduce", element_produced},
      {"BufferConsume", element_consumed},
      {"ThreadpoolListener::StartRegion", region_start},
      {"ThreadpoolListener::StopRegion", region_stop},
      {"MemoryAllocation", allocation},
      {"MemoryDeallocation", deallocation},
      {"MemoryAllocation 2", none},
      {"cudaStreamSynchronize_ptsz", wait_for_stream},
      {"cuCtxSynchronize", wait_for_device},
      {"hipEventSynchronize", wait_for_event},
      {"GpuStream::BlockHostUntilDone", wait_for_stream},
      {"$api.py:2743 block_until_ready", wait_for_result},
      {"cuMemcpyDtoH_v2", wait_for_copy},
      {"cuMemcpyDtoHAsync_v2", runtime_call},
      {"cudaLaunchKernelExC_v11060", runtime_call},
      {"hipModuleLaunchKernel", runtime_call},
      {"cuLibraryLoadData", none},
      {"tpu::System::TransferFromDevice=>IssueEvent", none},
      {"MemcpyH2D", none},
      {"MatMul:MatMul", none},
      {"PjitFunction(train_step)", program_call},
      {"PjitFunction", none},
      {"backend_compile_and_load", compile},
      {"tf.function-graph_building", tracing},
      {"KernelAndDeviceFunc::Run", kernel_run},
      {"TFE_Py_FastPathExecute_C", runtime_call},
      {"np.asarray(jax.Array)", read_result},
      {"cudaMalloc", device_memory},
      {"cudaFree", device_memory},
      {"DevicePutWithSharding", put_on_device},
      {"H2D Dispatch", copy_to_device},
      {"$__init__.py:132 _xla_gc_callback", collector_mark},
      {"Wait for donation holds", array_freed},
      {"Wait for usage holds", wait_for_result},
      {"", none},
  };
  for (const auto& [name, role] : kNames) {
    INFO(name);
    CHECK(OnHost(name) == role);
  }
}

TEST_CASE("names of device events are copies and waits") {
  using enum EventRole;
  constexpr std::pair<std::string_view, EventRole> kNames[] = {
      {"MEMCPYHtoD", copy_to_device},
      {"MemcpyD2H", copy_to_host},
      {"MemcpyP2P", copy_to_peer},
      {"CopyDeviceToDevice", copy_on_device},
      {"memcpyH2H", copy_on_host},
      {"copyhosttodevice", copy_to_device},
      {"copy_kernel", none},
      {"Event Sync", wait_for_event},
      {"dependency-wait.3", wait_for_event},
      {"cudaStreamSynchronize", none},
      {"train", none},
      {"", none},
  };
  for (const auto& [name, role] : kNames) {
    INFO(name);
    CHECK(OnDevice(name) == role);
  }
}

TEST_CASE("what an element is of stands before the role") {
  CHECK(EventRoleOf("BufferProduce", ProcessKind::host).suffix == 7);
  CHECK(EventRoleOf("Iterator::Map", ProcessKind::host).suffix == 0);
}

TEST_CASE("calls of a runtime or driver have a capital letter after its name") {
  for (const char* call : {"cudaLaunchKernel", "cuLaunchKernel", "hipModuleLaunchKernel"}) {
    CHECK(IsRuntimeCall(call));
  }
  for (const char* other : {"cuda", "cu", "cublas_gemm", "cudnn", "custom", "hipster", "TFE_Py"}) {
    CHECK_FALSE(IsRuntimeCall(other));
  }
}

TEST_CASE("threads of tf.data are known by their names") {
  CHECK(IsInputThread("tf_data_private_threadpool/1"));
  CHECK_FALSE(IsInputThread("my_tf_data"));
}

}  // namespace tfprof::xspace::event_roles_test
