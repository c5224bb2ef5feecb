// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// The hardware of a trace, in the words of xprof (xprof/utils/hardware_type_utils.cc).
struct Hardware {
  DeviceKind kind = DeviceKind::other;  // other: no accelerator
  std::string type;                     // "Nvidia GPU (Volta)", "CPU"; empty: nothing was recorded
  int64_t devices = 0;                  // devices of that kind, active or not
  int64_t active = 0;                   // devices of that kind on which anything ran
  bool is_nvidia = false;
};

// Returns true if anything ran on a lane of the process that measures `measures`.
bool WasActive(const Store& store, const Process& process, Measures measures);

// Covers the hosts and devices selected by -host and -device.
Hardware HardwareOf(const Store& store, const PlaceFilter& place);

// CPU_ONLY, GPU or TPU.
std::string_view HardwareName(DeviceKind kind);

}  // namespace tfprof
