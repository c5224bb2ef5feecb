// SPDX-License-Identifier: Apache-2.0
// OperationChecker: operations with a faster equivalent.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "core/base/any_case.h"
#include "views/advice/classic.h"
#include "views/advice/evidence.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

constexpr Shares kShares{50, 20};

bool IsConvolutionOrPool(std::string_view type) {
  return type.find("Conv") != type.npos || type.find("Pool") != type.npos;
}

std::vector<NodeId> NhwcOnAccelerator(const Store& store, const NodeAccounts& accounts) {
  std::vector<NodeId> nodes;
  for (const DataFormat& row : store.data_formats) {
    const bool nhwc = store.Text(row.format) == "NHWC";
    const bool fits = IsConvolutionOrPool(store.Text(store.nodes[row.node.value].type));
    const LaneId lane = accounts.counting_lane[row.node.value];
    if (nhwc && fits && IsAccelerator(store, lane)) nodes.push_back(row.node);
  }
  return nodes;
}

// Returns batch normalization nodes if none of the graph is fused.
Result<std::vector<NodeId>> UnfusedBatchNorm(const Store& store, Context& context) {
  std::vector<NodeId> nodes;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    const std::string_view type = store.Text(store.nodes[i].type);
    if (type.starts_with("FusedBatchNorm")) return std::vector<NodeId>();
    const std::string_view name = store.Text(store.nodes[i].name);
    if (!ContainsAnyCase(name, "batchnorm")) continue;
    const bool is_layer_norm =  // has the same parts, but that fusion does not apply
        ContainsAnyCase(name, "layernorm") || ContainsAnyCase(name, "layer_norm");
    if (!is_layer_norm) nodes.emplace_back(i);
  }
  return nodes;
}

}  // namespace

Result<void> CheckOperations(const Checking& checking, std::vector<Finding>* findings) {
  const Store& store = *checking.store;
  TFPROF_ASSIGN(const auto accounts, checking.indexes.Get<NodeAccounts>(checking.context));
  TFPROF_ASSIGN(const auto sums,
                checking.indexes.Get<NodeSums>(PlaceFilter::Exact(), checking.context));
  const std::vector<NodeId> nhwc = NhwcOnAccelerator(store, *accounts);
  TFPROF_TRY(AddRunningNodes(checking, nhwc, TimesOf(nhwc, *sums), FindingId::nhwc_on_accelerator,
                             kShares, findings));
  TFPROF_ASSIGN(const auto unfused, UnfusedBatchNorm(store, checking.context));
  return AddRunningNodes(checking, unfused, TimesOf(unfused, *sums), FindingId::unfused_batch_norm,
                         kShares, findings);
}

}  // namespace tfprof
