// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/golden_file.h"

#include "core/base/column.h"
#include "core/base/context.h"
#include "loaders/io/inflate.h"
#include "tests/support/goldens/pprof_text.h"
#include "tests/support/goldens/pretty_json.h"

namespace tfprof {
namespace {

// The text from the first `begin` to the next `end`, both included.
std::string_view Between(std::string_view text, std::string_view begin, std::string_view end) {
  const size_t first = text.find(begin);
  if (first == text.npos) return {};
  const size_t last = text.find(end, first);
  return text.substr(first, last == text.npos ? last : last + end.size() - first);
}

std::string PageText(std::string_view page) {
  std::string text(Between(page, "<h1>", "</h1>"));
  text += "\n";
  text += Between(page, "<script type=\"application/json\"", "</script>");
  return text + "\n";
}

std::string InflatedText(std::string_view bytes) {
  Context context;
  Column<char> plain;
  if (!Inflate(bytes, "golden", context, &plain)) return "damaged gzip\n";
  const std::string_view text(plain.data(), plain.size());
  pb::pprof::Profile profile;
  const bool is_profile = profile.ParseFromArray(text.data(), static_cast<int>(text.size())) &&
                          profile.sample_type_size() > 0;
  return is_profile ? PprofText(profile) : GoldenText(text);
}

}  // namespace

std::string GoldenText(std::string_view bytes) {
  if (IsGzip(bytes)) return InflatedText(bytes);
  if (bytes.starts_with("<!doctype html>")) return PageText(bytes);
  return PrettyJson(bytes);
}

std::string WithoutCompressedSizes(std::string text) {
  for (size_t at = text.find(".gz: "); at != text.npos; at = text.find(".gz: ", at + 1)) {
    const size_t end = text.find('\n', at), comma = text.rfind(", ", end);
    if (end == text.npos || comma == text.npos || comma < at) continue;
    text.erase(comma, end - comma);
  }
  return text;
}

}  // namespace tfprof
