// SPDX-License-Identifier: Apache-2.0
// Compares capture/abi/cupti.h with the vendor's own headers, where there are any: the build is the
// test. It is compiled once for each version that is found.
#include <cupti_activity.h>
#include <cupti_version.h>

#include <cstddef>

#include "capture/abi/cupti.h"

namespace tfprof::capture::abi_test {
namespace {

#define SAME(ours, our_field, theirs, their_field)                                   \
  static_assert(offsetof(cupti::ours, our_field) == offsetof(theirs, their_field) && \
                sizeof(cupti::ours::our_field) == sizeof(theirs::their_field))

#if CUPTI_API_VERSION >= 130500
using KernelStruct = CUpti_ActivityKernel13;
using CopyStruct = CUpti_ActivityMemcpy7;
using FillStruct = CUpti_ActivityMemset5;
using DeviceStruct = CUpti_ActivityDevice6;
using ContextStruct = CUpti_ActivityContext4;
#elif CUPTI_API_VERSION >= 130000
using KernelStruct = CUpti_ActivityKernel10;
using CopyStruct = CUpti_ActivityMemcpy6;
using FillStruct = CUpti_ActivityMemset4;
using DeviceStruct = CUpti_ActivityDevice5;
using ContextStruct = CUpti_ActivityContext3;
#elif CUPTI_API_VERSION >= 28
using KernelStruct = CUpti_ActivityKernel9;
using CopyStruct = CUpti_ActivityMemcpy6;
using FillStruct = CUpti_ActivityMemset4;
using DeviceStruct = CUpti_ActivityDevice5;
using ContextStruct = CUpti_ActivityContext3;
#else
using KernelStruct = CUpti_ActivityKernel8;
using CopyStruct = CUpti_ActivityMemcpy5;
using FillStruct = CUpti_ActivityMemset4;
using DeviceStruct = CUpti_ActivityDevice4;
using ContextStruct = CUpti_ActivityContext;
#endif
#if CUPTI_API_VERSION >= 28
using MemoryStruct = CUpti_ActivityMemory4;
using WaitStruct = CUpti_ActivitySynchronization2;
using OverheadStruct = CUpti_ActivityOverhead3;
using GraphStruct = CUpti_ActivityGraphTrace2;
#else
using MemoryStruct = CUpti_ActivityMemory3;
using WaitStruct = CUpti_ActivitySynchronization;
using OverheadStruct = CUpti_ActivityOverhead;
using GraphStruct = CUpti_ActivityGraphTrace;
#endif

// Ours are prefixes.
static_assert(sizeof(cupti::KernelActivity) <= sizeof(KernelStruct));
static_assert(sizeof(cupti::CopyActivity) <= sizeof(CopyStruct));
static_assert(sizeof(cupti::PeerCopyActivity) <= sizeof(CUpti_ActivityMemcpyPtoP4));
static_assert(sizeof(cupti::FillActivity) <= sizeof(FillStruct));
static_assert(sizeof(cupti::MemoryActivity) <= sizeof(MemoryStruct));
static_assert(sizeof(cupti::WaitActivity) <= sizeof(WaitStruct));
static_assert(sizeof(cupti::OverheadActivity) <= sizeof(OverheadStruct));
static_assert(sizeof(cupti::GraphActivity) <= sizeof(GraphStruct));
static_assert(sizeof(cupti::DeviceActivity) <= sizeof(DeviceStruct));
static_assert(sizeof(cupti::ApiActivity) <= sizeof(CUpti_ActivityAPI));

SAME(KernelActivity, registers, KernelStruct, registersPerThread);
SAME(KernelActivity, start, KernelStruct, start);
SAME(KernelActivity, end, KernelStruct, end);
SAME(KernelActivity, device, KernelStruct, deviceId);
SAME(KernelActivity, context, KernelStruct, contextId);
SAME(KernelActivity, stream, KernelStruct, streamId);
static_assert(offsetof(cupti::KernelActivity, grid) == offsetof(KernelStruct, gridX));
static_assert(offsetof(cupti::KernelActivity, block) == offsetof(KernelStruct, blockX));
SAME(KernelActivity, static_shared_bytes, KernelStruct, staticSharedMemory);
SAME(KernelActivity, dynamic_shared_bytes, KernelStruct, dynamicSharedMemory);
SAME(KernelActivity, local_bytes, KernelStruct, localMemoryPerThread);
SAME(KernelActivity, correlation, KernelStruct, correlationId);
SAME(KernelActivity, name, KernelStruct, name);
SAME(KernelActivity, graph_node, KernelStruct, graphNodeId);
SAME(KernelActivity, graph, KernelStruct, graphId);

SAME(CopyActivity, copy_kind, CopyStruct, copyKind);
SAME(CopyActivity, from, CopyStruct, srcKind);
SAME(CopyActivity, to, CopyStruct, dstKind);
SAME(CopyActivity, flags, CopyStruct, flags);
SAME(CopyActivity, bytes, CopyStruct, bytes);
SAME(CopyActivity, start, CopyStruct, start);
SAME(CopyActivity, end, CopyStruct, end);
SAME(CopyActivity, device, CopyStruct, deviceId);
SAME(CopyActivity, stream, CopyStruct, streamId);
SAME(CopyActivity, correlation, CopyStruct, correlationId);
SAME(CopyActivity, graph_node, CopyStruct, graphNodeId);
SAME(CopyActivity, graph, CopyStruct, graphId);

SAME(PeerCopyActivity, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
SAME(PeerCopyActivity, start, CUpti_ActivityMemcpyPtoP4, start);
SAME(PeerCopyActivity, stream, CUpti_ActivityMemcpyPtoP4, streamId);
SAME(PeerCopyActivity, to_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
SAME(PeerCopyActivity, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
SAME(PeerCopyActivity, graph_node, CUpti_ActivityMemcpyPtoP4, graphNodeId);
SAME(PeerCopyActivity, graph, CUpti_ActivityMemcpyPtoP4, graphId);

SAME(FillActivity, value, FillStruct, value);
SAME(FillActivity, bytes, FillStruct, bytes);
SAME(FillActivity, start, FillStruct, start);
SAME(FillActivity, stream, FillStruct, streamId);
SAME(FillActivity, correlation, FillStruct, correlationId);
SAME(FillActivity, flags, FillStruct, flags);
SAME(FillActivity, memory_kind, FillStruct, memoryKind);
SAME(FillActivity, graph_node, FillStruct, graphNodeId);

SAME(MemoryActivity, operation, MemoryStruct, memoryOperationType);
SAME(MemoryActivity, memory_kind, MemoryStruct, memoryKind);
SAME(MemoryActivity, correlation, MemoryStruct, correlationId);
SAME(MemoryActivity, address, MemoryStruct, address);
SAME(MemoryActivity, bytes, MemoryStruct, bytes);
SAME(MemoryActivity, time, MemoryStruct, timestamp);
SAME(MemoryActivity, device, MemoryStruct, deviceId);
SAME(MemoryActivity, stream, MemoryStruct, streamId);
SAME(MemoryActivity, is_async, MemoryStruct, isAsync);
static_assert(offsetof(cupti::MemoryActivity, pool_type) ==
              offsetof(MemoryStruct, memoryPoolConfig.memoryPoolType));
static_assert(offsetof(cupti::MemoryActivity, pool_bytes) ==
              offsetof(MemoryStruct, memoryPoolConfig.pool.size));

SAME(WaitActivity, type, WaitStruct, type);
SAME(WaitActivity, start, WaitStruct, start);
SAME(WaitActivity, end, WaitStruct, end);
SAME(WaitActivity, correlation, WaitStruct, correlationId);
SAME(WaitActivity, context, WaitStruct, contextId);
SAME(WaitActivity, stream, WaitStruct, streamId);
SAME(WaitActivity, event, WaitStruct, cudaEventId);

SAME(OverheadActivity, overhead_kind, OverheadStruct, overheadKind);
SAME(OverheadActivity, object_kind, OverheadStruct, objectKind);
SAME(OverheadActivity, thread, OverheadStruct, objectId.pt.threadId);
SAME(OverheadActivity, start, OverheadStruct, start);
SAME(OverheadActivity, end, OverheadStruct, end);

SAME(ApiActivity, callback, CUpti_ActivityAPI, cbid);
SAME(ApiActivity, start, CUpti_ActivityAPI, start);
SAME(ApiActivity, thread, CUpti_ActivityAPI, threadId);
SAME(ApiActivity, correlation, CUpti_ActivityAPI, correlationId);
SAME(ApiActivity, result, CUpti_ActivityAPI, returnValue);

SAME(GraphActivity, correlation, GraphStruct, correlationId);
SAME(GraphActivity, start, GraphStruct, start);
SAME(GraphActivity, device, GraphStruct, deviceId);
SAME(GraphActivity, graph, GraphStruct, graphId);
SAME(GraphActivity, stream, GraphStruct, streamId);

SAME(DeviceActivity, memory_kilobytes_per_s, DeviceStruct, globalMemoryBandwidth);
SAME(DeviceActivity, memory_bytes, DeviceStruct, globalMemorySize);
SAME(DeviceActivity, clock_khz, DeviceStruct, coreClockRate);
SAME(DeviceActivity, multiprocessors, DeviceStruct, numMultiprocessors);
SAME(DeviceActivity, capability_major, DeviceStruct, computeCapabilityMajor);
SAME(DeviceActivity, capability_minor, DeviceStruct, computeCapabilityMinor);
SAME(DeviceActivity, device, DeviceStruct, id);
SAME(DeviceActivity, name, DeviceStruct, name);

SAME(ContextActivity, context, ContextStruct, contextId);
SAME(ContextActivity, device, ContextStruct, deviceId);
SAME(ContextActivity, null_stream, ContextStruct, nullStreamId);

constexpr bool IsKind(cupti::Kind ours, CUpti_ActivityKind theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
using cupti::Kind;
static_assert(IsKind(Kind::copy, CUPTI_ACTIVITY_KIND_MEMCPY));
static_assert(IsKind(Kind::fill, CUPTI_ACTIVITY_KIND_MEMSET));
static_assert(IsKind(Kind::driver, CUPTI_ACTIVITY_KIND_DRIVER));
static_assert(IsKind(Kind::runtime, CUPTI_ACTIVITY_KIND_RUNTIME));
static_assert(IsKind(Kind::device, CUPTI_ACTIVITY_KIND_DEVICE));
static_assert(IsKind(Kind::context, CUPTI_ACTIVITY_KIND_CONTEXT));
static_assert(IsKind(Kind::concurrent_kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
static_assert(IsKind(Kind::overhead, CUPTI_ACTIVITY_KIND_OVERHEAD));
static_assert(IsKind(Kind::peer_copy, CUPTI_ACTIVITY_KIND_MEMCPY2));
static_assert(IsKind(Kind::wait, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION));
static_assert(IsKind(Kind::memory, CUPTI_ACTIVITY_KIND_MEMORY2));
static_assert(IsKind(Kind::graph, CUPTI_ACTIVITY_KIND_GRAPH_TRACE));

static_assert(offsetof(cupti::CallbackData, correlation) ==
              offsetof(CUpti_CallbackData, correlationId));
static_assert(offsetof(cupti::CallbackData, correlation_data) ==
              offsetof(CUpti_CallbackData, correlationData));
static_assert(static_cast<int>(cupti::Attribute::zeroed_buffers) ==
              CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER);
static_assert(static_cast<int>(cupti::Attribute::device_buffer_pool_limit) ==
              CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT);
static_assert(cupti::kMultipleSubscribers == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(cupti::kInsufficientPrivileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);

static_assert(CUPTI_API_VERSION >= cupti::kOldestVersion);

}  // namespace
}  // namespace tfprof::capture::abi_test
