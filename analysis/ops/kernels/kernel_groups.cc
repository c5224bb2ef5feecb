// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/kernels/kernel_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/links/launch_ops.h"
#include "analysis/place.h"
#include "core/base/hash.h"
#include "core/store/details.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

constexpr uint32_t kNoLabel = 0xFFFFFFFFu;

// Labels of host events; kNoLabel: none.
struct SiteKey {
  uint32_t host, op, call;

  bool operator==(const SiteKey&) const = default;
  uint64_t Hash() const { return HashPair(uint64_t{op} << 32 | call, host); }
};

struct KernelOfSite {
  uint32_t site, name;

  bool operator==(const KernelOfSite&) const = default;
  uint64_t Hash() const { return HashPair(site, name); }
};

struct Adding {
  const Store& store;
  const LaunchOps& launches;
  const ChosenEvents& chosen;
  int64_t min_ps;  // duration of the shortest launch that counts
  GroupIndex<SiteKey> index = {};
  GroupIndex<KernelOfSite> kernels = {};
  std::vector<KernelRow> rows = {};
  std::vector<RowDuration> durations = {};  // by position in `rows`
  bool keeps_durations = false;
};

SiteKey KeyOf(const Adding& all, HostId host, uint32_t row) {
  SiteKey key{host.value, kNoLabel, kNoLabel};
  const EventId call = LaunchOf(*all.launches.links, row);
  if (!call.some()) return key;
  const uint32_t op = all.launches.Around(row);
  const Column<LabelId>& labels = all.store.events.label;
  if (op != kNoRow) key.op = labels[op].value;
  if (op != call.value) key.call = labels[call.value].value;
  return key;
}

void AddKernels(int64_t launches, int64_t total_ps, int64_t min_ps, int64_t max_ps,
                KernelRow* into) {
  into->min_ps = into->occurrences == 0 ? min_ps : std::min(into->min_ps, min_ps);
  into->max_ps = std::max(into->max_ps, max_ps);
  into->occurrences += launches;
  into->total_ps = SaturatingAdd(into->total_ps, total_ps);
}

void AddKernel(HostId host, uint32_t row, Adding* all) {
  const int64_t ps = all->store.events.duration_ps[row];
  const uint32_t at = all->index.Of(KeyOf(*all, host, row));
  if (at == all->rows.size()) {
    KernelRow& made = all->rows.emplace_back();
    made.kernels = 0;
    made.number = at;
  }
  if (all->keeps_durations) all->durations.push_back({at, ps});
  KernelRow& row_of_site = all->rows[at];
  AddKernels(1, ps, ps, ps, &row_of_site);
  const size_t known = all->kernels.size();
  const LabelId label = all->store.events.label[row];
  all->kernels.Of({at, all->store.labels[label.value].name.value});
  row_of_site.kernels += all->kernels.size() > known ? 1 : 0;
}

Result<void> AddProcess(const Indexes& indexes, ProcessId id, Adding* all, Context& context) {
  TFPROF_ASSIGN(const IndexPtr<DetailColumn> launch,
                indexes.Details(id, AttributeKey::launch, context));
  const Process& process = all->store.processes[id.value];
  for (uint32_t k = 0; k < process.lanes.count && launch->rows.count > 0; ++k) {
    const Lane& lane = all->store.lanes[process.lanes.first + k];
    if (lane.derived) continue;
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const bool counts = launch->Has(row) && all->chosen.Takes(row) &&
                          all->store.events.duration_ps[row] >= all->min_ps;
      if (counts) AddKernel(process.host, row, all);
    }
  }
  return {};
}

// The name of a label; of an operation NAME:TYPE its name.
std::string_view NameOf(const Store& store, uint32_t label, bool is_op) {
  if (label == kNoLabel) return {};
  const std::string_view text = store.Text(store.labels[label].name);
  return is_op ? ParseOpName(text).name : text;
}

KernelSites FinishSites(Adding all) {
  for (size_t i = 0; i < all.rows.size(); ++i) {
    const SiteKey& key = all.index.keys()[i];
    all.rows[i].host = HostName(all.store, HostId(key.host));
    all.rows[i].op_name = NameOf(all.store, key.op, true);
    all.rows[i].launched_by = NameOf(all.store, key.call, false);
  }
  std::sort(all.rows.begin(), all.rows.end(), PrecedesKernel);
  return {{std::move(all.rows), std::move(all.durations)}};
}

}  // namespace

KernelGroups GroupKernels(const KernelRows& found, RowsBy by) {
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, size_t> index;
  std::set<std::pair<size_t, std::string_view>> kernels;
  std::vector<KernelRow> groups;
  std::vector<uint32_t> group_of(found.rows.size());  // by KernelRow::number
  for (const KernelRow& row : found.rows) {
    const std::string_view text = by == RowsBy::name ? row.name : row.op_name;
    const auto [place, is_new] = index.try_emplace({row.host, text}, groups.size());
    if (is_new) {
      KernelRow& group = groups.emplace_back();
      group.host = row.host;
      (by == RowsBy::name ? group.name : group.op_name) = text;
      group.kernels = 0;
      group.number = static_cast<uint32_t>(place->second);
    }
    group_of[row.number] = static_cast<uint32_t>(place->second);
    KernelRow& group = groups[place->second];
    AddKernels(row.occurrences, row.total_ps, row.min_ps, row.max_ps, &group);
    group.kernels += kernels.emplace(place->second, row.name).second ? 1 : 0;
  }
  std::sort(groups.begin(), groups.end(), PrecedesKernel);
  std::vector<RowDuration> durations;
  for (const RowDuration& one : found.durations) {
    durations.push_back({group_of[one.row], one.ps});
  }
  return {std::move(groups), std::move(durations)};
}

Result<KernelSites> KernelSites::Build(const Indexes& indexes, const Key& key, Context& context) {
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, key.place, context));
  TFPROF_ASSIGN(const IndexPtr<LaunchOps> launches, indexes.Get<LaunchOps>(context));
  const bool exact = key.accounting == OpAccounting::exact;
  Adding all{store, *launches, chosen, exact ? 0 : kPsPerNs};
  all.keeps_durations = key.durations;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (DeviceKindOf(store, process) != DeviceKind::gpu) continue;
    if (!MatchesPlace(store, process, key.place)) continue;
    TFPROF_TRY(AddProcess(indexes, ProcessId(i), &all, context));
  }
  return FinishSites(std::move(all));
}

}  // namespace tfprof
