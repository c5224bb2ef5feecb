// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/initializers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tfprof {
namespace {

constexpr std::string_view kAssignments[] = {"Assign", "AssignVariableOp"};
// What comes from outside of the graph, or changes between runs of it.
constexpr std::string_view kOutside[] = {
    "Placeholder",        "PlaceholderV2",      "PlaceholderWithDefault",
    "ReadVariableOp",     "Variable",           "VariableV2",
    "AutoReloadVariable", "VarHandleOp",        "IteratorV2",
    "QueueDequeueV2",     "QueueDequeueManyV2", "PyFunc",
    "EagerPyFunc",        "RestoreV2",          "_Arg",
    "ResourceGather"};

template <size_t kCount>
bool IsIn(const std::string_view (&names)[kCount], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

// Consumers of the operations of a graph, without those that only take a variable to assign to.
struct Consumers {
  std::vector<uint32_t> first;  // by operation, and the end
  std::vector<uint32_t> list;
};

template <class Use>
void EachValueInput(const GraphOps& graph, uint32_t op, Use use) {
  const GraphOp& of = graph.ops[op];
  uint32_t number = 0;
  for (const uint32_t at : of.inputs) {
    const bool is_variable = number++ == 0 && IsIn(kAssignments, of.type);
    if (!is_variable && graph.inputs[at].op != kNoRow) use(graph.inputs[at].op);
  }
}

Consumers FindConsumers(const GraphOps& graph, std::span<const uint32_t> ops) {
  Consumers found;
  found.first.resize(graph.ops.size() + 1);
  for (const uint32_t op : ops) {
    EachValueInput(graph, op, [&](uint32_t producer) { ++found.first[producer + 1]; });
  }
  for (size_t i = 1; i < found.first.size(); ++i) found.first[i] += found.first[i - 1];
  found.list.resize(found.first.back());
  std::vector<uint32_t> next(found.first.begin(), found.first.end() - 1);
  for (const uint32_t op : ops) {
    EachValueInput(graph, op, [&](uint32_t producer) { found.list[next[producer]++] = op; });
  }
  return found;
}

// Marks what depends on anything outside.
std::vector<bool> FindDependent(const GraphOps& graph, std::span<const uint32_t> ops,
                                const Consumers& consumers) {
  std::vector<bool> dependent(graph.ops.size());
  std::vector<uint32_t> open;
  const auto mark = [&](uint32_t op) {
    if (!dependent[op]) open.push_back(op);
    dependent[op] = true;
  };
  for (const uint32_t op : ops) {
    if (IsIn(kOutside, graph.ops[op].type)) mark(op);
  }
  while (!open.empty()) {
    const uint32_t op = open.back();
    open.pop_back();
    for (uint32_t i = consumers.first[op]; i < consumers.first[op + 1]; ++i) {
      mark(consumers.list[i]);
    }
  }
  return dependent;
}

}  // namespace

std::vector<bool> FindInitializers(const GraphOps& graph, std::span<const uint32_t> ops) {
  const Consumers consumers = FindConsumers(graph, ops);
  const std::vector<bool> dependent = FindDependent(graph, ops, consumers);
  // An operation joins once all of its consumers did.
  std::vector<uint32_t> left(graph.ops.size());
  std::vector<bool> found(graph.ops.size());
  std::vector<uint32_t> open;
  for (const uint32_t op : ops) {
    left[op] = consumers.first[op + 1] - consumers.first[op];
    found[op] = IsIn(kAssignments, graph.ops[op].type) && !dependent[op];
    if (found[op]) open.push_back(op);
  }
  while (!open.empty()) {
    const uint32_t op = open.back();
    open.pop_back();
    EachValueInput(graph, op, [&](uint32_t producer) {
      if (--left[producer] > 0 || found[producer]) return;
      found[producer] = true;
      open.push_back(producer);
    });
  }
  return found;
}

}  // namespace tfprof
