// SPDX-License-Identifier: Apache-2.0
#include "core/query/condition.h"

#include <algorithm>
#include <optional>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

constexpr std::string_view kQuoteMarks = "\"'";
constexpr std::string_view kOperatorChars = "=!<>~";
constexpr size_t kUnpaired = std::string_view::npos;

bool IsSpace(char c) { return kWhitespace.find(c) != kWhitespace.npos; }
bool IsQuoteMark(char c) { return kQuoteMarks.find(c) != kQuoteMarks.npos; }

// The position of the ) of each (. An escaped one, as in \(, is a letter.
std::vector<size_t> PairParentheses(std::string_view text) {
  std::vector<size_t> closing(text.size(), kUnpaired), open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '(') {
      open.push_back(i);
    } else if (text[i] == ')' && !open.empty()) {
      closing[open.back()] = i;
      open.pop_back();
    }
  }
  return closing;
}

// The length of `word` if it is at `at` and ends there; else 0.
size_t WordAt(std::string_view text, size_t at, std::string_view word) {
  if (!EqualAnyCase(text.substr(std::min(at, text.size()), word.size()), word)) return 0;
  const size_t end = at + word.size();
  const bool ends = end == text.size() || IsSpace(text[end]) || text[end] == '(' ||
                    kOperatorChars.find(text[end]) != kUnpaired;
  return ends ? word.size() : 0;
}

// The length of `and` or `or` at `at`, as a separate word; else 0. `begins`: a word begins there.
size_t ConnectiveAt(std::string_view text, size_t at, bool begins = false) {
  if (!begins && at > 0 && !IsSpace(text[at - 1])) return 0;
  return std::max(WordAt(text, at, "and"), WordAt(text, at, "or"));
}

class ConditionParser {
 public:
  explicit ConditionParser(std::string_view text) : text_(text), closing_(PairParentheses(text)) {}

  Result<Condition> Parse() {
    TFPROF_ASSIGN(Condition condition, Any(0));
    if (at_ == text_.size()) return condition;
    return Wrong(at_, text_.size(), "'and' or 'or' is missing before this", "");
  }

 private:
  Failure Wrong(size_t begin, size_t end, std::string what, std::string hint) const {
    Error error{ErrorKind::usage, std::move(what), {}, std::move(hint)};
    error.part = {0, begin, end};
    return Failure(std::move(error));
  }
  Failure NoTerm(size_t begin) const {
    size_t end = begin;
    do {
      ++end;
    } while (end < text_.size() && text_[end] != ')' && ConnectiveAt(text_, end) == 0);
    const std::string typed(Trimmed(text_.substr(std::min(begin, text_.size()), end - begin)));
    return Wrong(begin, begin + typed.size(), "'" + typed + "' is not COLUMN OP VALUE",
                 "for example 'time_us >= 1ms and (name ~ conv or name ~ pool)'; OP is one of = != "
                 "< <= > >= ~");
  }

  void SkipSpaces() { at_ = std::min(text_.find_first_not_of(kWhitespace, at_), text_.size()); }

  // Reads `word` if it is next.
  bool Take(std::string_view word) {
    SkipSpaces();
    const size_t length = WordAt(text_, at_, word);
    at_ += length;
    return length > 0;
  }

  // Parts that `word` joins.
  template <class Part>
  Result<Condition> Joined(Condition::Kind kind, std::string_view word, const Part& part) {
    TFPROF_ASSIGN(Condition first, part());
    if (!Take(word)) return first;
    Condition joined{.kind = kind};
    joined.parts.push_back(std::move(first));
    do {
      TFPROF_ASSIGN(Condition next, part());
      joined.parts.push_back(std::move(next));
    } while (Take(word));
    return joined;
  }
  Result<Condition> Any(int depth) {
    return Joined(Condition::Kind::any, "or", [&] { return All(depth); });
  }
  Result<Condition> All(int depth) {
    return Joined(Condition::Kind::all, "and", [&] { return Operand(depth); });
  }

  bool TakeNot() {
    const size_t begin = at_;
    if (!Take("not")) return false;
    SkipSpaces();
    const bool is_column = at_ == text_.size() || kOperatorChars.find(text_[at_]) != kUnpaired;
    if (is_column) at_ = begin;
    return !is_column;
  }

  Result<Condition> Operand(int depth) {
    SkipSpaces();
    const size_t begin = at_;
    const bool negated = TakeNot();
    const bool group = !negated && at_ < text_.size() && text_[at_] == '(';
    if (!negated && !group) return Term();
    if (depth == kMaxNesting) return Wrong(begin, at_ + 1, "a condition nests too deep", "");
    if (negated) {
      TFPROF_ASSIGN(Condition part, Operand(depth + 1));
      Condition none{.kind = Condition::Kind::none};
      none.parts.push_back(std::move(part));
      return none;
    }
    ++at_;
    ++groups_;
    TFPROF_ASSIGN(Condition inner, Any(depth + 1));
    --groups_;
    SkipSpaces();
    if (at_ == text_.size()) {
      return Wrong(begin, begin + 1, "this ( is not closed",
                   "a value with parentheses needs quotes");
    }
    if (text_[at_] != ')') return Wrong(at_, text_.size(), "a ) is missing before this", "");
    ++at_;
    return inner;
  }

  // The end of the column's name that begins at at_; none: no comparison follows.
  std::optional<size_t> ColumnEnd() const {
    size_t i = at_;
    while (i < text_.size() && kOperatorChars.find(text_[i]) == kUnpaired) {
      const bool unpaired = text_[i] == ')' || (text_[i] == '(' && closing_[i] == kUnpaired);
      if (unpaired || ConnectiveAt(text_, i, i == at_) > 0) return std::nullopt;
      i = text_[i] == '(' ? closing_[i] + 1 : i + 1;
    }
    if (i >= text_.size() || i == at_) return std::nullopt;
    return i;
  }

