// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/op_flops/known_op.h"

// FLOPs of one run of an operation, by its type. docs/flops.md is made from the table.

namespace tfprof {

enum class RuleSource : uint8_t {
  tensorflow,  // the statistics that TensorFlow registers; the same values
  ours,        // counted from the definition of the operation
};

struct FlopRule {
  std::string_view types;  // separated by spaces
  // Returns the FLOPs; kNoInt: a size is not known. `factor`: of the row.
  int64_t (*flops)(const KnownOp& op, int64_t factor);
  int64_t factor = 0;
  // For readers. in, in2, ...: elements of the inputs; out: elements of the first output.
  std::string_view formula;
  RuleSource source = RuleSource::ours;
};

std::span<const FlopRule> FlopRules();

// Returns the rule of a type; null: there is none. A type of the oneDNN library (_Mkl...) has the
// rule of the operation that it replaces.
const FlopRule* FindFlopRule(std::string_view type);

// Calls use(type) for each of the types of a rule.
template <class Use>
void EachType(std::string_view types, Use use) {
  while (!types.empty()) {
    const size_t space = types.find(' ');
    use(types.substr(0, space));
    types = space == types.npos ? std::string_view() : types.substr(space + 1);
  }
}

// Returns find(type) or, for a type of the oneDNN library, that of the type behind its prefix. What
// is `FusedX` behind a prefix is `_FusedX` without.
template <class Find>
auto FindByType(std::string_view type, Find find) {
  auto found = find(type);
  if (found != nullptr || !type.starts_with("_Mkl")) return found;
  for (const std::string_view prefix : {"_MklNative", "_Mkl"}) {
    if (found != nullptr || !type.starts_with(prefix)) continue;
    const std::string plain(type.substr(prefix.size()));
    found = find(plain);
    if (found == nullptr) found = find("_" + plain);
  }
  return found;
}

// FLOPs of one run; kNoInt: there is no rule, or a size is not known.
int64_t FlopsOf(const KnownOp& op);

}  // namespace tfprof
