// SPDX-License-Identifier: Apache-2.0
// The devices of a process: their work by stream, and their memory.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "capture/model/definitions.h"
#include "capture/writers/host_trace.h"
#include "capture/writers/trace_counts.h"
#include "capture/writers/xspace.h"

namespace tfprof::capture {

class DeviceTrace {
 public:
  // `also_to` may be null.
  DeviceTrace(const Definitions& definitions, XSpace* to, TensorflowExport* also_to,
              HostTrace* host, TraceCounts* counts);

  // Returns false if the call that started the work is still to come; with `is_last_try` it is
  // added without one.
  bool Take(const RecordHead& head, bool is_last_try);
  // Names lines, and adds those of steps.
  void Finish();

 private:
  struct Stream {
    XSpace::LineId line = 0;
    XSpace::PlaneId plane = 0;
    std::set<std::string, std::less<>> kinds;  // of its work, for the name
  };
  struct KernelName {
    uint64_t event = 0;
    std::string op;
    std::string base;
    std::string said;
    std::string details;
  };
  struct Span {
    uint64_t start = UINT64_MAX;
    uint64_t end = 0;
  };

  XSpace::PlaneId PlaneOf(uint32_t device);
  void AddDeviceFacts(XSpace::PlaneId plane, uint32_t device);
  Stream& StreamOf(const LaneRecord& lane);
  const KernelName& NameOf(XSpace::PlaneId plane, uint32_t shape);
  bool IsOfPause(const RecordHead& head) const;
  // Counts what has none, or impossible ones.
  bool HasTimes(const WorkRecord& work);

  // What an event is besides a piece of work.
  struct Described {
    std::string op;  // "name:type", inside the scope of the launch
    std::string name;
    std::string said;  // the name, with all of its characters
    std::string_view type;
    std::string label;
    uint64_t bytes = 0;
  };
  // Each begins the event; what all work has follows.
  Described Begin(const KernelRecord& kernel, Stream* stream);
  Described Begin(const CopyRecord& copy, Stream* stream);
  Described Begin(const FillRecord& fill, Stream* stream);
  Described Begin(const GraphRecord& graph, Stream* stream);
  template <class Record>
  void AddWork(const RecordHead& head, const Launch* launch);
  void AddOp(const Launch* launch, const Described& described);
  void AddScope(ScopeId scope);
  void AddCommon(const WorkRecord& work, const LaneRecord& lane, const Launch* launch);
  void Export(const WorkRecord& work, const LaneRecord& lane, const Launch* launch,
              const Described& described);
  void AddMemory(const MemoryRecord& memory, const Launch* launch);
  void AddSteps();

  const Definitions& definitions_;
  XSpace& to_;
  TensorflowExport* also_to_;
  HostTrace& host_;
  TraceCounts& counts_;
  bool has_calls_ = false;  // else no work waits for one
  std::map<uint32_t, XSpace::PlaneId> planes_;
  std::map<std::pair<uint32_t, uint32_t>, Stream> streams_;  // by device and stream
  std::unordered_map<uint64_t, KernelName> kernels_;         // by plane << 32 | shape
  std::map<std::pair<uint32_t, int32_t>, Span> steps_;       // by device and step
};

}  // namespace tfprof::capture
