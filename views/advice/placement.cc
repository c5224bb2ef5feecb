// SPDX-License-Identifier: Apache-2.0
// PlacementChecker: CPU operations with inputs from an accelerator and outputs to one. The
// accelerator stalls on them and on two copies.
#include <fmt/format.h>

#include "analysis/nodes/accounting.h"
#include "views/advice/classic.h"
#include "views/advice/evidence.h"

namespace tfprof {
namespace {

constexpr Shares kPlacementShares{20, 5};

enum class Place : uint8_t { nowhere, host, accelerator };

std::vector<Place> Places(const Store& store, const NodeAccounts& accounts) {
  std::vector<Place> places(store.nodes.size(), Place::nowhere);
  for (size_t i = 0; i < places.size(); ++i) {
    const LaneId lane = accounts.counting_lane[i];
    if (lane.some()) places[i] = IsAccelerator(store, lane) ? Place::accelerator : Place::host;
  }
  return places;
}

// Returns host nodes with a data input from an accelerator and a data output to one.
Result<std::vector<NodeId>> Between(const Store& store, const std::vector<Place>& places,
                                    Context& context) {
  std::vector<bool> reads(places.size()), feeds(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    for (const Edge& edge : store.Inputs(store.nodes[i])) {
      if (!edge.producer.some() || edge.output_slot == Edge::kControlSlot) continue;
      const Place producer = places[edge.producer.value];
      if (places[i] == Place::host && producer == Place::accelerator) reads[i] = true;
      if (places[i] == Place::accelerator && producer == Place::host) {
        feeds[edge.producer.value] = true;
      }
    }
  }
  std::vector<NodeId> between;
  for (size_t i = 0; i < places.size(); ++i) {
    if (reads[i] && feeds[i]) between.emplace_back(i);
  }
  return between;
}

}  // namespace

Result<void> CheckPlacement(const Checking& checking, std::vector<Finding>* findings) {
  const Store& store = *checking.store;
  TFPROF_ASSIGN(const auto accounts, checking.indexes.Get<NodeAccounts>(checking.context));
  TFPROF_ASSIGN(const auto between, Between(store, Places(store, *accounts), checking.context));
  TFPROF_ASSIGN(const auto sums,
                checking.indexes.Get<NodeSums>(PlaceFilter::Exact(), checking.context));
  return AddRunningNodes(checking, between, TimesOfNodes(between, *sums),
                         FindingId::cpu_between_accelerator, kPlacementShares, findings);
}

}  // namespace tfprof
