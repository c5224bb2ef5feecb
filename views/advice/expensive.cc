// SPDX-License-Identifier: Apache-2.0
// ExpensiveOperationChecker: the operation types and the scope that most of the time goes to, and
// what is unusual about them.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/ops/async_done.h"
#include "views/advice/evidence.h"
#include "views/advice/input_cause.h"
#include "views/advice/thresholds.h"
#include "views/advice/whole_time.h"
#include "views/steps/advice.h"

namespace tfprof {
namespace {

constexpr double kAlone = 50;      // percent of its type's time, of a node that is told
constexpr int64_t kManyRuns = 10;  // of one node in a step
constexpr double kShortUs = 10;    // of one run
constexpr size_t kTypes = 3;
constexpr std::string_view kLookAtAwaited =
    "look at what it waits for, which is what to make shorter or to start earlier: `transfers`, or "
    "`timeline OUT.json`";

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
    cost.times = TimesOf(cost.nodes, sums);
    for (const NodeId node : cost.nodes) {
      for (size_t i = 0; i < kMeasures; ++i) {
        cost.values[i] = WrapAdd(cost.values[i], sums.values[node.value][i]);
      }
    }
    if (cost.times.nodes > 0) types.push_back(std::move(cost));
  }
  std::stable_sort(types.begin(), types.end(), [](const TypeCost& a, const TypeCost& b) {
    return a.times.time > b.times.time;
  });
  return types;
}

std::string Unusual(const Store& store, const TypeCost& cost) {
  const NodeTimes& times = cost.times;
  const int64_t runs = At(cost.values, Measure::run_count);
  const int64_t cpu = At(cost.values, Measure::cpu_micros);
  const int64_t accelerator = At(cost.values, Measure::accelerator_micros);
  std::string text;
  if (Awaits({}, store.Text(cost.type))) text += fmt::format("; {}", kSaidOfAwaiting);
  if (times.nodes > 1 && Percent(times.costliest_time, times.time) >= kAlone) {
    text += fmt::format("; {} of it is {} alone", PercentText(times.costliest_time, times.time),
                        NodeName(store, times.costliest));
  }
  const double us = static_cast<double>(times.time) / static_cast<double>(TimesPerUs(store));
  if (runs >= kManyRuns * times.nodes && us < kShortUs * static_cast<double>(runs)) {
    text += fmt::format("; {} runs, ", runs);
    AppendHumanReal(us / static_cast<double>(runs), Unit::us, &text);
    text += " each";
  }
  if (accelerator > 0 && cpu > accelerator) {
    text += fmt::format("; more on the cpu ({}) than on the accelerator ({})", NodeTime(store, cpu),
                        NodeTime(store, accelerator));
  }
  return text;
}

// What times are weighed against.
struct Wholes {
  int64_t operations = 0;  // of all of them
  WholeTime of_trace = {};

  bool IsMuch(int64_t time, double of_operations) const {
    if (Percent(time, operations) < of_operations) return false;
    return of_trace.ps == 0 || of_trace.Percent(time) >= kTypeEnough;
  }
  bool IsMost(int64_t time) const {
    return of_trace.ps == 0 ? Percent(time, operations) >= kScopeEnough
                            : of_trace.Percent(time) >= kScopeEnough;
  }
  std::string Said(int64_t time) const {
    return fmt::format("takes {} of the time of all operations{}", PercentText(time, operations),
                       of_trace.Said(time));
  }
};

// What InputBoundChecker tells of a trace, whose operations then need no findings of their own.
struct InputCause {
  double percent = 0;  // of the steps that is input; 0: that checker finds nothing
  bool is_python = false;

  // Whether a type, or a single operation of it, takes about the time that steps wait for.
  bool Tells(std::string_view type, double steps_percent) const {
    constexpr double kAboutAll = 0.8;
    if (percent < kSomeInput || percent < kAboutAll * steps_percent) return false;
    return type == "Dataset" || (is_python && RunsPython(type));
  }
};

Result<InputCause> CauseOf(const Checking& checking) {
  InputCause cause;
  if (checking.trace == nullptr || !WaitForInput(checking.trace->whole)) return cause;
  TFPROF_ASSIGN(const InputOps ops, OpsOfWaiting(checking, {}));
  cause.percent = SharesOf(checking.trace->whole).of(StepPart::input);
  cause.is_python = ops.of_costliest.IsPython();
  return cause;
}

