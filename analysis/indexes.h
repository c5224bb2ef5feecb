// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/intervals/lane_times.h"
#include "analysis/links/event_links.h"
#include "analysis/memory/memory_events.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/code_tree.h"
#include "analysis/nodes/graph_forest.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/scope_tree.h"
#include "analysis/steps/event_groups.h"
#include "analysis/steps/times.h"
#include "analysis/tfdata/pipelines.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

struct CompiledPrograms;  // analysis/programs.h
struct DeviceCopies;      // analysis/transfers/copies.h
struct KernelRows;        // analysis/ops/kernel_rows.h
struct OpTimes;           // analysis/ops/op_times.h
struct DeviceStep;        // analysis/steps/step_table.h

template <class T>
using IndexPtr = std::shared_ptr<const T>;

// What is costly to derive from a store and worth keeping: built at the first call, published only
// when complete, never changed. A cancelled build leaves nothing behind. Safe for several threads.
// The pointers stay valid when the Indexes go away.
class Indexes {
 public:
  explicit Indexes(StorePtr store) : store_(std::move(store)), copies_(store_->processes.size()) {}

  Result<IndexPtr<NodeAccounts>> Accounts(Context& context) const;
  // `step` < 0: the average over the steps in which a node ran. Error: usage, no such step.
  Result<IndexPtr<NodeSums>> Sums(int64_t step, Context& context) const;
  // The same of the asked -device and -host, and of -step: the last ones that were asked are kept.
  Result<IndexPtr<NodeAccounts>> Accounts(const PlaceFilter& place, Context& context) const;
  Result<IndexPtr<NodeSums>> Sums(const PlaceFilter& place, Context& context) const;
  Result<IndexPtr<Column<NodeId>>> NodesByName(Context& context) const;  // ascending by bytes
  Result<IndexPtr<ScopeTree>> Scopes(Context& context) const;
  // Totals of every scope when everything is accounted: what most questions need.
  Result<IndexPtr<TreeTotals>> TotalsOfScopes(int64_t step, Context& context) const;
  Result<IndexPtr<GraphForest>> Graph(Context& context) const;
  Result<IndexPtr<OpGroups>> Ops(Context& context) const;
  Result<IndexPtr<CodeTree>> Code(Context& context) const;
  Result<IndexPtr<LaneTimes>> Times(Context& context) const;
  // By ProcessId: see SumDevices.
  Result<IndexPtr<std::vector<EventTimes>>> DeviceTimes(Context& context) const;
  Result<IndexPtr<CompiledPrograms>> Programs(Context& context) const;
  Result<IndexPtr<OpTimes>> TimesOfOps(Context& context) const;
  // Of one device: see FindCopies. Threads that ask for several devices build at once.
  Result<IndexPtr<DeviceCopies>> Copies(ProcessId device, Context& context) const;
  // Kernels by what they launched with, and the nodes of a trace: of the last -host, -device and
  // -step that were asked.
  Result<IndexPtr<KernelRows>> Kernels(const PlaceFilter& place, Context& context) const;
  Result<IndexPtr<TraceNodes>> Nodes(const PlaceFilter& place, NodesAre nodes,
                                     Context& context) const;
  Result<IndexPtr<EventLinks>> Links(Context& context) const;
  Result<IndexPtr<MemoryEvents>> Memory(Context& context) const;
  Result<IndexPtr<EventGroups>> Groups(Context& context) const;
  // Enough for events of devices: see GroupsOf.
  Result<IndexPtr<EventGroups>> GroupsOfDevices(Context& context) const;
  // Of all hosts and devices: see MeasureSteps.
  Result<IndexPtr<std::vector<HostSteps>>> Steps(Context& context) const;
  // Of each of these hosts: see PlaneStepsOf.
  Result<IndexPtr<std::vector<std::vector<DeviceStep>>>> StepsOfPlanes(Context& context) const;
  Result<IndexPtr<Pipelines>> InputPipelines(Context& context) const;
  // Keys of all events of a process (DetailReader::columns); no rows: none of them has it. Name all
  // that will be asked: the events are run through once. The last are kept, up to 256 MiB or 15 %
  // of the profile, whichever is more; of a store for one question (EventsRead) those asked last.
  Result<std::vector<IndexPtr<DetailColumn>>> Details(ProcessId process, DetailKeys keys,
                                                      Context& context) const;
  Result<IndexPtr<DetailColumn>> Details(ProcessId process, std::string_view key,
                                         Context& context) const;

 private:
  template <class T>
  struct Cell {
    mutable std::mutex lock;
    mutable IndexPtr<T> value;
  };
  template <class T>
  struct StepCells {
    mutable std::mutex lock;
    mutable std::map<int64_t, IndexPtr<T>> values;
  };
  template <class T>
  struct PlaceCell {  // of the -host, -device and -step that were asked last
    mutable std::mutex lock;
    mutable PlaceFilter place;
    mutable IndexPtr<T> value;
  };
  // Calls `build` (returning Result<T>) unless the cell is filled.
  template <class T, class Build>
  static Result<IndexPtr<T>> Get(const Cell<T>& cell, Build build);
  template <class T, class Build>
  static Result<IndexPtr<T>> Get(const PlaceCell<T>& cell, const PlaceFilter& place, Build build);
  template <class T, class Build>
  static Result<IndexPtr<T>> Get(const StepCells<T>& cells, int64_t step, Build build);

  StorePtr store_;
  Cell<NodeAccounts> accounts_;
  StepCells<NodeSums> sums_;
  struct KeptPlace {
    std::string host, device;
    IndexPtr<NodeAccounts> accounts;
  };
  struct KeptPart {  // of a place, or of a range of steps
    IndexPtr<NodeAccounts> accounts;
    int64_t step = -1, last_step = -1;
    IndexPtr<NodeSums> sums;
  };
  mutable std::mutex place_lock_;
  mutable KeptPlace place_;
  mutable KeptPart part_;
  Cell<Column<NodeId>> by_name_;
  Cell<ScopeTree> scopes_;
  StepCells<TreeTotals> scope_totals_;
  Cell<GraphForest> graph_;
  Cell<OpGroups> ops_;
  Cell<CodeTree> code_;
  Cell<LaneTimes> times_;
  Cell<std::vector<EventTimes>> device_times_;
  Cell<CompiledPrograms> programs_;
  Cell<OpTimes> op_times_;
  std::vector<Cell<DeviceCopies>> copies_;  // by ProcessId
  Cell<EventLinks> links_;
  Cell<MemoryEvents> memory_;
  Cell<EventGroups> groups_;
  Cell<EventGroups> device_groups_;
  Cell<std::vector<HostSteps>> steps_;
  Cell<std::vector<std::vector<DeviceStep>>> plane_steps_;
  Cell<Pipelines> pipelines_;
  PlaceCell<KernelRows> kernels_;
  PlaceCell<TraceNodes> nodes_[2];  // by NodesAre
  struct KeptColumn {
    ProcessId process;
    std::string key;
    IndexPtr<DetailColumn> column;
    uint64_t bytes = 0;
  };
  const KeptColumn* FindColumn(ProcessId process, std::string_view key) const;
  // With details_lock_ held, as the two around it. What `keys` name is last in details_ then.
  Result<void> ReadMissing(ProcessId process, DetailKeys keys, Context& context) const;
  void DropOldColumns(size_t asked) const;

  mutable std::mutex details_lock_;
  mutable std::vector<KeptColumn> details_;  // the one asked last at the end
};

}  // namespace tfprof
