// SPDX-License-Identifier: Apache-2.0
#include "core/query/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "core/base/ascii.h"
#include "core/base/nearest.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr std::string_view kAllSteps = "all";
constexpr std::string_view kQuotes = "\"'";

std::string Quoted(std::string_view text) { return fmt::format("'{}'", text); }

// Splits the text and drops empty pieces.
std::vector<std::string_view> Pieces(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) pieces.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

// Returns true for digits with an optional sign, even if the integer is out of range.
bool IsWholeNumber(std::string_view digits) {
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<int64_t> ParseWholeNumber(std::string_view text) {
  if (text[0] == '+') text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return UsageError(Quoted(text) + " does not fit into 64 bits");
}

std::string NumberHint(Unit unit) {
  if (unit == Unit::us) return "a whole number of microseconds, or with a unit: 500us 1.5ms 2s";
  if (unit == Unit::bytes) return "a whole number of bytes, or with a unit: 512B 10KB 1.5MiB 2GB";
  return "a whole number, for example 3";
}

// Parses a time in whole microseconds.
Result<int64_t> ParseWholeMicros(std::string_view text) {
  constexpr int64_t kPsPerMicro = 1'000'000;
  const Result<int64_t> ps = ParseQuantity(text, Unit::ps);
  if (ps && *ps % kPsPerMicro == 0) return *ps / kPsPerMicro;
  return UsageError(
      Quoted(text) + (ps ? " is not a whole number of microseconds" : " is not a number"),
      NumberHint(Unit::us));
}

struct OutputName {
  std::string_view name;
  OutputKind kind;
  bool needs_file;
  std::string_view format = {};  // the format that it sets; the kind is then a file
};

constexpr OutputName kOutputs[] = {
    {"stdout", OutputKind::stdout_text, false}, {"file", OutputKind::file, true},
    {"none", OutputKind::none, false},          {"timeline", OutputKind::timeline, true},
    {"pprof", OutputKind::pprof, true},         {"proto", OutputKind::proto, true},
    {"dot", OutputKind::file, true, "dot"},     {"text", OutputKind::file, true, "text"},
};

// Parses "outfile=PATH" of an output. Empty pieces between '=' are dropped.
Result<std::string> OutputPath(std::string_view setting, const OutputName& output) {
  const std::string example = "for example file:outfile=answer.txt";
  std::vector<std::string_view> parts = Pieces(setting, '=');
  if (parts.size() < 2) return UsageError(Quoted(setting) + " is not outfile=FILE", example);
  if (parts[0] != "outfile" || !output.needs_file) {
    const std::string what = std::string(output.name) + " has no setting " + Quoted(parts[0]);
    return UsageError(what, example);
  }
  std::string path(parts[1]);
  for (size_t i = 2; i < parts.size(); ++i) path.append("=").append(parts[i]);
  return path;
}

Failure NoRange(std::string_view text) {
  return UsageError(Quoted(text) + " is not a range of steps", "FIRST:LAST, for example 2:8");
}

// The attribute whose column has that heading and another name; null: none.
const AttributeInfo* AttributeTitled(std::string_view title) {
  for (const AttributeInfo& info : Attributes()) {
    if (info.title == title && info.name != title) return &info;
  }
  return nullptr;
}

struct FurtherName {
  std::string_view name, id;
};
constexpr FurtherName kFurtherNames[] = {{"share_pct", "share_pct"}, {"share", "share_pct"},
                                         {"%", "share_pct"},         {"median_us", "median_us"},
                                         {"median", "median_us"},    {"median run", "median_us"},
                                         {"p95_us", "p95_us"},       {"p95", "p95_us"}};

}  // namespace

std::string_view FurtherColumn(std::string_view name) {
  const FurtherName* found = FindNamed(kFurtherNames, name);
  return found == nullptr ? std::string_view() : found->id;
}

std::vector<std::string_view> AttributeNames() { return NamesIn(Attributes()); }

