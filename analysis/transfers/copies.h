// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// Copies that devices made, and the kernels that ran at the same time.

namespace tfprof {

class Indexes;

enum class Direction : uint8_t {
  host_to_device,
  device_to_host,
  device_to_device,  // within one device, if the name does not show otherwise
  peer,              // from one device to another
  host_to_host,
  other,
};
std::string_view DisplayName(Direction direction);  // "host to device"

// Of an event on a GPU; `other`: its role is no copy.
Direction DirectionOf(EventRole role);

// A copy. Numbers that are not recorded are kNoInt, texts none.
struct Copy {
  EventId event;
  LaneId lane;
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  // How long kernels of the same device had run at its start and at its end; kNoInt: kernels cannot
  // be identified.
  int64_t kernels_before_ps = kNoInt;
  int64_t kernels_until_ps = kNoInt;
  int64_t bytes = kNoInt;
  NameId from, to, op;  // in DeviceCopies::texts: kinds of memory; the operation that it belongs to
  Direction direction = Direction::other;

  // The part of its time in which a kernel ran on the same device.
  int64_t OverlappedPs() const {
    return kernels_before_ps == kNoInt ? kNoInt
                                       : SaturatingAdd(kernels_until_ps, -kernels_before_ps);
  }
};

struct DeviceCopies {
  ProcessId device;          // none: of a store without processes
  LaneId lane;               // then a lane of the device
  std::vector<Copy> copies;  // by lane, then start
  Names texts;
  int64_t unfinished = 0;  // omitted copies without a recorded end

  // An index by device: its placed copies, that is, events recorded as copies or named like them.
  // Only lanes of the device's own work count. Cost: a pass over the key `work` and, if there are
  // copies, over the kernels in order of time. Errors: cancelled; corrupt.
  using Key = ProcessId;
  static constexpr size_t kKept = std::numeric_limits<size_t>::max();
  static Result<DeviceCopies> Build(const Indexes& indexes, ProcessId device, Context& context);
};

// The copies that a runtime recorded for the devices of a store without processes, by device. A
// device records each of them on its stream, and once more on its lane of copies: the lanes that
// hold more of them count. The kernels are those on the sum of its streams, else on its streams.
struct RunCopies {
  std::vector<DeviceCopies> devices;

  // An index. Cost: a pass over the copies and, per device, over its kernels. Error: cancelled.
  static Result<RunCopies> Build(const Store& store, Context& context);
};

// Finds the copies of a TPU: instructions that move data. A background copy lasts from the start of
// its copy-start to the end of the matching copy-done (as on the line `Async XLA Ops`, if
// recorded); copy, infeed and outfeed last as long as their event. Bytes and kinds of memory come
// from the printed instruction; for an infeed or outfeed without them, the bytes that it accesses.
// Errors as above.
Result<void> FindTpuCopies(const Store& store, DeviceCopies* found, Context& context);

}  // namespace tfprof
