// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/device_type.h"

#include <algorithm>
#include <span>

#include "analysis/place.h"

namespace tfprof {
namespace {

constexpr std::string_view kNvidia = "Nvidia";
constexpr std::string_view kAmd = "AMD";

struct Architecture {
  int64_t major;
  int64_t minor_from;
  std::string_view name;
};
// Compute capabilities; later minor versions come first (CUDA C++ Programming Guide).
constexpr Architecture kNvidiaArchitectures[] = {
    {2, 0, "Fermi"},  {3, 0, "Kepler"},     {5, 0, "Maxwell"},      {6, 0, "Pascal"},
    {7, 5, "Turing"}, {7, 0, "Volta"},      {8, 9, "Ada Lovelace"}, {8, 0, "Ampere"},
    {9, 0, "Hopper"}, {10, 0, "Blackwell"}, {12, 0, "Blackwell"},
};
constexpr Architecture kAmdArchitectures[] = {
    {9, 5, "gfx950"},           {9, 4, "gfx942"},           {9, 0, "gfx-9XX series"},
    {10, 0, "gfx-10XX series"}, {11, 0, "gfx-11XX series"},
};

std::string_view ArchitectureOf(std::span<const Architecture> known, const Device& device) {
  for (const Architecture& of : known) {
    if (of.major == device.capability_major && device.capability_minor >= of.minor_from) {
      return of.name;
    }
  }
  return "";
}

std::string GpuType(const Store& store, const Device& device) {
  const std::string_view vendor = store.Text(device.vendor);
  if (vendor == kNvidia) {
    const std::string_view name = ArchitectureOf(kNvidiaArchitectures, device);
    return name.empty() ? "Nvidia GPU" : "Nvidia GPU (" + std::string(name) + ")";
  }
  if (vendor != kAmd) return "GPU";
  std::string_view name = store.Text(device.model);
  name = name.substr(0, name.find(':'));  // gfx942:sramecc+:xnack-
  if (!name.starts_with("gfx")) name = ArchitectureOf(kAmdArchitectures, device);
  return name.empty() ? "AMD GPU" : "AMD GPU - " + std::string(name);
}

}  // namespace

bool WasActive(const Store& store, const Process& process, Measures measures) {
  return std::ranges::any_of(store.LanesOf(process), [&](const Lane& lane) {
    return lane.measures == measures && lane.rows.count > 0;
  });
}

Hardware HardwareOf(const Store& store, const PlaceFilter& place) {
  Hardware hardware;
  for (const Device& device : store.devices) {
    if (device.kind == DeviceKind::other || !device.process.some()) continue;
    const Process& process = store.processes[device.process.value];
    if (!MatchesPlace(store, process, place)) continue;
    if (hardware.devices == 0) {
      hardware.kind = device.kind;
      const std::string_view model = store.Text(device.model);
      hardware.type = device.kind == DeviceKind::gpu ? GpuType(store, device)
                      : model.empty()                ? "TPU"
                                                     : std::string(model);
      hardware.is_nvidia = store.Text(device.vendor) == kNvidia;
    }
    if (device.kind != hardware.kind) continue;
    ++hardware.devices;
    hardware.active += WasActive(store, process, Measures::accelerator_time);
  }
  if (hardware.devices == 0 && store.EventCount() > 0) hardware.type = "CPU";
  return hardware;
}

std::string_view HardwareName(DeviceKind kind) {
  if (kind == DeviceKind::gpu) return "GPU";
  return kind == DeviceKind::tpu ? "TPU" : "CPU_ONLY";
}

}  // namespace tfprof
