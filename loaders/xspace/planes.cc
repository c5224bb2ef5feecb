// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/planes.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "loaders/xspace/event_roles.h"

namespace tfprof::xspace {
namespace {

constexpr std::string_view kGpu = "/device:GPU:";
constexpr std::string_view kTpu = "/device:TPU:";
constexpr std::string_view kHostMetadata = "/host:metadata";

// Lines computed after the recording have ids from this one on, as 32-bit numbers.
constexpr int32_t kFirstDerivedId = static_cast<int32_t>(0xDEADBEEF);
constexpr int32_t kDerivedIds = 5000;

struct NamedRole {
  std::string_view line;
  LaneRole role;
};
constexpr NamedRole kRoles[] = {
    {"Steps", LaneRole::steps},         {"Sparse Core Steps", LaneRole::steps},
    {"XLA Modules", LaneRole::modules}, {"Sparse Core Modules", LaneRole::modules},
    {"XLA Ops", LaneRole::ops},         {"Sparse Core Ops", LaneRole::ops},
};
// Lines of a GPU whose events lie around the kernels of a framework operation.
constexpr std::string_view kFrameworkOps[] = {"TensorFlow Ops", "Framework Ops"};
// Further names of derived lines; in 2020 they had other ids.
constexpr std::string_view kDerivedNames[] = {
    "Framework Ops", "Framework Name Scope", "TensorFlow Ops", "TensorFlow Name Scope",
    "Source code",   "Launch Stats",         "Name Scope",     "XLA Name Scope",
};

LaneRole RoleOf(std::string_view name) {
  // "XLA Ops - from #14": derived from one of several streams
  name = name.substr(0, name.find(" - from #"));
  for (const NamedRole& known : kRoles) {
    if (known.line == name) return known.role;
  }
  return LaneRole::other;
}

bool IsDerived(const Line& line) {
  const auto id = static_cast<int64_t>(static_cast<int32_t>(line.id));
  if (id >= kFirstDerivedId && id <= int64_t{kFirstDerivedId} + kDerivedIds) return true;
  if (RoleOf(line.name) != LaneRole::other) return true;
  for (const std::string_view name : kDerivedNames) {
    if (line.name.starts_with(name)) return true;
  }
  return false;
}

void ClassifyTpuLine(std::string_view name, Lane* lane) {
  lane->role = RoleOf(name);
  lane->nesting = lane->role == LaneRole::other ? Nesting::parallel : Nesting::stack;
  if (name == "XLA Ops") lane->measures = Measures::accelerator_time;
}

int64_t Number(const Detail& detail) {
  switch (detail.kind) {
    case ValueKind::integer:
    case ValueKind::natural: return static_cast<int64_t>(detail.bits);
    case ValueKind::real: {
      const double real = std::bit_cast<double>(detail.bits);
      return real > -9e18 && real < 9e18 ? static_cast<int64_t>(real) : kNoInt;
    }
    default: return kNoInt;
  }
}

double Real(const Detail& detail) {
  return detail.kind == ValueKind::real ? std::bit_cast<double>(detail.bits)
                                        : static_cast<double>(Number(detail));
}

void TakeProperty(const Detail& stat, DeviceFacts* facts) {
  Device& device = facts->device;
  const std::string_view key = stat.key;
  if (stat.kind == ValueKind::text) {
    if (key == "device_vendor") facts->vendor = stat.text;
    if (key == "gpu_device_name") facts->model = stat.text;
    if (key == "device_type_string" && facts->model.empty()) facts->model = stat.text;
    return;
  }
  if (key == "clock_rate") device.clock_khz = Number(stat);
  if (key == "core_count") device.cores = Number(stat);
  if (key == "memory_bandwidth") device.memory_bytes_per_s = Number(stat);
  if (key == "peak_hbm_bw_gigabytes_per_second") {
    device.memory_bytes_per_s = static_cast<int64_t>(std::clamp(Real(stat), 0.0, 1e9) * 1e9);
  }
  if (key == "compute_cap_major") device.capability_major = Number(stat);
  if (key == "compute_cap_minor") device.capability_minor = Number(stat);
  if (key == "peak_teraflops_per_second") device.peak_flops_per_s = Real(stat) * 1e12;
}

int32_t OrdinalOf(std::string_view after_kind) {
  int32_t ordinal = -1;
  std::from_chars(after_kind.data(), after_kind.data() + after_kind.size(), ordinal);
  return ordinal;
}

}  // namespace

ProcessKind KindOf(std::string_view name) {
  if (name == "Task Environment") return ProcessKind::environment;
  if (name.starts_with("/device:") || name.starts_with("/virtualdevice:")) {
    return ProcessKind::device;
  }
  if (name == kHostMetadata || name.starts_with("/host:__")) return ProcessKind::metadata;
  if (name.starts_with("/host:") || name == "Host CPUs" || name == "Syscalls") {
    return ProcessKind::host;
  }
  return ProcessKind::other;
}

std::optional<uint64_t> ProgramIdOf(int64_t id, std::string_view event_metadata,
                                    const StatNames& names) {
  const EventMetadata metadata = ReadEventMetadata(event_metadata);
  bool has_program = false;
  auto program_id = static_cast<uint64_t>(id);
  if (const size_t open = metadata.name.rfind('('); open != metadata.name.npos) {
    const std::string_view number = metadata.name.substr(open + 1);
    std::from_chars(number.data(), number.data() + number.size(), program_id);
  }
  for (const std::string_view bytes : metadata.stats) {
    const Stat stat = ReadStat(bytes);
    const std::string_view key = names.Name(stat.key);
    has_program |= key == kProgramStat;
    const bool is_number = stat.kind == ValueKind::integer || stat.kind == ValueKind::natural;
    if (key == "program_id" && is_number) program_id = stat.bits;
  }
  return has_program ? std::optional(program_id) : std::nullopt;
}

bool KeepsModules(std::string_view name) { return name == kHostMetadata; }

DeviceFacts ReadDevice(const Plane& plane, const StatNames& names) {
  DeviceFacts facts;
  for (const auto& [kind, prefix] :
       {std::pair{DeviceKind::gpu, kGpu}, std::pair{DeviceKind::tpu, kTpu}}) {
    if (!plane.name.starts_with(prefix)) continue;
    facts.device.kind = kind;
    facts.device.ordinal = OrdinalOf(plane.name.substr(prefix.size()));
  }
  for (const std::string_view stat : plane.stats) {
    TakeProperty(Resolve(ReadStat(stat), names), &facts);
  }
  return facts;
}

Lane ClassifyLine(const Line& line, ProcessKind process, const Device* device) {
  Lane lane;
  lane.tick_ps = 1;
  lane.nesting = Nesting::stack;
  lane.measures = Measures::nothing;
  if (process == ProcessKind::host) {
    lane.role = IsInputThread(line.name) ? LaneRole::input_thread : LaneRole::thread;
    lane.measures = Measures::host_time;
  } else if (device != nullptr && device->kind == DeviceKind::tpu) {
    ClassifyTpuLine(line.name, &lane);
  } else if (device != nullptr && device->kind == DeviceKind::gpu) {
    lane.derived = IsDerived(line);
    lane.role = lane.derived ? RoleOf(line.name) : LaneRole::stream;
    if (std::ranges::find(kFrameworkOps, line.name) != std::end(kFrameworkOps)) {
      lane.role = LaneRole::framework_ops;
    }
    if (lane.derived) return lane;
    lane.measures = Measures::accelerator_time;
    lane.nesting = Nesting::serial;
  }
  return lane;
}

}  // namespace tfprof::xspace
