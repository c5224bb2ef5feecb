// SPDX-License-Identifier: Apache-2.0
#include "analysis/indexes.h"

#include <algorithm>

#include "analysis/chosen_events.h"
#include "analysis/nodes/name_order.h"
#include "analysis/ops/kernel_rows.h"
#include "analysis/ops/op_times.h"
#include "analysis/programs.h"
#include "analysis/steps/trace_steps.h"
#include "analysis/transfers/copies.h"

namespace tfprof {
namespace {

// Values of single steps are large and asked one after the other: only so many are kept.
constexpr size_t kStepsKept = 4;
constexpr uint64_t kLeastColumnBytes = uint64_t{256} << 20;

Result<Column<NodeId>> AllByName(const Store& store, Context& context) {
  Column<NodeId> nodes;
  nodes.Reserve(store.nodes.size());
  for (size_t i = 0; i < store.nodes.size(); ++i) nodes.Push(NodeId(i));
  TFPROF_TRY(SortByName(store, &nodes, context));
  return nodes;
}

}  // namespace

template <class T, class Build>
Result<IndexPtr<T>> Indexes::Get(const Cell<T>& cell, Build build) {
  const std::lock_guard<std::mutex> guard(cell.lock);
  if (cell.value == nullptr) {
    Result<T> built = build();
    if (!built) return Failure(std::move(built).error());
    cell.value = std::make_shared<const T>(std::move(*built));
  }
  return cell.value;
}

template <class T, class Build>
Result<IndexPtr<T>> Indexes::Get(const PlaceCell<T>& cell, const PlaceFilter& place, Build build) {
  const std::lock_guard<std::mutex> guard(cell.lock);
  if (cell.value == nullptr || cell.place != place) {
    Result<T> built = build();
    if (!built) return Failure(std::move(built).error());
    cell.place = place;
    cell.value = std::make_shared<const T>(std::move(*built));
  }
  return cell.value;
}

template <class T, class Build>
Result<IndexPtr<T>> Indexes::Get(const StepCells<T>& cells, int64_t step, Build build) {
  const int64_t key = step < 0 ? -1 : step;
  const std::lock_guard<std::mutex> guard(cells.lock);
  const auto known = cells.values.find(key);
  if (known != cells.values.end()) return known->second;
  Result<T> built = build();
  if (!built) return Failure(std::move(built).error());
  // The average is asked all the time and stays; of the others the first by number goes.
  if (cells.values.size() > kStepsKept) cells.values.erase(cells.values.lower_bound(0));
  return cells.values[key] = std::make_shared<const T>(std::move(*built));
}

Result<IndexPtr<NodeAccounts>> Indexes::Accounts(Context& context) const {
  return Get(accounts_, [&] { return MakeAccounts(*store_, {}, context); });
}

Result<IndexPtr<NodeAccounts>> Indexes::Accounts(const PlaceFilter& place, Context& context) const {
  if (!place.AsksPlaces()) return Accounts(context);
  const std::lock_guard<std::mutex> guard(place_lock_);
  const bool known =
      place_.accounts != nullptr && place_.host == place.host && place_.device == place.device;
  if (!known) {
    TFPROF_ASSIGN(NodeAccounts made, MakeAccounts(*store_, place, context));
    place_ = {place.host, place.device, std::make_shared<const NodeAccounts>(std::move(made))};
  }
  return place_.accounts;
}

Result<IndexPtr<NodeSums>> Indexes::Sums(const PlaceFilter& place, Context& context) const {
  if (!place.AsksPlaces() && place.last_step < 0) return Sums(place.step, context);
  TFPROF_ASSIGN(const IndexPtr<NodeAccounts> accounts, Accounts(place, context));
  const std::lock_guard<std::mutex> guard(place_lock_);
  const bool known =
      part_.accounts == accounts && part_.step == place.step && part_.last_step == place.last_step;
  if (!known) {
    TFPROF_ASSIGN(NodeSums made, SumNodes(*store_, *accounts, place, context));
    part_ = {accounts, place.step, place.last_step,
             std::make_shared<const NodeSums>(std::move(made))};
  }
  return part_.sums;
}

Result<IndexPtr<NodeSums>> Indexes::Sums(int64_t step, Context& context) const {
  TFPROF_ASSIGN(const IndexPtr<NodeAccounts> accounts, Accounts(context));
  const PlaceFilter place{{}, {}, step, -1};
  return Get(sums_, step, [&] { return SumNodes(*store_, *accounts, place, context); });
}

Result<IndexPtr<Column<NodeId>>> Indexes::NodesByName(Context& context) const {
  return Get(by_name_, [&] { return AllByName(*store_, context); });
}

Result<IndexPtr<ScopeTree>> Indexes::Scopes(Context& context) const {
  return Get(scopes_, [&] { return BuildScopeTree(*store_, context); });
}

Result<IndexPtr<TreeTotals>> Indexes::TotalsOfScopes(int64_t step, Context& context) const {
  TFPROF_ASSIGN(const IndexPtr<ScopeTree> tree, Scopes(context));
  TFPROF_ASSIGN(const IndexPtr<NodeSums> sums, Sums(step, context));
  return Get(scope_totals_, step, [&] {
    const ScopeNames names{store_.get(), tree.get()};
    return SumTree(Named(names), OwnValuesOf(*sums, tree->node), {}, false, context);
  });
}

Result<IndexPtr<GraphForest>> Indexes::Graph(Context& context) const {
  return Get(graph_, [&] { return BuildGraphForest(*store_, context); });
}

Result<IndexPtr<LaneTimes>> Indexes::Times(Context& context) const {
  return Get(times_, [&] { return SumLanes(*store_, context); });
}

Result<IndexPtr<std::vector<EventTimes>>> Indexes::DeviceTimes(Context& context) const {
  return Get(device_times_, [&] { return SumDevices(*store_, context); });
}

Result<IndexPtr<KernelRows>> Indexes::Kernels(const PlaceFilter& place, Context& context) const {
  return Get(kernels_, place, [&] { return GroupKernels(*store_, *this, place, context); });
}

Result<IndexPtr<TraceNodes>> Indexes::Nodes(const PlaceFilter& place, NodesAre nodes,
                                            Context& context) const {
  return Get(nodes_[static_cast<size_t>(nodes)], place,
             [&] { return MakeTraceNodes(store_, *this, place, nodes, context); });
}

Result<IndexPtr<EventLinks>> Indexes::Links(Context& context) const {
  return Get(links_, [&] { return LinkEvents(*store_, *this, context); });
}

Result<IndexPtr<MemoryEvents>> Indexes::Memory(Context& context) const {
  return Get(memory_, [&] { return ReadMemoryEvents(*store_, context); });
}

Result<IndexPtr<CompiledPrograms>> Indexes::Programs(Context& context) const {
  return Get(programs_, [&] { return ReadPrograms(*store_, context); });
}

Result<IndexPtr<EventGroups>> Indexes::Groups(Context& context) const {
  return Get(groups_, [&] { return GroupEvents(*store_, *this, GroupsOf::all, context); });
}

Result<IndexPtr<EventGroups>> Indexes::GroupsOfDevices(Context& context) const {
  TFPROF_ASSIGN(const bool are_told, GroupsAreTold(*store_, context));
  if (!are_told) return Groups(context);
  return Get(device_groups_,
             [&] { return GroupEvents(*store_, *this, GroupsOf::devices, context); });
}

Result<IndexPtr<std::vector<HostSteps>>> Indexes::Steps(Context& context) const {
  return Get(steps_, [&] { return MeasureStepsAnew(*store_, *this, {}, context); });
}

Result<IndexPtr<std::vector<std::vector<DeviceStep>>>> Indexes::StepsOfPlanes(
    Context& context) const {
  TFPROF_ASSIGN(const auto groups, Groups(context));
  TFPROF_ASSIGN(const auto hosts, Steps(context));
  const auto build = [&]() -> Result<std::vector<std::vector<DeviceStep>>> {
    std::vector<std::vector<DeviceStep>> by_host;
    for (const HostSteps& host : *hosts) {
      TFPROF_ASSIGN(by_host.emplace_back(),
                    PlaneStepsOf(*store_, *this, *groups, host, {}, context));
    }
    return by_host;
  };
  return Get(plane_steps_, build);
}

Result<IndexPtr<Pipelines>> Indexes::InputPipelines(Context& context) const {
  return Get(pipelines_, [&] { return FindPipelines(*store_, context); });
}

Result<IndexPtr<OpTimes>> Indexes::TimesOfOps(Context& context) const {
  return Get(op_times_, [&] { return MeasureOps(*store_, *this, ChosenEvents(), context); });
}

Result<IndexPtr<DeviceCopies>> Indexes::Copies(ProcessId device, Context& context) const {
  return Get(copies_[device.value], [&] { return FindCopies(*store_, *this, device, context); });
}

const Indexes::KeptColumn* Indexes::FindColumn(ProcessId process, std::string_view key) const {
  const auto known = std::find_if(details_.begin(), details_.end(), [&](const KeptColumn& kept) {
    return kept.process == process && kept.key == key;
  });
  if (known == details_.end()) return nullptr;
  std::rotate(known, known + 1, details_.end());
  return &details_.back();
}

Result<void> Indexes::ReadMissing(ProcessId process, DetailKeys keys, Context& context) const {
  std::vector<std::string_view> missing;
  for (const std::string_view key : keys) {
    const bool again = std::find(missing.begin(), missing.end(), key) != missing.end();
    if (!again && FindColumn(process, key) == nullptr) missing.push_back(key);
  }
  if (missing.empty()) return {};
  TFPROF_ASSIGN(std::vector<DetailColumn> columns, ReadColumns(*store_, process, missing, context));
  for (size_t i = 0; i < missing.size(); ++i) {
    details_.push_back({process, std::string(missing[i]),
                        std::make_shared<const DetailColumn>(std::move(columns[i]))});
    details_.back().bytes = details_.back().column->bytes();
  }
  DropOldColumns(keys.size());
  return {};
}

void Indexes::DropOldColumns(size_t asked) const {
  uint64_t most = kLeastColumnBytes, bytes = 0;
  for (const Source& source : store_->sources) bytes += source.bytes;
  most = std::max(most, bytes * 3 / 20);
  if (!store_->events_read.All()) most = 0;  // the only question goes from process to process
  bytes = 0;
  for (size_t i = details_.size(); i-- > 0;) {
    bytes += details_[i].bytes;
    if (bytes <= most || i + asked >= details_.size()) continue;
    details_.erase(details_.begin(), details_.begin() + static_cast<ptrdiff_t>(i) + 1);
    break;
  }
}

Result<std::vector<IndexPtr<DetailColumn>>> Indexes::Details(ProcessId process, DetailKeys keys,
                                                             Context& context) const {
  const std::lock_guard<std::mutex> guard(details_lock_);
  TFPROF_TRY(ReadMissing(process, keys, context));
  std::vector<IndexPtr<DetailColumn>> columns;
  for (const std::string_view key : keys) columns.push_back(FindColumn(process, key)->column);
  return columns;
}

Result<IndexPtr<DetailColumn>> Indexes::Details(ProcessId process, std::string_view key,
                                                Context& context) const {
  TFPROF_ASSIGN(auto columns, Details(process, DetailKeys(&key, 1), context));
  return std::move(columns[0]);
}

Result<IndexPtr<OpGroups>> Indexes::Ops(Context& context) const {
  return Get(ops_, [&] { return GroupByOp(*store_, context); });
}

Result<IndexPtr<CodeTree>> Indexes::Code(Context& context) const {
  TFPROF_ASSIGN(const IndexPtr<Column<NodeId>> by_name, NodesByName(context));
  return Get(code_, [&] { return BuildCodeTree(*store_, *by_name, context); });
}

}  // namespace tfprof
