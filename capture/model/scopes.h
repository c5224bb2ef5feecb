// SPDX-License-Identifier: Apache-2.0
// Paths of nested ranges, each a small number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/model/name_facts.h"

namespace tfprof::capture {

using ScopeId = uint32_t;
inline constexpr ScopeId kNoScope = 0;

// The path of a range, or of work, inside the path of the ranges around it, which may be empty.
// Paths are split at '/': a range "encoder/layer0" is two scopes. One that separates no texts
// becomes '_'.
std::string RangePath(std::string_view around, std::string_view name);

class Scopes {
 public:
  Scopes() : scopes_(1) {}

  // The scope of a region of this name, by its ID, inside `parent`. Ranges that are never closed do
  // not nest deeper than kMostDepth: paths would grow with the square of their number.
  ScopeId Inside(ScopeId parent, uint32_t name_id, const NameFacts& name);
  // The scope of an operation of a framework, with a path and a type of its own.
  ScopeId Operation(ScopeId parent, uint32_t name_id, const NameFacts& name);

  const std::string& PathOf(ScopeId scope) const { return scopes_[scope].path; }
  // The names of the ranges as the program gives them, "//forward/aten::mm"; empty: the path has
  // them, as an operation of a framework has a path of its own.
  const std::string& RangesOf(ScopeId scope) const { return scopes_[scope].ranges; }
  // "path:type", the form of operations in traces.
  const std::string& OpOf(ScopeId scope) const { return scopes_[scope].op; }
  // True: device work is the operation itself. False: it is one of several in the region.
  bool IsOperation(ScopeId scope) const { return scopes_[scope].is_operation; }

 private:
  static constexpr uint32_t kMostDepth = 48;
  struct Scope {
    std::string path;
    std::string ranges;
    std::string op;
    uint32_t depth = 0;
    bool is_operation = false;
  };
  // Null: there it is already.
  Scope* Add(ScopeId parent, uint32_t name_id, ScopeId* id);

  std::vector<Scope> scopes_;
  std::unordered_map<uint64_t, ScopeId> inside_;  // by parent << 32 | name
};

}  // namespace tfprof::capture