Result<int64_t> ParseNumber(std::string_view text, Unit unit, int64_t low, int64_t high) {
  const std::string_view number = Trimmed(text);
  const bool takes_unit = unit == Unit::us || unit == Unit::bytes;
  if (!IsWholeNumber(number)) {
    if (takes_unit) {
      Result<int64_t> quantity = ParseQuantity(number, unit);
      if (quantity) return quantity;
    }
    if (unit == Unit::us && number.ends_with("ns")) return ParseWholeMicros(number);
    return UsageError(Quoted(text) + " is not a number", NumberHint(unit));
  }
  TFPROF_ASSIGN(const int64_t value, ParseWholeNumber(number));
  if (value >= low && value <= high) return value;
  return UsageError(Quoted(text) + " is out of range",
                    "between " + std::to_string(low) + " and " + std::to_string(high));
}

std::vector<std::string> SplitList(std::string_view text) {
  const std::vector<std::string_view> pieces = Pieces(Trimmed(text, kQuotes), ',');
  return {pieces.begin(), pieces.end()};
}

std::string JoinList(const std::vector<std::string>& pieces) {
  return fmt::format("{}", fmt::join(pieces, ","));
}

std::vector<std::string> SplitNames(std::string_view text) {
  const bool quoted =
      text.size() > 1 && text.front() == text.back() && kQuotes.find(text.front()) != kQuotes.npos;
  if (quoted) text = text.substr(1, text.size() - 2);
  std::vector<std::string> names(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (text[i] == ',' && !names.back().empty()) names.emplace_back();
    if (text[i] != ',') names.back() += escaped ? text[++i] : text[i];
  }
  if (names.back().empty()) names.pop_back();
  return names;
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (!out.empty()) out += ',';
    for (const char c : name) out.append(c == ',' ? "\\," : std::string(1, c));
  }
  return out;
}

Result<bool> ParseBoolean(std::string_view text) {
  const std::string lower = LowerCase(text);
  for (const std::string_view yes : {"true", "t", "yes", "y", "1"}) {
    if (lower == yes) return true;
  }
  for (const std::string_view no : {"false", "f", "no", "n", "0"}) {
    if (lower == no) return false;
  }
  return UsageError(Quoted(text) + " is not a boolean", "use true t yes y 1, or false f no n 0");
}

Result<void> SetStep(Query& query, std::string_view text) {
  constexpr int64_t kMaxValue = std::numeric_limits<int64_t>::max();
  const size_t colon = text.find(':');
  const std::string_view from = text.substr(0, colon);
  if (text == kAllSteps) {
    query.place.step = query.place.last_step = -1;
    query.place.sum_steps = true;
    return {};
  }
  const Result<int64_t> first = ParseNumber(from, Unit::none, -kMaxValue - 1, kMaxValue);
  if (colon == text.npos) {
    if (!first)
      return UsageError(first.error().what, "a step such as 3, a range such as 2:8, or all");
    query.place.step = *first;
    query.place.last_step = -1;
    query.place.sum_steps = false;
    return {};
  }
  const Result<int64_t> last = ParseNumber(text.substr(colon + 1), Unit::none, 0, kMaxValue);
  if (!first || !last || *first < 0 || *last < *first) return NoRange(text);
  query.place.step = *first;
  query.place.last_step = *last;
  query.place.sum_steps = false;
  return {};
}

std::optional<OrderBy> OrderCalled(std::string_view name) {
  if (const std::optional<OrderBy> order = OrderNamed(name)) return order;
  if (const std::optional<Measure> measure = MeasureCalled(name)) return OrderOf(*measure);
  // Trees are ordered by totals, lists by the values themselves.
  constexpr std::string_view kTotal = "total ";
  if (name.starts_with(kTotal)) name.remove_prefix(kTotal.size());
  const AttributeInfo* titled = AttributeTitled(name);
  return titled == nullptr ? std::nullopt : OrderCalled(titled->name);
}

