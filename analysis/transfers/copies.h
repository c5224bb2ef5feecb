// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// The copies that devices made, and what ran meanwhile.

namespace tfprof {

class Indexes;

enum class Direction : uint8_t {
  host_to_device,
  device_to_host,
  device_to_device,  // within one device, as far as the name tells
  peer,              // from one device to another
  host_to_host,
  other,
};
std::string_view Told(Direction direction);  // "host to device"

// Of an event on a GPU; `other`: its role is no copy.
Direction DirectionOf(EventRole role);

// Numbers that are not told are kNoInt, texts none.
struct Copy {
  EventId event;
  LaneId lane;
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  // How long kernels of the same device had run when it began and when it ended; kNoInt: it is not
  // told what is a kernel.
  int64_t kernels_before_ps = kNoInt;
  int64_t kernels_until_ps = kNoInt;
  int64_t bytes = kNoInt;
  NameId from, to, op;  // of DeviceCopies::texts: kinds of memory; the operation it is for
  Direction direction = Direction::other;

  // Of its time, that in which a kernel ran on the same device.
  int64_t HiddenPs() const {
    return kernels_before_ps == kNoInt ? kNoInt
                                       : SaturatingAdd(kernels_until_ps, -kernels_before_ps);
  }
};

struct DeviceCopies {
  ProcessId device;
  std::vector<Copy> copies;  // by lane, then start
  Names texts;
  int64_t unfinished = 0;  // that began, and whose end was not recorded: they are left out

  // An index by device: its copies that are placed in time, that is, what says that it is a copy or
  // has the name of one. Only lanes that show the device's own work count. Costs a pass over the
  // key `work` and, where there are copies, over the kernels in order of time. Errors: cancelled;
  // corrupt.
  using Key = ProcessId;
  static constexpr size_t kKept = std::numeric_limits<size_t>::max();
  static Result<DeviceCopies> Build(const Indexes& indexes, ProcessId device, Context& context);
};

// Those of a TPU: instructions that move data. A copy in the background lasts from the start of
// its copy-start to the end of the copy-done that takes it (so says the line `Async XLA Ops`, where
// there is one); copy, infeed and outfeed as long as their event. Bytes and kinds of memory are
// those that the printed instruction tells; of an infeed or outfeed without them, the bytes that
// it accesses. Errors as above.
Result<void> FindTpuCopies(const Store& store, DeviceCopies* found, Context& context);

}  // namespace tfprof