Finding DescribeType(const Store& store, const TypeCost& cost, const Wholes& wholes) {
  const std::string_view type = store.Text(cost.type);
  const std::string expression = ExpressionFor(type);
  const bool awaits = Awaits({}, type);
  return {.severity = awaits                           ? Severity::info
                      : wholes.IsMost(cost.times.time) ? Severity::medium
                                                       : Severity::low,
          .what = fmt::format("{} {}", type, wholes.Said(cost.times.time)),
          .evidence = fmt::format("{} in {}{}", NodeTime(store, cost.times.time),
                                  Counted(cost.times.nodes, "operation"), Unusual(store, cost)),
          .command = fmt::format("op -show_name_regexes {} -select micros,occurrence",
                                 expression.empty() ? ".*" : expression),
          .to_do = awaits ? kLookAtAwaited : std::string_view()};
}

// The scope that holds most of the time, as deep as it still does; 0: there is none.
uint32_t DeepestScope(const ScopeTree& tree, const TreeTotals& totals, int64_t all_time) {
  uint32_t scope = 0;
  while (true) {
    uint32_t largest = 0;
    int64_t most = -1;
    for (uint32_t row = scope + 1; row < tree.end[scope]; row = tree.end[row]) {
      const int64_t time = At(totals.values[row], Measure::micros);
      if (time > most) largest = row;
      most = std::max(most, time);
    }
    if (largest == 0 || Percent(most, all_time) < kScopeEnough) return scope;
    scope = largest;
  }
}

Result<void> AddScope(const Checking& checking, const Wholes& wholes, const InputCause& cause,
                      std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto tree, checking.indexes.Scopes(checking.context));
  TFPROF_ASSIGN(const auto totals, checking.indexes.TotalsOfScopes(-1, checking.context));
  const uint32_t scope = DeepestScope(*tree, *totals, wholes.operations);
  if (scope == 0) return {};
  const ScopeTree::Name part = tree->names[scope];
  const std::string_view name = checking.store->Text(part.name).substr(0, part.length);
  const int64_t time = At(totals->values[scope], Measure::micros);
  if (!wholes.IsMuch(time, kScopeEnough)) return {};
  const bool leaf = tree->end[scope] == scope + 1;
  const int64_t nodes = At(totals->values[scope], Measure::definition_count);
  Finding finding{
      .severity = Severity::info,
      .what =
          fmt::format("{} {} {}", leaf ? "the operation" : "the scope", name, wholes.Said(time)),
      .evidence = leaf ? fmt::format("{} in one operation", NodeTime(*checking.store, time))
                       : fmt::format("{} in {} nodes and scopes, none of which has half of all",
                                     NodeTime(*checking.store, time), nodes),
      .command = NodeCommand(name, "micros")};
  std::vector<NodeId> within;
  for (uint32_t row = scope; row < tree->end[scope]; ++row) {
    if (tree->node[row].some()) within.push_back(tree->node[row]);
  }
  TFPROF_TRY(SetCostOfRunning(checking, within, &finding));
  const NodeId node = tree->node[scope];
  if (leaf && node.some()) {
    const std::string_view type = checking.store->Text(checking.store->nodes[node.value].type);
    if (cause.Tells(type, wholes.of_trace.Percent(time))) finding.told_by = "InputBoundChecker";
  }
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace

Result<void> CheckExpensiveOperations(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto sums, checking.indexes.Sums(-1, checking.context));
  TFPROF_ASSIGN(const auto groups, checking.indexes.Ops(checking.context));
  const std::vector<TypeCost> types = CostOfTypes(*groups, *sums);
  const size_t before = findings->size();
  Wholes wholes{.of_trace = WholeTimeOf(checking.trace)};
  for (const TypeCost& type : types) {
    wholes.operations = WrapAdd(wholes.operations, type.times.time);
  }
  TFPROF_ASSIGN(const InputCause cause, CauseOf(checking));
  for (size_t i = 0; i < std::min(kTypes, types.size()); ++i) {
    if (!wholes.IsMuch(types[i].times.time, kTypeEnough)) break;
    Finding finding = DescribeType(*checking.store, types[i], wholes);
    TFPROF_TRY(SetCostOfRunning(checking, types[i].nodes, &finding));
    const std::string_view type = checking.store->Text(types[i].type);
    if (cause.Tells(type, wholes.of_trace.Percent(types[i].times.time))) {
      finding.told_by = "InputBoundChecker";
    }
    findings->push_back(std::move(finding));
  }
  TFPROF_TRY(AddScope(checking, wholes, cause, findings));
  if (CountOf(ContentsOf(*checking.store), "code") == 0) return {};
  for (size_t i = before; i < findings->size(); ++i) {
    (*findings)[i].also = "; `code` tells which lines make it";
  }
  return {};
}

}  // namespace tfprof
