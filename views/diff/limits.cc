// SPDX-License-Identifier: Apache-2.0
#include "views/diff/limits.h"

#include <cstdlib>
#include <limits>
#include <utility>

#include "core/base/arith.h"
#include "core/base/ascii.h"
#include "core/query/options.h"
#include "core/query/word_options.h"

namespace tfprof {
namespace {

constexpr std::string_view kViews[] = {"op", "scope", "code", "graph"};

Failure Bad(const std::string& text, std::string why) {
  return Fail(ErrorKind::usage, "'" + text + "': " + std::move(why), {},
              "for example step>+5%, op:MatMul.micros>+10%, scope:model.bytes>+1MiB, "
              "'step>+5% p<0.05'");
}

// Parses the measure after the last dot, if there is one.
void TakeMeasure(DiffLimit* limit) {
  const size_t dot = limit->name.rfind('.');
  if (dot == std::string::npos) return;
  const std::string_view id = std::string_view(limit->name).substr(dot + 1);
  for (const MeasureInfo& info : AllMeasures()) {
    if (info.id != id) continue;
    limit->measure = info.measure;
    limit->name.resize(dot);
    return;
  }
}

Result<void> ReadWhat(std::string_view what, DiffLimit* limit) {
  if (what == "step") return {};
  const size_t colon = what.find(':');
  for (const std::string_view view : kViews) {
    if (colon != what.npos && what.substr(0, colon) == view) limit->view = view;
  }
  if (limit->view.empty()) return Bad(limit->text, "name what to compare: step, or op:NAME");
  limit->name = what.substr(colon + 1);
  TakeMeasure(limit);
  while (limit->name.ends_with('/')) limit->name.pop_back();  // a scope, as ls prints it
  if (limit->name.empty()) return Bad(limit->text, "a name is missing");
  return {};
}

// Returns false if `text` is not a number.
bool ReadReal(std::string_view text, double* number) {
  const std::string digits(Trimmed(text, " "));
  char* end = nullptr;
  *number = std::strtod(digits.c_str(), &end);
  return !digits.empty() && *end == '\0';
}

// Removes a final " p<0.05".
Result<void> TakeMaxP(std::string_view* text, DiffLimit* limit) {
  const size_t at = text->rfind(" p<");
  if (at == text->npos) return {};
  const std::string_view number = text->substr(at + 3);
  const bool valid = ReadReal(number, &limit->max_p) && limit->max_p > 0 && limit->max_p <= 1;
  if (!valid) {
    return Bad(limit->text, "'" + std::string(number) + "' is not a p between 0 and 1");
  }
  *text = text->substr(0, at);
  return {};
}

Result<void> ReadAmount(std::string_view amount, DiffLimit* limit) {
  const bool minus = amount.starts_with('-');
  if (minus || amount.starts_with('+')) amount.remove_prefix(1);
  if (minus == limit->above) {
    return Bad(limit->text,
               limit->above ? "> limits growth: write +N" : "< limits shrinkage: write -N");
  }
  limit->is_share = amount.ends_with('%');
  if (limit->is_share) {
    amount.remove_suffix(1);
    const bool valid = ReadReal(amount, &limit->amount) && limit->amount >= 0;
    if (!valid) {
      return Bad(limit->text, "'" + std::string(Trimmed(amount, " ")) + "' is not a number");
    }
    limit->amount /= 100;
    return {};
  }
  const Unit unit = limit->view.empty() ? Unit::us : Info(limit->measure).unit;
  const auto number = ParseNumber(amount, unit, 0, std::numeric_limits<int64_t>::max());
  if (!number) return Bad(limit->text, number.error().what);
  limit->amount = static_cast<double>(*number);
  return {};
}

}  // namespace

bool DiffLimit::Exceeded(int64_t before, int64_t after, int64_t per_unit) const {
  const double was = before == kNoInt ? 0 : static_cast<double>(before);
  const double is = after == kNoInt ? 0 : static_cast<double>(after);
  const double change = above ? is - was : was - is;
  return change > (is_share ? was : static_cast<double>(per_unit)) * amount;
}

Result<DiffLimit> ParseLimit(const std::string& text) {
  DiffLimit limit;
  limit.text = text;
  std::string_view rest = text;
  TFPROF_TRY(TakeMaxP(&rest, &limit));
  const size_t sign = rest.find_last_of("<>");
  if (sign == rest.npos) return Bad(text, "a limit needs > or <");
  limit.above = rest[sign] == '>';
  TFPROF_TRY(ReadWhat(Trimmed(rest.substr(0, sign), " "), &limit));
  TFPROF_TRY(ReadAmount(Trimmed(rest.substr(sign + 1), " "), &limit));
  return limit;
}

Result<std::vector<DiffLimit>> LimitsOf(const Query& query) {
  std::vector<DiffLimit> limits;
  for (const std::string& text : query.fail_if) {
    Result<DiffLimit> limit = ParseLimit(text);
    if (!limit) return Failure(AboutValue("fail-if", std::move(limit).error()));
    limits.push_back(*std::move(limit));
  }
  return limits;
}

}  // namespace tfprof
