// SPDX-License-Identifier: Apache-2.0
// Paths of nested ranges, each a small number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfprof::capture {

using ScopeId = uint32_t;
inline constexpr ScopeId kNoScope = 0;

class Scopes {
 public:
  Scopes() : scopes_(1) {}

  // The scope of a range of this name, by its ID, inside `parent`. Ranges that are never closed do
  // not nest deeper than kMostDepth: paths would grow with the square of their number.
  ScopeId Inside(ScopeId parent, uint32_t name_id, std::string_view name);

  const std::string& PathOf(ScopeId scope) const { return scopes_[scope].path; }
  // "path:type", the form of operations in traces.
  const std::string& OpOf(ScopeId scope) const { return scopes_[scope].op; }

 private:
  static constexpr uint32_t kMostDepth = 48;
  struct Scope {
    std::string path;
    std::string op;
    uint32_t depth = 0;
  };
  std::vector<Scope> scopes_;
  std::unordered_map<uint64_t, ScopeId> inside_;  // by parent << 32 | name
};

}  // namespace tfprof::capture
