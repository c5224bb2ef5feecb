// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/wall/host_causes.h"
#include "analysis/wall/loop/steps.h"
#include "core/store/store.h"

namespace tfprof {

// What the wall time of a device goes into: its own work, else what the host does while it is idle.
enum class WallKind : uint8_t {
  compute,
  callback,       // a program waits for a function of the host
  communication,  // exposed
  copies,         // exposed, or made by the host
  input,          // waits for the input pipeline
  iterator,       // creates iterators of input pipelines
  compile,
  tracing,
  collector,
  checkpoint,
  queue,
  lock,
  device_memory,  // gets it from the driver, or returns it
  host_op,        // long operations on the host
  python,         // functions of the program
  eager,          // starts operations one by one
  launch,         // starts programs
  waits,          // for results
  region,
  library,
  threads,  // idle while other threads of the host work
  unrecorded,
};

struct NamedAmount {
  std::string name;
  int64_t amount = 0;  // ps, or a count
};
// Descending, then by name.
std::vector<NamedAmount> LargestFirst(const std::map<std::string, int64_t>& amounts);

// A part of the wall time. The parts add up to it.
struct WallPart {
  WallKind kind = WallKind::unrecorded;
  std::string name;  // of the function, program, region; empty: the kind says all
  int64_t ps = 0;
  // Of a function of Python: what it calls, and the innermost calls. Descending.
  std::vector<NamedAmount> calls;
  std::vector<NamedAmount> leaves;
};

struct WallDevice {
  ProcessId process;  // a host, if there are no devices
  int64_t busy_ps = 0;
  int64_t idle_ps = 0;
};

// When the wall time of a host goes where. Index into HostWall::parts.
struct WallSegment {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t part = 0;
};

// The wall time of the steps of one host, or of the whole capture, as the mean of its devices.
struct HostWall {
  HostId host;
  ProcessId process;  // of the threads; none: only devices were recorded
  WallSteps steps;
  DrivingThread thread;
  HostExecutions executions;   // without devices
  std::string device_program;  // the one with most time on the first device; empty: unknown
  std::vector<WallDevice> devices;
  std::vector<WallPart> parts;        // descending; their sum is that of `steps.window`
  std::vector<WallSegment> segments;  // of the first device, by start
  std::vector<HostSegment> causes;    // what the thread does, whatever devices do
  bool has_devices = false;

  int64_t PartPs(WallKind kind) const;
  double Percent(int64_t ps) const;  // of the window
  // A program that records nothing but its own ranges or functions has no device that could be
  // idle.
  bool KnowsDevices() const;
};

// An index: the hosts that recorded threads or devices.
struct WallTimes {
  std::vector<HostWall> hosts;

  // True if that much of each step is no gap: for most of it, the host's thread starts programs.
  bool StartsProgramsFor(int64_t step_ps, HostId host) const;
  // Returns the number of the step that warms up and that wall time excludes, by host; kNoInt:
  // none.
  std::vector<int64_t> WarmUpSteps(size_t of_hosts) const;
  static Result<WallTimes> Build(const Indexes& indexes, Context& context);
};

// Returns the name of what an event does, in words that its users know: the function, program,
// operation or region.
std::string NameOfEvent(const Store& store, const ThreadColumns& columns, uint32_t row);

}  // namespace tfprof
