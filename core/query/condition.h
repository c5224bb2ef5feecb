// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// One term of -where: COLUMN OP VALUE, OP one of = != < <= > >= ~ (~ is a regular expression).
struct Where {
  std::string column;
  std::string op;
  std::string value;
  bool original = false;  // a bare number is in the unit of -ids original
  ValuePart part = {};    // its place in the value of -where
};

// The condition of -where. The default holds for every row.
struct Condition {
  enum class Kind : uint8_t { all, any, none, term };  // of `parts`; none has one part
  Kind kind = Kind::all;
  Where term = {};
  std::vector<Condition> parts = {};

  bool empty() const { return kind != Kind::term && parts.empty(); }
};

// Conditions nest at most this deep, so that functions may recurse on them.
constexpr int kMaxNesting = 32;

// The condition that all of these terms hold.
inline Condition AllOf(std::vector<Where> terms) {
  Condition all;
  for (Where& term : terms) {
    all.parts.push_back({.kind = Condition::Kind::term, .term = std::move(term)});
  }
  return all;
}

// Calls `visit` with each term, in the order of the text.
void EachTerm(auto& condition, const auto& visit) {
  if (condition.kind == Condition::Kind::term) visit(condition.term);
  for (auto& part : condition.parts) EachTerm(part, visit);
}

// Parses terms that are joined by `and`, `or`, `not` (in any case; `and` binds closer than `or`)
// and parentheses.
// - A value ends before `and` or `or` if a comparison follows, and before a ) that closes a
//   condition: `name = salt and pepper` is one term. Balanced parentheses in it belong to it.
// - A value in quotes ends at the second one; a doubled quote is one character of it.
// Error: usage, with the wrong part of `text`.
Result<Condition> ParseCondition(std::string_view text);

// The position in an incomplete condition where its last term begins.
size_t LastTerm(std::string_view text);

// Prints a condition that parses to the same one. Values that would be read differently are quoted.
std::string PrintCondition(const Condition& condition);

}  // namespace tfprof
