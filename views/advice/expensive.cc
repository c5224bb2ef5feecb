// SPDX-License-Identifier: Apache-2.0
// ExpensiveOperationChecker: the operation types and the scope with most of the time, and what is
// unusual about them.
#include <algorithm>

#include "analysis/contents.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/scope_tree.h"
#include "analysis/nodes/tree_totals.h"
#include "analysis/ops/async_done.h"
#include "core/base/sorting.h"
#include "views/advice/evidence.h"
#include "views/advice/input_cause.h"
#include "views/advice/thresholds.h"
#include "views/advice/total_time.h"

namespace tfprof {
namespace {

constexpr double kAlone = 50;      // percent of the type's time, above which a node is named
constexpr int64_t kManyRuns = 10;  // of one node in a step
constexpr double kShortUs = 10;    // of one run
constexpr size_t kTypes = 3;

struct TypeCost {
  NameId type;
  std::vector<NodeId> nodes;
  MeasureValues values{};
  NodeTimes times;
};

std::vector<TypeCost> CostOfTypes(const OpGroups& groups, const NodeSums& sums) {
  std::vector<TypeCost> types;
  for (size_t group = 0; group < groups.type.size(); ++group) {
    const uint32_t first = groups.first_node[group];
    const auto nodes = groups.nodes.Rows(first, groups.first_node[group + 1] - first);
    TypeCost cost{groups.type[group], {nodes.begin(), nodes.end()}, {}, {}};
    cost.times = TimesOfNodes(cost.nodes, sums);
    for (const NodeId node : cost.nodes) AddValues(sums.values[node.value], &cost.values);
    if (cost.times.nodes > 0) types.push_back(std::move(cost));
  }
  StableSort(types,
             [](const TypeCost& a, const TypeCost& b) { return a.times.time > b.times.time; });
  return types;
}

// Adds what is unusual about it.
void AddUnusual(const Store& store, const TypeCost& cost, Finding* finding) {
  const NodeTimes& times = cost.times;
  const MeasureScale scale = ScaleOf(store, PlaceFilter::Exact());
  const int64_t runs = At(cost.values, Measure::run_count);  // in all steps
  const int64_t cpu = At(cost.values, Measure::cpu_micros);
  const int64_t accelerator = At(cost.values, Measure::accelerator_micros);
  std::vector<Value>& values = finding->values;
  if (times.nodes > 1 && Percent(times.costliest_time, times.time) >= kAlone) {
    values.push_back(Share("costliest_share", times.costliest_time, times.time));
    values.push_back(Text("costliest", NodeName(store, times.costliest)));
  }
  const double us = static_cast<double>(times.time) / static_cast<double>(scale.TimesPerUs());
  if (runs >= kManyRuns * times.nodes * scale.divisor &&
      us < kShortUs * static_cast<double>(runs)) {
    values.push_back(Number("runs", runs / scale.divisor));
    values.push_back({"each", us / static_cast<double>(runs), Unit::us});
  }
  if (accelerator > 0 && cpu > accelerator) {
    values.push_back(NodeTime("cpu", store, cpu));
    values.push_back(NodeTime("accelerator", store, accelerator));
  }
}

// The denominators of shares.
struct ShareTotals {
  int64_t operations = 0;  // total of all operations
  TotalTime of_trace = {};

  bool IsSubstantial(int64_t time, double of_operations) const {
    if (Percent(time, operations) < of_operations) return false;
    return of_trace.ps == 0 || of_trace.Percent(time) >= kTypeShareThreshold;
  }
  bool IsMajority(int64_t time) const {
    return of_trace.ps == 0 ? Percent(time, operations) >= kScopeThreshold
                            : of_trace.Percent(time) >= kScopeThreshold;
  }
  void AddShares(int64_t time, Finding* finding) const {
    finding->values.push_back(Share("share", time, operations));
    finding->values.push_back(of_trace.ShareOf(time));
  }
};

// The finding input_bound of a trace; operations that explain it need no separate findings.
struct InputCause {
  double percent = 0;  // input, in percent of the steps; 0: no such finding
  bool is_python = false;

