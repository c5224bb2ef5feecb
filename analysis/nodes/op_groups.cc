// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/op_groups.h"

#include <algorithm>

#include "core/base/sorting.h"

namespace tfprof {
namespace {

// An absent type counts as the empty type.
uint32_t TypeOf(const Node& node) { return node.type.some() ? node.type.value : 0; }

// Returns the types in use, ascending by bytes. A graph has a few dozen, but as many as nodes if
// runs were recorded without one.
Result<Column<NameId>> TypesInUse(const Store& store, const Column<uint32_t>& uses,
                                  Context& context) {
  Column<NameId> types;
  for (uint32_t name = 0; name < uses.size(); ++name) {
    if (uses[name] != 0) types.Push(NameId(name));
  }
  const auto before = [&](NameId a, NameId b) { return store.names[a] < store.names[b]; };
  TFPROF_TRY(PolledSort(std::span(types.begin(), types.size()), before, context));
  return types;
}

}  // namespace

Result<OpGroups> OpGroups::Build(const Store& store, Context& context) {
  TFPROF_TRY(Poll(context));
  Column<uint32_t> uses;
  uses.Resize(store.names.size(), 0);
  for (const Node& node : store.nodes) ++uses[TypeOf(node)];

  OpGroups groups;
  TFPROF_ASSIGN(groups.type, TypesInUse(store, uses, context));
  TFPROF_TRY(Poll(context));
  Column<uint32_t>& next = uses;  // by name: the position of the next node of that type
  uint32_t first = 0;
  for (const NameId type : groups.type) {
    groups.first_node.Push(first);
    const uint32_t count = uses[type.value];
    next[type.value] = first;
    first += count;
  }
  groups.first_node.Push(first);

  groups.nodes.Resize(store.nodes.size());
  for (uint32_t i = 0; i < store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    groups.nodes[next[TypeOf(store.nodes[i])]++] = NodeId(i);
  }
  return groups;
}

}  // namespace tfprof
