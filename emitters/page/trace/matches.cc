// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/matches.h"

#include <re2/re2.h>

#include <bit>

namespace tfprof {

Result<SpanMatches> SpanMatches::Of(const PageTrace& trace, const std::string& text,
                                    Context& context) {
  const bool is_expression = text.size() > 2 && text.starts_with('/') && text.ends_with('/');
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  options.set_literal(!is_expression);
  const RE2 expression(is_expression ? text.substr(1, text.size() - 2) : text, options);
  if (!expression.ok()) return UsageError("invalid expression " + text + ": " + expression.error());
  std::vector<uint8_t> fits;
  for (const std::string* name : trace.names.texts) {
    TFPROF_TRY(Poll(context));
    fits.push_back(RE2::PartialMatch(*name, expression));
  }
  SpanMatches matches;
  matches.bits.resize(trace.spans.size() / 64 + 1);
  for (size_t i = 0; i < trace.spans.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    matches.bits[i / 64] |= uint64_t{fits[trace.spans.NameOf(i)]} << i % 64;
  }
  for (const uint64_t word : matches.bits) matches.count += std::popcount(word);
  return matches;
}

int64_t SpanMatches::FirstIn(size_t first, size_t end, bool back) const {
  if (first >= end) return -1;
  const size_t first_word = first / 64, last_word = (end - 1) / 64;
  for (size_t i = 0; i <= last_word - first_word; ++i) {
    const size_t at = back ? last_word - i : first_word + i;
    uint64_t word = bits[at];
    if (at == first_word) word &= ~uint64_t{0} << first % 64;
    if (at == last_word) word &= ~uint64_t{0} >> (63 - (end - 1) % 64);
    if (word == 0) continue;
    const int bit = back ? 63 - std::countl_zero(word) : std::countr_zero(word);
    return static_cast<int64_t>(64 * at) + bit;
  }
  return -1;
}

bool SpanMatches::HasIn(size_t first, size_t count) const {
  return FirstIn(first, first + count, false) >= 0;
}

int64_t SpanMatches::Next(int64_t span, bool back) const {
  const size_t all = 64 * bits.size();
  const auto at = static_cast<size_t>(span + (back ? 0 : 1));
  const int64_t found = back ? FirstIn(0, at, true) : FirstIn(at, all, false);
  return found >= 0 ? found : FirstIn(0, all, back);
}

}  // namespace tfprof