Result<void> SetOrder(Query& query, std::string_view text) {
  if (text.empty()) return UsageError("no column", OneOf(text, OrderNames()));
  query.display.order_by = OrderCalled(text).value_or(query.display.order_by);
  query.display.order_column = text;
  return {};
}

std::string PrintOrder(const Query& query) {
  if (!query.display.order_column.empty()) return query.display.order_column;
  return std::string(NameOf(query.display.order_by));
}

Result<void> SetSelect(Query& query, std::string_view text) {
  std::vector<Attribute> select;
  std::vector<std::string> further;
  bool sums_times = false;
  for (const std::string& word : SplitList(text)) {
    if (const std::string_view id = FurtherColumn(word); !id.empty()) {
      if (std::ranges::count(further, id) == 0) further.emplace_back(id);
      continue;
    }
    const AttributeInfo* found = FindNamed(Attributes(), word);
    const std::optional<Measure> measure = MeasureCalled(word);
    if (found == nullptr && measure) found = &AttributeOf(*measure);
    if (found == nullptr) found = AttributeTitled(word);
    if (found == nullptr) {
      return UsageError(Quoted(word) + " is not an attribute", OneOf(word, AttributeNames()));
    }
    sums_times |= word == Info(Attribute::micros).name;
    if (std::find(select.begin(), select.end(), found->attribute) == select.end()) {
      select.push_back(found->attribute);
    }
  }
  query.display.select = std::move(select);
  query.display.further = std::move(further);
  query.display.sums_times = sums_times;
  return {};
}

std::string PrintSelect(const Query& query) {
  std::vector<std::string> names;
  for (const Attribute attribute : query.display.select) names.emplace_back(Info(attribute).name);
  names.insert(names.end(), query.display.further.begin(), query.display.further.end());
  return JoinList(names);
}

Result<void> SetOutput(Query& query, std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.empty() ? "stdout" : text.substr(0, colon);
  const OutputName* output = FindNamed(kOutputs, name);
  if (output == nullptr) {
    return UsageError(Quoted(name) + " is not a kind of output", OneOf(name, NamesIn(kOutputs)));
  }
  // Without a path, the earlier one stays.
  std::string path = query.output.path;
  for (const std::string_view setting :
       Pieces(text.substr(std::min(colon + 1, text.size())), ',')) {
    TFPROF_ASSIGN(path, OutputPath(setting, *output));
  }
  const bool is_shown = path.empty() && !output->format.empty();  // -output dot
  if (output->needs_file && path.empty() && !is_shown) {
    return UsageError(Quoted(text) + " needs a file name", std::string(name) + ":outfile=FILE");
  }
  query.output.kind = is_shown ? OutputKind::stdout_text : output->kind;
  query.output.path = std::move(path);
  if (!output->format.empty()) query.display.format = output->format;
  return {};
}

std::string PrintOutput(const Query& query) {
  for (const OutputName& row : kOutputs) {
    if (row.kind != query.output.kind) continue;
    const std::string name = std::string(row.name) + ":";
    return row.needs_file ? name + "outfile=" + query.output.path : name;
  }
  return {};
}

Result<void> AddWhere(Query& query, std::string_view text) {
  std::vector<Condition>& parts = query.display.where.parts;
  Result<Condition> condition = ParseCondition(text);
  if (!condition) {
    condition.error().part.nth = parts.size();
    return Failure(std::move(condition).error());
  }
  EachTerm(*condition, [&](Where& term) { term.part.nth = parts.size(); });
  parts.push_back(std::move(*condition));
  return {};
}

std::string PrintWhere(const Query& query) { return PrintCondition(query.display.where); }

std::string AsWord(std::string_view text) {
  const bool plain =
      !text.empty() && text.find_first_of(" \t\n\v\f\r\"'`();&|<>*?$\\[]{}~#!") == text.npos;
  if (plain) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\"'\"'" : std::string(1, c);
  return word + "'";
}

std::string AsTyped(const Option& option, const Query& query) {
  return fmt::format("-{} {}", option.name, AsWord(option.print(query)));
}

}  // namespace tfprof