  // True if a type, or a single operation of it, takes about as long as the steps' input stalls.
  bool Explains(std::string_view type, double steps_percent) const {
    constexpr double kAboutAll = 0.8;
    if (percent < kModerateInput || percent < kAboutAll * steps_percent) return false;
    return type == "Dataset" || (is_python && RunsPython(type));
  }
};

Result<InputCause> CauseOf(const Checking& checking) {
  InputCause cause;
  if (checking.trace == nullptr || !WaitsForInput(checking.trace->steps)) return cause;
  TFPROF_ASSIGN(const InputOps ops, OpsOfWaiting(*checking.trace, {}));
  cause.percent = SharesOf(checking.trace->steps).of(StepPart::input);
  cause.is_python = ops.of_costliest.IsPython();
  return cause;
}

Finding DescribeType(const Store& store, const TypeCost& cost, const ShareTotals& share_totals) {
  const std::string_view type = store.Text(cost.type);
  const bool is_async_done = IsAsyncDone({}, type);
  // In a trace other findings show what the wall time goes into.
  const bool matters = share_totals.of_trace.ps == 0 && share_totals.IsMajority(cost.times.time);
  Finding finding{
      .id = is_async_done ? FindingId::dominant_async_done_type : FindingId::dominant_type,
      .severity = is_async_done ? Severity::info
                  : matters     ? Severity::medium
                                : Severity::low,
      .values = {Text("type", type), Pattern("pattern", type),
                 NodeTime("time", store, cost.times.time), Number("operations", cost.times.nodes)}};
  share_totals.AddShares(cost.times.time, &finding);
  AddUnusual(store, cost, &finding);
  return finding;
}

// Returns the deepest scope that still holds most of the time; 0: none.
uint32_t DeepestScope(const ScopeTree& tree, const TreeTotals& totals, int64_t all_time) {
  uint32_t scope = 0;
  while (true) {
    uint32_t largest = 0;
    int64_t max = -1;
    for (uint32_t row = scope + 1; row < tree.end[scope]; row = tree.end[row]) {
      const int64_t time = At(totals.values[row], Measure::micros);
      if (time > max) largest = row;
      max = std::max(max, time);
    }
    if (largest == 0 || Percent(max, all_time) < kScopeThreshold) return scope;
    scope = largest;
  }
}

Result<void> AddScope(const Checking& checking, const ShareTotals& share_totals,
                      const InputCause& cause, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto tree, checking.indexes.Get<ScopeTree>(checking.context));
  TFPROF_ASSIGN(const auto totals,
                checking.indexes.Get<ScopeTotals>(PlaceFilter::Exact(), checking.context));
  const uint32_t scope = DeepestScope(*tree, *totals, share_totals.operations);
  if (scope == 0) return {};
  const ScopeTree::Name part = tree->names[scope];
  const std::string_view name = checking.store->Text(part.name).substr(0, part.length);
  const int64_t time = At(totals->values[scope], Measure::micros);
  if (!share_totals.IsSubstantial(time, kScopeThreshold)) return {};
  const bool leaf = tree->end[scope] == scope + 1;
  const int64_t nodes = At(totals->values[scope], Measure::definition_count);
  Finding finding{
      .id = FindingId::dominant_scope,
      .values = {When("is_scope", !leaf), When("is_operation", leaf), Text("scope", name),
                 Pattern("pattern", name), DepthOf(name), NodeTime("time", *checking.store, time),
                 Number("parts", leaf ? kNoInt : nodes)}};
  share_totals.AddShares(time, &finding);
  std::vector<NodeId> within;
  for (uint32_t row = scope; row < tree->end[scope]; ++row) {
    if (tree->node[row].some()) within.push_back(tree->node[row]);
  }
  TFPROF_ASSIGN(finding.cost_ps, MeanTimeRunning(checking, within));
  const NodeId node = tree->node[scope];
  if (leaf && node.some()) {
    const std::string_view type = checking.store->Text(checking.store->nodes[node.value].type);
    if (cause.Explains(type, share_totals.of_trace.Percent(time))) {
      finding.explained_by = {FindingId::input_bound};
    }
  }
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace

Result<void> CheckExpensiveOperations(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto sums,
                checking.indexes.Get<NodeSums>(PlaceFilter::Exact(), checking.context));
  TFPROF_ASSIGN(const auto groups, checking.indexes.Get<OpGroups>(checking.context));
  const std::vector<TypeCost> types = CostOfTypes(*groups, *sums);
  const size_t before = findings->size();
  ShareTotals share_totals{.of_trace = TotalTimeOf(checking)};
  for (const TypeCost& type : types) {
    share_totals.operations = SaturatingAdd(share_totals.operations, type.times.time);
  }
  TFPROF_ASSIGN(const InputCause cause, CauseOf(checking));
  for (size_t i = 0; i < std::min(kTypes, types.size()); ++i) {
    if (!share_totals.IsSubstantial(types[i].times.time, kTypeShareThreshold)) break;
    Finding finding = DescribeType(*checking.store, types[i], share_totals);
    TFPROF_ASSIGN(finding.cost_ps, MeanTimeRunning(checking, types[i].nodes));
    const std::string_view type = checking.store->Text(types[i].type);
    if (cause.Explains(type, share_totals.of_trace.Percent(types[i].times.time))) {
      finding.explained_by = {FindingId::input_bound};
    }
    findings->push_back(std::move(finding));
  }
  TFPROF_TRY(AddScope(checking, share_totals, cause, findings));
  const bool has_code = CountOf(ContentsOf(*checking.store), "code") > 0;
  for (size_t i = before; i < findings->size(); ++i) {
    (*findings)[i].values.push_back(When("code", has_code));
  }
  return {};
}

}  // namespace tfprof
