// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/op_kinds.h"

#include <algorithm>
#include <iterator>

#include "core/store/op_name.h"

namespace tfprof {
namespace {

constexpr std::string_view kVariables[] = {"Variable", "VariableV2", "AutoReloadVariable",
                                           "VarHandleOp"};
constexpr std::string_view kTrainable = "_trainable_variables";  // in op logs

constexpr std::string_view kCalls[] = {"While", "StatelessWhile", "If",         "StatelessIf",
                                       "Case",  "StatelessCase",  "RemoteCall", "SymbolicGradient"};
constexpr std::string_view kCallEnding = "PartitionedCall";  // also Stateful..., TPU...

template <size_t kCount>
bool IsOneOf(const std::string_view (&names)[kCount], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

bool IsVariable(const Store& store, const Node& node) {
  if (node.parameter.rank == ShapeRef::kNoInformation) return false;
  if (IsOneOf(kVariables, store.Text(node.type))) return true;
  const auto types = store.node_types.Rows(node.types.first, node.types.count);
  return std::any_of(types.begin(), types.end(),
                     [&](NameId type) { return store.Text(type) == kTrainable; });
}

bool IsCall(std::string_view type) { return type.ends_with(kCallEnding) || IsOneOf(kCalls, type); }

bool CallsOthers(const Store& store, const Node& node) {
  std::string_view type = store.Text(node.type);
  if (node.type == node.name) {
    type = DerivedType(type);
  } else if (const size_t slash = type.rfind('/'); slash != type.npos) {
    type.remove_prefix(slash + 1);
  }
  return IsCall(type);
}

}  // namespace tfprof
