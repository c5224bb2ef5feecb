// SPDX-License-Identifier: Apache-2.0
#include "capture/model/scopes.h"

namespace tfprof::capture {

std::string RangePath(std::string_view around, std::string_view name) {
  std::string path(around);
  path += around.empty() ? "//" : "/";
  path += name.empty() ? "?" : "";
  for (size_t i = 0; i < name.size(); ++i)
    path += name[i] == '/' && !Nests(name, i) ? '_' : name[i];
  return path;
}

Scopes::Scope* Scopes::Add(ScopeId parent, uint32_t name_id, ScopeId* id) {
  const auto [found, is_new] = inside_.try_emplace(uint64_t{parent} << 32 | name_id);
  if (is_new) found->second = static_cast<ScopeId>(scopes_.size());
  *id = found->second;
  if (!is_new) return nullptr;
  const uint32_t depth = scopes_[parent].depth + 1;
  Scope& scope = scopes_.emplace_back();
  scope.depth = depth;
  if (parent != kNoScope) scope.path = scopes_[parent].path + "/";
  return &scope;
}

ScopeId Scopes::Inside(ScopeId parent, uint32_t name_id, const NameFacts& name) {
  if (scopes_[parent].depth == kMostDepth) return parent;
  ScopeId id = kNoScope;
  if (Scope* scope = Add(parent, name_id, &id)) {
    const std::string component = ScopeComponent(name.base);
    scope->path += component;
    const Scope& around = scopes_[parent];
    const bool in_framework = around.ranges.empty() && parent != kNoScope;
    scope->ranges = RangePath(in_framework ? "//" + around.path : around.ranges, name.base);
    scope->op = scope->path + ":" + TypeOf(component.substr(component.rfind('/') + 1));
    scope->is_operation = name.is_torch_op;
  }
  return id;
}

ScopeId Scopes::Operation(ScopeId parent, uint32_t name_id, const NameFacts& name) {
  ScopeId id = kNoScope;
  if (Scope* scope = Add(parent, name_id, &id)) {
    scope->path += name.op_path;
    scope->op = scope->path + ":" + name.op_type;
    scope->is_operation = true;
  }
  return id;
}

}  // namespace tfprof::capture
