// SPDX-License-Identifier: Apache-2.0
// OperationChecker: operations with a faster equivalent.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/nodes/accounting.h"
#include "core/base/ascii.h"
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

// True if the node is a whole batch normalization. Without a graph the name has the type at its
// end.
bool IsWhole(const Store& store, NodeId node) {
  constexpr std::string_view kWhole = "BatchNorm";
  const std::string_view type = store.Text(store.nodes[node.value].type);
  return type.substr(type.rfind('/') + 1).find(kWhole) != type.npos ||
         store.Text(KernelTypeOf(store, node)).find(kWhole) != type.npos;
}

// The scope of a node of batch normalization: up to the component that says so. Arguments of
// functions have underscores for slashes: `a_layer_norm_batchnorm_mul_resource`.
std::string_view NormScope(std::string_view name) {
  constexpr std::string_view kNorm = "batchnorm";
  size_t at = 0;
  while (at < name.size() && !BeginsWithAnyCase(name.substr(at), kNorm)) ++at;
  if (at >= name.size()) return {};
  const size_t slash = name.rfind('/', at);
  return name.substr(0, slash == name.npos ? at : slash);
}

bool SaysNorm(std::string_view scope, std::string_view which) {
  return ContainsAnyCase(scope, std::string(which) + "norm") ||
         ContainsAnyCase(scope, std::string(which) + "_norm");
}

// Scopes whose parts tell which normalization they are, if their names do not: layer normalization
// computes moments like batch normalization, but keeps no moving averages of them.
struct NormParts {
  std::set<std::string_view> with_moments;
  std::set<std::string_view> with_averages;

  void Add(std::string_view name) {
    for (const std::string_view part : {"/moments/", "/AssignMovingAvg", "/moving_"}) {
      const size_t at = name.find(part);
      if (at == name.npos) continue;
      (part == "/moments/" ? with_moments : with_averages).insert(name.substr(0, at));
    }
  }
  bool IsLayerNorm(std::string_view scope) const {
    if (SaysNorm(scope, "layer")) return true;
    if (SaysNorm(scope, "batch")) return false;
    return with_moments.contains(scope) && !with_averages.contains(scope);
  }
};

// Returns batch normalization nodes if none of the graph is fused.
Result<std::vector<NodeId>> UnfusedBatchNorm(const Store& store, Context& context) {
  std::vector<NodeId> named;
  NormParts parts;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    if (IsWhole(store, NodeId(i))) return std::vector<NodeId>();
    const std::string_view name = store.Text(store.nodes[i].name);
    parts.Add(name);
    if (ContainsAnyCase(name, "batchnorm")) named.emplace_back(i);
  }
  std::erase_if(named, [&](NodeId node) {
    const std::string_view name = store.Text(store.nodes[node.value].name);
    return parts.IsLayerNorm(NormScope(name));
  });
  return named;
}

}  // namespace

Result<void> CheckOperations(const Checking& checking, std::vector<Finding>* findings) {
  const Store& store = *checking.store;
  TFPROF_ASSIGN(const auto accounts, checking.indexes.Get<NodeAccounts>(checking.context));
  TFPROF_ASSIGN(const auto sums,
                checking.indexes.Get<NodeSums>(PlaceFilter::Exact(), checking.context));
  const std::vector<NodeId> nhwc = NhwcOnAccelerator(store, *accounts);
  TFPROF_TRY(AddRunningNodes(checking, nhwc, TimesOfNodes(nhwc, *sums),
                             FindingId::nhwc_on_accelerator, kShares, findings));
  TFPROF_ASSIGN(const auto unfused, UnfusedBatchNorm(store, checking.context));
  return AddRunningNodes(checking, unfused, TimesOfNodes(unfused, *sums),
                         FindingId::unfused_batch_norm, kShares, findings);
}

}  // namespace tfprof
