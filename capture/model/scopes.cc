// SPDX-License-Identifier: Apache-2.0
#include "capture/model/scopes.h"

#include "capture/model/name_facts.h"

namespace tfprof::capture {

ScopeId Scopes::Inside(ScopeId parent, uint32_t name_id, std::string_view name) {
  if (scopes_[parent].depth == kMostDepth) return parent;
  const auto [found, is_new] = inside_.try_emplace(uint64_t{parent} << 32 | name_id);
  if (!is_new) return found->second;
  const std::string component = ScopeComponent(name);
  Scope scope;
  scope.path = parent == kNoScope ? component : scopes_[parent].path + "/" + component;
  scope.op = scope.path + ":" + TypeOf(component);
  scope.depth = scopes_[parent].depth + 1;
  found->second = static_cast<ScopeId>(scopes_.size());
  scopes_.push_back(std::move(scope));
  return found->second;
}

}  // namespace tfprof::capture
