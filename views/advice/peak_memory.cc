// SPDX-License-Identifier: Apache-2.0
// PeakMemoryChecker: the operations that hold the most memory at the peak, and those that hold the
// most while they run.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "core/text/units.h"
#include "views/advice/evidence.h"
#include "views/advice/peak_holders.h"

namespace tfprof {
namespace {

constexpr double kMajorityPercent = 50;  // percent of the sum of all holders' peaks
constexpr size_t kHoldersNamed = 3;
// Less memory than a tenth of what any device in use has needs no advice. Records of runs have no
// capacity: no accelerator has less than this.
constexpr int64_t kLeastCapacity = int64_t{1} << 30;
constexpr int64_t kLeastShare = 10;  // of 100

std::vector<NodeId> Holders(const NodeSums& sums, int64_t* all_bytes) {
  std::vector<NodeId> holders;
  for (size_t i = 0; i < sums.values.size(); ++i) {
    const int64_t bytes = At(sums.values[i], Measure::peak_bytes);
    if ((sums.present[i] & kHasMemory) == 0 || bytes <= 0) continue;
    holders.emplace_back(i);
    *all_bytes = WrapAdd(*all_bytes, bytes);
  }
  const size_t named = std::min(kHoldersNamed, holders.size());
  std::partial_sort(holders.begin(), holders.begin() + static_cast<ptrdiff_t>(named), holders.end(),
                    [&](NodeId a, NodeId b) {
                      const int64_t of_a = At(sums.values[a.value], Measure::peak_bytes);
                      const int64_t of_b = At(sums.values[b.value], Measure::peak_bytes);
                      return of_a != of_b ? of_a > of_b : a < b;
                    });
  holders.resize(named);
  return holders;
}

// Adds the largest recorded number of bytes that an allocator had in use after an operation ran.
void AddMaxInUse(const Store& store, Finding* finding) {
  const ExecMemory* max = nullptr;
  for (const ExecMemory& row : store.exec_memory) {
    if (row.in_use == kNoInt || row.in_use <= 0) continue;
    if (max == nullptr || row.in_use > max->in_use) max = &row;
  }
  if (max == nullptr) return;
  const Label& label = store.labels[store.events.label[max->event.value].value];
  finding->values.push_back(Bytes("allocator_in_use", max->in_use));
  finding->values.push_back(Text("after", store.Text(label.name)));
}

}  // namespace

Result<void> CheckPeakMemory(const Checking& checking, std::vector<Finding>* findings) {
  const Store& store = *checking.store;
  TFPROF_TRY(AddPeakHolders(checking, findings));
  TFPROF_ASSIGN(const auto sums, checking.indexes.Get<NodeSums>(checking.context));
  int64_t all_bytes = 0;
  const std::vector<NodeId> holders = Holders(*sums, &all_bytes);
  if (holders.empty()) return {};
  const auto bytes = [&](NodeId node) { return At(sums->values[node.value], Measure::peak_bytes); };
  const NodeId first = holders[0];
  if (bytes(first) < kLeastCapacity / 100 * kLeastShare) return {};
  std::string others;
  for (size_t i = 1; i < holders.size(); ++i) {
    others += fmt::format("{}{} ({})", i == 1 ? "" : ", ", NodeName(store, holders[i]),
                          Human(bytes(holders[i]), Unit::bytes));
  }
  const bool max = Percent(bytes(first), all_bytes) >= kMajorityPercent;
  const std::string_view name = NodeName(store, first);
  Finding finding{.id = FindingId::largest_peak_memory,
                  .severity = max ? Severity::low : Severity::info,
                  .values = {Text("operation", name), Pattern("pattern", name), DepthOf(name),
                             Share("share", bytes(first), all_bytes), Bytes("peak", bytes(first)),
                             Text("type", store.Text(store.nodes[first.value].type)),
                             TextIfAny("then", others)}};
  AddMaxInUse(store, &finding);
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace tfprof
