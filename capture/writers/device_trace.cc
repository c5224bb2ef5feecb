// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/device_trace.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace tfprof::capture {
namespace {

// The names that the explorer and XProf know.
constexpr std::string_view kKernelDetails = "kernel_details";
constexpr std::string_view kCopyDetails = "memcpy_details";
constexpr std::string_view kFillDetails = "memset_details";
constexpr std::string_view kOp = "tf_op";

// CUpti_ActivityMemoryKind
std::string_view MemoryKind(uint8_t kind) {
  constexpr std::string_view kNames[] = {"unknown", "pageable", "pinned",        "device",
                                         "array",   "managed",  "device_static", "managed_static"};
  return kNames[kind < std::size(kNames) ? kind : 0];
}

// CUpti_ActivityMemcpyKind; arrays are memory of devices.
std::string_view CopyName(const CopyRecord& copy) {
  switch (copy.kind) {
    case 1:
    case 3: return "MemcpyH2D";
    case 2:
    case 4: return "MemcpyD2H";
    case 5:
    case 6:
    case 7:
    case 8: return "MemcpyD2D";
    case 9: return "MemcpyH2H";
    case 10: return "MemcpyP2P";
    default: return copy.to_device != UINT32_MAX ? "MemcpyP2P" : "Memcpy";
  }
}

// TensorFlow's type of it: "MemcpyHToD:MemcpyHToD" of "MemcpyH2D".
std::string CopyOp(std::string name) {
  if (const size_t two = name.find('2'); two != name.npos) name.replace(two, 1, "To");
  return name + ":" + name;
}

template <class... Values>
std::string Format(const char* format, Values... values) {
  char text[256];
  const int length = std::snprintf(text, sizeof text, format, values...);
  return {text, static_cast<size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1))};
}

std::string DetailsOf(const KernelShapeRecord& shape) {
  return Format("regs:%u static_shared:%u dynamic_shared:%u grid:%d,%d,%d block:%d,%d,%d",
                shape.registers, shape.static_shared_bytes, shape.dynamic_shared_bytes,
                shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
                shape.block[2]);
}

}  // namespace

DeviceTrace::DeviceTrace(const Definitions& definitions, XSpace* to, TensorflowExport* also_to,
                         HostTrace* host, TraceCounts* counts)
    : definitions_(definitions), to_(*to), also_to_(also_to), host_(*host), counts_(*counts) {
  has_calls_ = definitions.counts.contains(RecordKind::call);
  for (const auto& [device, facts] : definitions.devices) PlaneOf(device);
}

bool DeviceTrace::Take(const RecordHead& head, bool is_last_try) {
  const bool is_memory = head.kind == RecordKind::memory;
  if (head.bytes < (is_memory ? sizeof(MemoryRecord) : sizeof(WorkRecord))) return true;
  if (!definitions_.lanes.contains(head.id)) return true;
  if (is_memory && !IsDeviceMemory(As<MemoryRecord>(head)->kind)) return true;
  if (!is_memory && !HasTimes(*As<WorkRecord>(head))) return true;
  const uint32_t correlation =
      is_memory ? As<MemoryRecord>(head)->correlation : As<WorkRecord>(head)->correlation;
  const Launch* launch = host_.launches().Find(correlation);
  // Variables of modules have no call, and no correlation ID.
  const bool has_call = has_calls_ && correlation != 0;
  if (launch == nullptr && has_call && !is_last_try) return false;
  if (launch == nullptr && IsOfPause(head)) return true;
  if (launch == nullptr && correlation != 0) ++counts_.unattributed;
  Launch in_scope;
  if (launch != nullptr && launch->scope == kNoScope) {
    in_scope = *launch;
    in_scope.scope = host_.ScopeOf(*launch);
    launch = &in_scope;
  }
  switch (head.kind) {
    case RecordKind::kernel: AddWork<KernelRecord>(head, launch); break;
    case RecordKind::copy: AddWork<CopyRecord>(head, launch); break;
    case RecordKind::fill: AddWork<FillRecord>(head, launch); break;
    case RecordKind::graph: AddWork<GraphRecord>(head, launch); break;
    default: AddMemory(*As<MemoryRecord>(head), launch); break;
  }
  return true;
}

