// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace tfprof {

// What an event waits for, as far as its name tells.
enum class WaitFor : uint8_t {
  nothing,  // it does not wait
  device,   // all that the device was given
  stream,   // all that was queued on a stream
  event,    // a mark on a stream
  copy,     // a copy that returns when it is done
  result,   // a buffer of a program, or the program
};
std::string_view Told(WaitFor wait);  // "device", "stream", ...

// Of a call on a thread of a host that returns when a device is done: of the CUDA and HIP runtimes
// and drivers, StreamExecutor, PjRt, the TPU runtime and JAX.
WaitFor HostWaitOf(std::string_view name);

// Of an event on a device or stream that waits for another.
WaitFor DeviceWaitOf(std::string_view name);

}  // namespace tfprof
