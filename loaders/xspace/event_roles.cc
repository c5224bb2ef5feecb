// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/event_roles.h"

#include <array>
#include <span>

#include "core/base/ascii.h"
#include "core/store/op_name.h"

namespace tfprof::xspace {
namespace {

enum class Match : uint8_t { whole, begin, begin_any_case };

struct KnownName {
  std::string_view text;
  EventRole role;
  Match match = Match::whole;
};

// The first that fits is taken. tests/layering_test.py finds these names outside of loaders.
constexpr KnownName kHostNames[] = {
    {"TraceContext", EventRole::root_step_marker},
    {"TraceContext", EventRole::step_marker, Match::begin},
    {"train", EventRole::step_marker, Match::begin},
    {"test", EventRole::step_marker, Match::begin},
    {"FunctionRun", EventRole::function_run},
    {"FunctionRun", EventRole::wrapper, Match::begin},
    {"SessionRun", EventRole::graph_run},
    {"RunGraph", EventRole::graph_run},
    {"ExecutorState::Process", EventRole::graph_executor},
    {"EagerExecute", EventRole::eager_executor, Match::begin},
    {"EagerLocalExecute", EventRole::wrapper, Match::begin},
    {"EagerKernelExecute", EventRole::wrapper, Match::begin},
    {"IteratorGetNext", EventRole::input_fetch, Match::begin_any_case},
    {"Iterator::Prefetch::Generator", EventRole::device_iterator},
    {"Iterator::", EventRole::iterator, Match::begin},
    {"MakeIterator::", EventRole::iterator_made, Match::begin},
    {"ThreadpoolListener::StartRegion", EventRole::region_start},
    {"ThreadpoolListener::StopRegion", EventRole::region_stop},
    {"MemoryAllocation", EventRole::allocation},
    {"MemoryDeallocation", EventRole::deallocation},
    // CUDA: the runtime API (cuda_runtime_api.h) and the driver's (cuda.h), as CUPTI names calls;
    // suffixes like _v2 and _ptsz are versions.
    {"cudaDeviceSynchronize", EventRole::wait_for_device, Match::begin},
    {"cudaThreadSynchronize", EventRole::wait_for_device, Match::begin},
    {"cudaStreamSynchronize", EventRole::wait_for_stream, Match::begin},
    {"cudaEventSynchronize", EventRole::wait_for_event, Match::begin},
    {"cuCtxSynchronize", EventRole::wait_for_device, Match::begin},
    {"cuStreamSynchronize", EventRole::wait_for_stream, Match::begin},
    {"cuEventSynchronize", EventRole::wait_for_event, Match::begin},
    {"cudaMemcpy", EventRole::wait_for_copy},
    {"cuMemcpy", EventRole::wait_for_copy},
    {"cuMemcpyDtoH", EventRole::wait_for_copy},
    {"cuMemcpyDtoH_v2", EventRole::wait_for_copy},
    {"cuMemcpyHtoD", EventRole::wait_for_copy},
    {"cuMemcpyHtoD_v2", EventRole::wait_for_copy},
    {"cudaLaunch", EventRole::runtime_call, Match::begin},
    {"cudaGraphLaunch", EventRole::runtime_call, Match::begin},
    {"cudaMemcpy", EventRole::runtime_call, Match::begin},
    {"cudaMemset", EventRole::runtime_call, Match::begin},
    {"cuLaunch", EventRole::runtime_call, Match::begin},
    {"cuGraphLaunch", EventRole::runtime_call, Match::begin},
    {"cuMemcpy", EventRole::runtime_call, Match::begin},
    {"cuMemset", EventRole::runtime_call, Match::begin},
    {"cudaMalloc", EventRole::device_memory},
    {"cudaFree", EventRole::device_memory},
    {"cuMemAlloc", EventRole::device_memory},
    {"cuMemAlloc_v2", EventRole::device_memory},
    {"cuMemFree", EventRole::device_memory},
    {"cuMemFree_v2", EventRole::device_memory},
    {"cuMemCreate", EventRole::device_memory},
    {"cuMemRelease", EventRole::device_memory},
    {"cuMemMap", EventRole::device_memory},
    {"cuMemUnmap", EventRole::device_memory},
    // HIP (hip_runtime_api.h), as roctracer names calls.
    {"hipDeviceSynchronize", EventRole::wait_for_device, Match::begin},
    {"hipCtxSynchronize", EventRole::wait_for_device, Match::begin},
    {"hipStreamSynchronize", EventRole::wait_for_stream, Match::begin},
    {"hipEventSynchronize", EventRole::wait_for_event, Match::begin},
    {"hipMemcpy", EventRole::wait_for_copy},
    {"hipMemcpyDtoH", EventRole::wait_for_copy},
    {"hipMemcpyHtoD", EventRole::wait_for_copy},
    {"hipLaunch", EventRole::runtime_call, Match::begin},
    {"hipModuleLaunch", EventRole::runtime_call, Match::begin},
    {"hipExtModuleLaunch", EventRole::runtime_call, Match::begin},
    {"hipGraphLaunch", EventRole::runtime_call, Match::begin},
    {"hipMemcpy", EventRole::runtime_call, Match::begin},
    {"hipMemset", EventRole::runtime_call, Match::begin},
    {"hipMalloc", EventRole::device_memory},
    {"hipFree", EventRole::device_memory},
    // PjRt of openxla/xla.
    {"Wait for usage holds", EventRole::wait_for_result},
    {"Wait for donation holds", EventRole::array_freed},
    {"ThunkExecutor::Execute (wait for completion)", EventRole::wait_for_result},
    {"PjitFunction(", EventRole::program_call, Match::begin},
    {"CommonPjRtLoadedExecutable::ExecuteHelperOnSingleDevice", EventRole::program_started},
    {"TfrtCpuExecutable::ExecuteHelper", EventRole::program_started},
    {"PjRtStreamExecutorLoadedExecutable::ExecuteHelper", EventRole::program_started},
    {"CommonPjRtClient::CreateOutputs", EventRole::array_made},
    {"DevicePut", EventRole::put_on_device, Match::begin},
    {"H2D Dispatch", EventRole::copy_to_device},  // left to another thread by DevicePut
    {"np.asarray(jax.Array)", EventRole::read_result},
    // JAX and XLA compile for the thread that calls a function; pool threads help.
    {"lower_sharding_computation", EventRole::lowering},
    {"backend_compile", EventRole::compile, Match::begin},
    {"PyClient::Compile", EventRole::compile, Match::begin},
    {"XlaCompilationCache::Compile", EventRole::compile, Match::begin},
    {"XlaCompile ", EventRole::compile, Match::begin},  // as tfprof-capture writes it
    // TensorFlow 2.
    {"tf.function-graph_building", EventRole::tracing},
    {"KernelAndDeviceFunc::Run", EventRole::kernel_run},
    {"TFE_", EventRole::runtime_call, Match::begin},
    {"convert_to_tensor", EventRole::runtime_call},
    // The TPU runtime.
    {"tpu::System::TransferFromDevice", EventRole::wait_for_copy},
    {"TransferFromDevice", EventRole::wait_for_copy},
    {"ReadSyncFlag", EventRole::wait_for_event},
};

// Ends of names.
constexpr KnownName kHostEnds[] = {
    {"Produce", EventRole::element_produced},
    {"Consume", EventRole::element_consumed},
    // An execution of a program by XLA's GPU backend: "jit_step:XLA GPU module".
    {":XLA GPU module", EventRole::program_run},
    // StreamExecutor and PjRt of openxla/xla.
    {"BlockHostUntilDone", EventRole::wait_for_stream},
    {"SyncAllActivity", EventRole::wait_for_device},
    {"SynchronizeAllActivity", EventRole::wait_for_device},
    {"Buffer::Await", EventRole::wait_for_result},
    // JAX; before them may be "$file:line ".
    {"block_until_ready", EventRole::wait_for_result},
    {"try_to_block", EventRole::wait_for_result},
    {"_xla_gc_callback", EventRole::collector_mark},
};

constexpr KnownName kDeviceNames[] = {
    // CUPTI's synchronization records, as Kineto and XLA name them.
    {"Stream Wait Event", EventRole::wait_for_event},
    {"Event Sync", EventRole::wait_for_event},
    {"Stream Sync", EventRole::wait_for_stream},
    {"Context Sync", EventRole::wait_for_device},
    // An operation of a TPU that waits for one on another queue or core.
    {"dependency-wait", EventRole::wait_for_event, Match::begin},
    {"MemcpyP2P", EventRole::copy_to_peer, Match::begin_any_case},
    {"MemcpyPtoP", EventRole::copy_to_peer, Match::begin_any_case},
    {"CopyHostToDevice", EventRole::copy_to_device, Match::begin_any_case},
    {"CopyDeviceToHost", EventRole::copy_to_host, Match::begin_any_case},
    {"CopyDeviceToDevice", EventRole::copy_on_device, Match::begin_any_case},
    {"CopyHostToHost", EventRole::copy_on_host, Match::begin_any_case},
};

constexpr std::string_view kInputThreads = "tf_data";

// There may be a million names, of which few are known: their first or last letter rules most out.
constexpr std::array<bool, 256> LettersOf(std::span<const KnownName> names, bool first) {
  std::array<bool, 256> letters{};
  for (const KnownName& known : names) {
    const char letter = first ? known.text.front() : known.text.back();
    letters[static_cast<uint8_t>(letter)] = true;
    if (known.match == Match::begin_any_case) letters[static_cast<uint8_t>(letter | 0x20)] = true;
  }
  return letters;
}
constexpr std::array<bool, 256> kHostFirst = LettersOf(kHostNames, true);
constexpr std::array<bool, 256> kHostLast = LettersOf(kHostEnds, false);
constexpr std::array<bool, 256> kDeviceFirst = LettersOf(kDeviceNames, true);

bool Fits(const KnownName& known, std::string_view name) {
  if (known.match == Match::begin_any_case) return BeginsWithAnyCase(name, known.text);
  if (!name.starts_with(known.text)) return false;
  // Names of operations have components.
  if (known.role == EventRole::step_marker) return name.find('/') == name.npos;
  return known.match == Match::begin || name.size() == known.text.size();
}

EventRole Find(std::span<const KnownName> names, std::string_view name) {
  for (const KnownName& known : names) {
    if (!SameAnyCase(known.text[0], name[0]) || !Fits(known, name)) continue;
    const bool is_root =
        known.role == EventRole::iterator && name.find("::", known.text.size()) == name.npos;
    return is_root ? EventRole::root_iterator : known.role;
  }
  return EventRole::none;
}

EventRole CopyRoleOf(std::string_view name) {
  switch (CopyKindOf(name)) {
    case CopyKind::host_to_device: return EventRole::copy_to_device;
    case CopyKind::device_to_host: return EventRole::copy_to_host;
    case CopyKind::device_to_device: return EventRole::copy_on_device;
    case CopyKind::host_to_host: return EventRole::copy_on_host;
    case CopyKind::none: break;
  }
  return EventRole::none;
}

// "PjitFunction(train_step)" calls train_step.
EventNameRole CallOf(std::string_view name) {
  const size_t open = name.find('(');
  const bool closed = name.ends_with(')');
  return {EventRole::program_call, closed, static_cast<uint8_t>(open + 1)};
}

EventRole DeviceRoleOf(std::string_view name) {
  const bool may_copy = SmallLetter(name[0]) == 'm';
  const EventRole copy = may_copy ? CopyRoleOf(name) : EventRole::none;
  if (copy != EventRole::none || !kDeviceFirst[static_cast<uint8_t>(name[0])]) return copy;
  return Find(kDeviceNames, name);
}

}  // namespace

EventNameRole EventRoleOf(std::string_view name, ProcessKind process) {
  if (name.empty()) return {};
  if (process == ProcessKind::device) return {DeviceRoleOf(name)};
  if (kHostFirst[static_cast<uint8_t>(name.front())]) {
    const EventRole role = Find(kHostNames, name);
    if (role == EventRole::program_call) return CallOf(name);
    if (role != EventRole::none) return {role};
  }
  if (!kHostLast[static_cast<uint8_t>(name.back())]) return {};
  for (const KnownName& known : kHostEnds) {
    if (name.ends_with(known.text)) return {known.role, static_cast<uint8_t>(known.text.size())};
  }
  return {};
}

bool IsRuntimeCall(std::string_view name) {
  for (const std::string_view begin : {"cuda", "cu", "hip"}) {
    if (name.starts_with(begin) && name.size() > begin.size() && name[begin.size()] >= 'A' &&
        name[begin.size()] <= 'Z') {
      return true;
    }
  }
  return false;
}

bool IsInputThread(std::string_view line) { return line.starts_with(kInputThreads); }

}  // namespace tfprof::xspace
