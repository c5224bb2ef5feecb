// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// What a trace was taken on, in the words of xprof (xprof/utils/hardware_type_utils.cc).
struct Hardware {
  DeviceKind kind = DeviceKind::other;  // other: no accelerator
  std::string type;                     // "Nvidia GPU (Volta)", "TPU v6 Lite", "CPU"
  int64_t devices = 0;                  // of that kind, whether they did anything or not
  int64_t active = 0;                   // of them, on which anything ran
  bool is_nvidia = false;
};

// Whether anything ran on a process whose lanes measure that.
bool DidAnything(const Store& store, const Process& process, Measures measures);

// Of the hosts and devices that -host and -device let through.
Hardware HardwareOf(const Store& store, const PlaceFilter& place);

// CPU_ONLY, GPU or TPU.
std::string_view HardwareName(DeviceKind kind);

}  // namespace tfprof
