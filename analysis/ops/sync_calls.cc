// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/sync_calls.h"

#include <span>

namespace tfprof {
namespace {

enum class Where : uint8_t { whole, begin, end };

struct Known {
  std::string_view text;
  Where where;
  WaitFor wait;
};

constexpr Known kHost[] = {
    // CUDA: the runtime API (cuda_runtime_api.h) and the driver's (cuda.h), as CUPTI names calls;
    // suffixes like _v2 and _ptsz are versions.
    {"cudaDeviceSynchronize", Where::begin, WaitFor::device},
    {"cudaThreadSynchronize", Where::begin, WaitFor::device},
    {"cudaStreamSynchronize", Where::begin, WaitFor::stream},
    {"cudaEventSynchronize", Where::begin, WaitFor::event},
    {"cuCtxSynchronize", Where::begin, WaitFor::device},
    {"cuStreamSynchronize", Where::begin, WaitFor::stream},
    {"cuEventSynchronize", Where::begin, WaitFor::event},
    {"cudaMemcpy", Where::whole, WaitFor::copy},
    {"cuMemcpy", Where::whole, WaitFor::copy},
    {"cuMemcpyDtoH", Where::whole, WaitFor::copy},
    {"cuMemcpyDtoH_v2", Where::whole, WaitFor::copy},
    {"cuMemcpyHtoD", Where::whole, WaitFor::copy},
    {"cuMemcpyHtoD_v2", Where::whole, WaitFor::copy},
    // HIP (hip_runtime_api.h), as roctracer names calls.
    {"hipDeviceSynchronize", Where::begin, WaitFor::device},
    {"hipCtxSynchronize", Where::begin, WaitFor::device},
    {"hipStreamSynchronize", Where::begin, WaitFor::stream},
    {"hipEventSynchronize", Where::begin, WaitFor::event},
    {"hipMemcpy", Where::whole, WaitFor::copy},
    {"hipMemcpyDtoH", Where::whole, WaitFor::copy},
    {"hipMemcpyHtoD", Where::whole, WaitFor::copy},
    // StreamExecutor and PjRt of openxla/xla.
    {"BlockHostUntilDone", Where::end, WaitFor::stream},
    {"SyncAllActivity", Where::end, WaitFor::device},
    {"SynchronizeAllActivity", Where::end, WaitFor::device},
    {"Buffer::Await", Where::end, WaitFor::result},
    {"Wait for usage holds", Where::whole, WaitFor::result},
    {"Wait for donation holds", Where::whole, WaitFor::result},
    {"ThunkExecutor::Execute (wait for completion)", Where::whole, WaitFor::result},
    // The TPU runtime.
    {"tpu::System::TransferFromDevice", Where::whole, WaitFor::copy},
    {"TransferFromDevice", Where::whole, WaitFor::copy},
    {"ReadSyncFlag", Where::whole, WaitFor::event},
    // JAX; Python frames are named "$file:line function".
    {"block_until_ready", Where::end, WaitFor::result},
    {"try_to_block", Where::end, WaitFor::result},
};

constexpr Known kDevice[] = {
    // CUPTI's synchronization records, as Kineto and XLA name them.
    {"Stream Wait Event", Where::whole, WaitFor::event},
    {"Event Sync", Where::whole, WaitFor::event},
    {"Stream Sync", Where::whole, WaitFor::stream},
    {"Context Sync", Where::whole, WaitFor::device},
    // An operation of a TPU that waits for one on another queue or core.
    {"dependency-wait", Where::begin, WaitFor::event},
};

WaitFor Find(std::string_view name, std::span<const Known> known) {
  for (const Known& k : known) {
    const bool is = k.where == Where::whole   ? name == k.text
                    : k.where == Where::begin ? name.starts_with(k.text)
                                              : name.ends_with(k.text);
    if (is) return k.wait;
  }
  return WaitFor::nothing;
}

}  // namespace

std::string_view Told(WaitFor wait) {
  constexpr std::string_view kTold[] = {"", "device", "stream", "event", "copy", "result"};
  return kTold[static_cast<size_t>(wait)];
}

WaitFor HostWaitOf(std::string_view name) { return Find(name, kHost); }

WaitFor DeviceWaitOf(std::string_view name) { return Find(name, kDevice); }

}  // namespace tfprof