// The calls of a pause are not recorded. Where calls are not recorded at all, time must decide.
bool DeviceTrace::IsOfPause(const RecordHead& head) const {
  if (has_calls_) return definitions_.has_windows || definitions_.is_cut;
  return !definitions_.IsInWindow(head.kind == RecordKind::memory ? As<MemoryRecord>(head)->time
                                                                  : As<WorkRecord>(head)->start);
}

bool DeviceTrace::HasTimes(const WorkRecord& work) {
  if (work.start == 0 || work.end == 0) {
    ++counts_.zero_time;
    return false;
  }
  if (work.start < to_.start_ns()) {
    if (!definitions_.is_cut) ++counts_.out_of_window;
    return false;
  }
  return true;
}

XSpace::PlaneId DeviceTrace::PlaneOf(uint32_t device) {
  const auto [found, is_new] = planes_.try_emplace(device);
  if (is_new) {
    found->second = to_.AddPlane("/device:GPU:" + std::to_string(device));
    AddDeviceFacts(found->second, device);
  }
  return found->second;
}

void DeviceTrace::AddDeviceFacts(XSpace::PlaneId plane, uint32_t device) {
  const auto found = definitions_.devices.find(device);
  if (found == definitions_.devices.end()) return;
  const DeviceRecord& facts = found->second;
  to_.BeginPlane(plane);
  to_.Text("device_vendor", "Nvidia");
  if (facts.name != 0) to_.Text("gpu_device_name", definitions_.Name(facts.name).base);
  to_.Integer("clock_rate", facts.clock_khz);
  to_.Integer("core_count", facts.multiprocessors);
  to_.Integer("memory_size", static_cast<int64_t>(facts.memory_bytes));
  to_.Integer("memory_bandwidth", static_cast<int64_t>(facts.memory_kilobytes_per_s * 1000));
  to_.Integer("compute_cap_major", facts.capability_major);
  to_.Integer("compute_cap_minor", facts.capability_minor);
  to_.EndPlane();
}

DeviceTrace::Stream& DeviceTrace::StreamOf(const LaneRecord& lane) {
  const auto [found, is_new] = streams_.try_emplace({lane.device, lane.stream});
  if (is_new) {
    found->second.plane = PlaneOf(lane.device);
    found->second.line = to_.AddLine(found->second.plane, lane.stream, {});
  }
  return found->second;
}

const DeviceTrace::KernelName& DeviceTrace::NameOf(XSpace::PlaneId plane, uint32_t shape) {
  const auto [found, is_new] = kernels_.try_emplace(uint64_t{plane} << 32 | shape);
  KernelName& name = found->second;
  if (!is_new) return name;
  const auto known = definitions_.shapes.find(shape);
  const KernelShapeRecord facts =
      known != definitions_.shapes.end() ? known->second : KernelShapeRecord{};
  const std::string& mangled = definitions_.Name(facts.name).base;
  const std::string full = mangled.empty() ? "unknown kernel" : Demangle(mangled);
  name.said = KernelBase(full);
  const std::string base = ScopeComponent(name.said);
  name.event = to_.EventName(plane, full);
  name.op = base + ":" + TypeOf(base);
  name.base = base;
  name.details = DetailsOf(facts);
  return name;
}

DeviceTrace::Described DeviceTrace::Begin(const KernelRecord& kernel, Stream* stream) {
  const KernelName& name = NameOf(stream->plane, kernel.shape);
  stream->kinds.insert("Compute");
  to_.Begin(stream->line, name.event, kernel.work.start, kernel.work.end);
  to_.Text(kKernelDetails, name.details);
  return {
      .op = name.op, .name = name.base, .said = name.said, .type = "kernel", .label = name.details};
}