  Result<Condition> Term() {
    const size_t begin = at_;
    const std::optional<size_t> column_end = ColumnEnd();
    if (!column_end) return NoTerm(begin);
    Where term;
    term.column = Trimmed(text_.substr(begin, *column_end - begin));
    at_ = std::min(text_.find_first_not_of('=', *column_end + 1), text_.size());
    term.op = text_.substr(*column_end, at_ - *column_end);
    if (term.op == "==") term.op = "=";
    if (term.op.size() > 2 || term.op == "~=" || term.op == "!") return NoTerm(begin);
    SkipSpaces();
    const size_t value_begin = at_;
    if (std::optional<std::string> quoted = QuotedValue()) {
      term.value = std::move(*quoted);
    } else {
      at_ = value_begin;
      TFPROF_ASSIGN(term.value, BareValue());
    }
    const size_t last = text_.find_last_not_of(kWhitespace, at_ - 1);
    term.part = {0, begin, last + 1};
    return Condition{.kind = Condition::Kind::term, .term = std::move(term)};
  }

  // True if a value may end at `at`.
  bool EndsAt(size_t at) const {
    if (at == text_.size()) return true;
    if (text_[at] == ')') return groups_ > 0;
    const size_t length = ConnectiveAt(text_, at);
    return length > 0 && ComparisonFollows(at + length);
  }

  // True if there is an operator before the next `and` or `or`.
  bool ComparisonFollows(size_t at) const {
    for (; at < text_.size() && ConnectiveAt(text_, at) == 0; ++at) {
      if (kOperatorChars.find(text_[at]) != kUnpaired) return true;
    }
    return false;
  }

  // A value in quotes; none: it does not end at its second quote.
  std::optional<std::string> QuotedValue() {
    if (at_ == text_.size() || !IsQuoteMark(text_[at_])) return std::nullopt;
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size()) {
      const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == quote;
      if (text_[at_] == quote && !doubled) break;
      at_ += text_[at_] == quote ? 1 : 0;
      value += text_[at_++];
    }
    if (at_ == text_.size()) return std::nullopt;
    ++at_;
    SkipSpaces();
    if (!EndsAt(at_)) return std::nullopt;
    return value;
  }

  Result<std::string> BareValue() {
    const size_t begin = at_;
    while (!EndsAt(at_)) {
      const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
      const bool paired = text_[at_] == '(' && closing_[at_] != kUnpaired;
      at_ = paired ? closing_[at_] + 1 : at_ + (escaped ? 2 : 1);
    }
    const std::string_view value = Trimmed(text_.substr(begin, at_ - begin));
    const size_t last_word = value.find_last_of(kWhitespace) + 1;
    if (last_word > 0 && ConnectiveAt(value, last_word) > 0) {
      const size_t from = begin + last_word;
      return Wrong(from, begin + value.size(), "nothing follows this",
                   "a value that ends with this word needs quotes");
    }
    return std::string(Trimmed(value, kQuoteMarks));
  }

  const std::string_view text_;
  const std::vector<size_t> closing_;
  size_t at_ = 0;
  int groups_ = 0;  // open parentheses around at_
};

std::string PrintValue(const std::string& value) {
  bool plain = value.find_first_of("()") == value.npos && !value.ends_with('\\');
  for (const char c : {value.empty() ? ' ' : value.front(), value.empty() ? ' ' : value.back()}) {
    plain = plain && !IsSpace(c) && !IsQuoteMark(c);
  }
  for (size_t i = 0; i < value.size() && plain; ++i) plain = ConnectiveAt(value, i) == 0;
  if (plain) return value;
  const char quote = value.find('"') == value.npos ? '"' : '\'';
  std::string quoted(1, quote);
  for (const char c : value) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

// `around` is the kind of the condition that this is a part of.
std::string Print(const Condition& condition, Condition::Kind around) {
  using Kind = Condition::Kind;
  const Where& term = condition.term;
  if (condition.kind == Kind::term) {
    return term.column + " " + term.op + " " + PrintValue(term.value);
  }
  if (condition.kind == Kind::none) return "not " + Print(condition.parts.front(), Kind::none);
  if (condition.parts.size() == 1) return Print(condition.parts.front(), around);
  std::string out;
  for (const Condition& part : condition.parts) {
    if (!out.empty()) out += condition.kind == Kind::all ? " and " : " or ";
    out += Print(part, condition.kind);
  }
  const bool loose = around == Kind::none || (around == Kind::all && condition.kind == Kind::any);
  return loose ? "(" + out + ")" : out;
}

}  // namespace

Result<Condition> ParseCondition(std::string_view text) { return ConditionParser(text).Parse(); }

size_t LastTerm(std::string_view text) {
  size_t begin = 0;
  const auto skip = [&](size_t length) {
    begin = std::min(text.find_first_not_of(kWhitespace, begin + length), text.size());
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t length = ConnectiveAt(text, i);
    if (length == 0 || i + length == text.size()) continue;
    begin = i;
    skip(length);
  }
  while (begin < text.size()) {
    const size_t length = text[begin] == '(' ? 1 : WordAt(text, begin, "not");
    if (length == 0 || (length > 1 && begin + length == text.size())) break;
    skip(length);
  }
  return begin;
}

std::string PrintCondition(const Condition& condition) {
  return Print(condition, Condition::Kind::any);
}

}  // namespace tfprof
