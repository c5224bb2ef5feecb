// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/store/lanes.h"

namespace tfprof::xspace {

// What an event's name says, whichever recorder wrote it: TensorFlow, JAX, XLA, tf.data, CUPTI,
// ROCm.
struct EventNameRole {
  EventRole role = EventRole::none;
  uint8_t suffix = 0;  // Label::suffix
  uint8_t prefix = 0;  // Label::prefix
};
EventNameRole EventRoleOf(std::string_view name, ProcessKind process);

// True for functions of CUDA's and HIP's runtimes and drivers: cudaLaunchKernel, cuLaunchKernel,
// hipModuleLaunchKernel.
bool IsRuntimeCall(std::string_view name);

// True for a thread on which tf.data runs functions.
bool IsInputThread(std::string_view line);

}  // namespace tfprof::xspace