DeviceTrace::Described DeviceTrace::Begin(const CopyRecord& copy, Stream* stream) {
  const std::string name(CopyName(copy));
  stream->kinds.insert(name);
  to_.Begin(stream->line, to_.EventName(stream->plane, name), copy.work.start, copy.work.end);
  const std::string from(MemoryKind(copy.from));
  const std::string to(MemoryKind(copy.to));
  std::string details =
      Format("kind_src:%s kind_dst:%s size:%llu async:%d", from.c_str(), to.c_str(),
             static_cast<unsigned long long>(copy.bytes), copy.is_async);
  if (copy.to_device != UINT32_MAX) details += " dest:" + std::to_string(copy.to_device);
  to_.Text(kCopyDetails, details);
  const std::string op = CopyOp(name);
  return {.op = op,
          .name = name,
          .said = op.substr(0, op.find(':')),
          .type = "memcpy",
          .label = details,
          .bytes = copy.bytes};
}

DeviceTrace::Described DeviceTrace::Begin(const FillRecord& fill, Stream* stream) {
  stream->kinds.insert("Memset");
  to_.Begin(stream->line, to_.EventName(stream->plane, "Memset"), fill.work.start, fill.work.end);
  const std::string kind(MemoryKind(fill.memory_kind));
  const std::string details = Format("kind:%s num_bytes:%llu async:%d", kind.c_str(),
                                     static_cast<unsigned long long>(fill.bytes), fill.is_async);
  to_.Text(kFillDetails, details);
  return {.op = "Memset:Memset",
          .name = "Memset",
          .said = "Memset",
          .type = "memset",
          .label = details,
          .bytes = fill.bytes};
}

// A launch of a whole graph is one event: its nodes are recorded only on request.
DeviceTrace::Described DeviceTrace::Begin(const GraphRecord& graph, Stream* stream) {
  const std::string name = "cudaGraph_" + std::to_string(graph.work.graph);
  stream->kinds.insert("Compute");
  to_.Begin(stream->line, to_.EventName(stream->plane, name), graph.work.start, graph.work.end);
  return {.op = name + ":CudaGraph", .name = name, .said = name, .type = "graph", .label = {}};
}

template <class Record>
void DeviceTrace::AddWork(const RecordHead& head, const Launch* launch) {
  const auto* record = As<Record>(head);
  if (record == nullptr) return;
  const LaneRecord& lane = definitions_.lanes.at(head.id);
  Stream& stream = StreamOf(lane);
  const Described described = Begin(*record, &stream);
  AddOp(launch, described);
  AddCommon(record->work, lane, launch);
  to_.End();
  if (also_to_ != nullptr) Export(record->work, lane, launch, described);
}

void DeviceTrace::Export(const WorkRecord& work, const LaneRecord& lane, const Launch* launch,
                         const Described& described) {
  ExportedWork exported{.scope = {},
                        .name = described.name,
                        .op = std::string_view(described.op).substr(described.op.find(':') + 1),
                        .type = described.type,
                        .label = described.label,
                        .device = lane.device,
                        .stream = lane.stream,
                        .correlation = work.correlation,
                        .start = work.start,
                        .end = work.end,
                        .bytes = described.bytes};
  if (launch != nullptr) {
    exported.scope = host_.scopes().PathOf(launch->scope);
    exported.thread = launch->thread;
    exported.stack = launch->stack;
    exported.call_start = launch->start;
    exported.call_end = launch->end;
  }
  also_to_->AddWork(launch != nullptr ? launch->step : -1, exported);
}

// An operation of a framework is its kernels; a region has several.
void DeviceTrace::AddOp(const Launch* launch, const Described& described) {
  const ScopeId scope = launch == nullptr ? kNoScope : launch->scope;
  if (host_.scopes().IsOperation(scope)) return AddScope(scope);
  const std::string& path = host_.scopes().PathOf(scope);
  to_.Text(kOp, path.empty() ? described.op : path + "/" + described.op);
  to_.Text(XSpace::kRanges, RangePath(host_.scopes().RangesOf(scope), described.said));
}

void DeviceTrace::AddScope(ScopeId scope) {
  to_.Text(kOp, host_.scopes().OpOf(scope));
  const std::string& ranges = host_.scopes().RangesOf(scope);
  if (!ranges.empty()) to_.Text(XSpace::kRanges, ranges);
}

void DeviceTrace::AddCommon(const WorkRecord& work, const LaneRecord& lane, const Launch* launch) {
  to_.Integer("correlation_id", work.correlation);
  to_.Integer("context_id", lane.context);
  if (work.graph != 0) to_.Integer("cuda_graph_id", work.graph);
  if (work.graph_node != 0) {
    to_.Integer("cuda_graph_node_id", static_cast<int64_t>(work.graph_node));
  }
  if (launch == nullptr) return;
  host_.AddStep(launch->step);
  if (launch->step >= 0) {
    Span& step = steps_[{lane.device, launch->step}];
    step.start = std::min(step.start, work.start);
    step.end = std::max(step.end, work.end);
  }
  const std::string& instruction = definitions_.Name(launch->instruction).hlo_op;
  if (!instruction.empty()) to_.Text("hlo_op", instruction);
  const NameFacts& program = definitions_.Name(launch->program);
  if (!program.hlo_module.empty()) to_.Text("hlo_module", program.hlo_module);
  if (program.program_id) to_.Integer("program_id", *program.program_id);
}

// What the program holds of the device: frameworks reserve memory and divide it themselves.
void DeviceTrace::AddMemory(const MemoryRecord& memory, const Launch* launch) {
  if (memory.time < to_.start_ns()) return;
  const LaneRecord& lane = definitions_.lanes.at(memory.head.id);
  const MemoryLevel level = definitions_.MemoryAt(lane.device, memory.time);
  const auto bytes = static_cast<int64_t>(memory.bytes);
  const std::string_view name = memory.is_release ? "MemoryDeallocation" : "MemoryAllocation";
  to_.Begin(host_.LineOf(launch != nullptr ? launch->thread : 0),
            to_.EventName(host_.plane(), name), memory.time, memory.time);
  to_.Text("allocator_name", Format("GPU_%u_cuda", lane.device));
  to_.Integer("allocation_bytes", bytes);
  to_.Integer("requested_bytes", bytes);
  to_.Integer("bytes_allocated", level.live_bytes);
  to_.Integer("peak_bytes_in_use", level.peak_bytes);
  to_.Integer("bytes_reserved", 0);
  const auto device = definitions_.devices.find(lane.device);
  if (device != definitions_.devices.end()) {
    to_.Integer("bytes_available",
                static_cast<int64_t>(device->second.memory_bytes) - level.live_bytes);
  }
  to_.Integer("addr", static_cast<int64_t>(memory.address));
  if (launch != nullptr) {
    if (launch->scope != kNoScope) AddScope(launch->scope);
    host_.AddStep(launch->step);
  }
  to_.End();
}

// XProf knows steps of devices by a line of this name and ID only.
void DeviceTrace::AddSteps() {
  constexpr auto kStepsId = static_cast<int32_t>(0xDEADBEEF);
  uint32_t device = UINT32_MAX;
  XSpace::LineId line = 0;
  for (const auto& [place, span] : steps_) {
    const XSpace::PlaneId plane = PlaneOf(place.first);
    if (place.first != device) line = to_.AddLine(plane, kStepsId, "Steps");
    device = place.first;
    const StepSpan& step = definitions_.steps[static_cast<size_t>(place.second)];
    to_.Begin(line, to_.EventName(plane, std::to_string(step.number)), span.start, span.end);
    host_.AddStep(place.second);
    to_.End();
  }
}

void DeviceTrace::Finish() {
  AddSteps();
  for (const auto& [place, stream] : streams_) {
    std::string kinds;
    for (const std::string& kind : stream.kinds) kinds += (kinds.empty() ? "" : ",") + kind;
    to_.NameLine(stream.line, "Stream #" + std::to_string(place.second) + "(" + kinds + ")");
  }
}

}  // namespace tfprof::capture
