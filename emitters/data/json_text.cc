// SPDX-License-Identifier: Apache-2.0
#include "emitters/data/json_text.h"

#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr char kHexUpper[] = "0123456789ABCDEF";

bool IsPlain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void AppendControl(unsigned char c, std::string* out) {
  constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
  constexpr std::string_view kLetters = "bfnrt\"\\";
  const size_t at = kShort.find(static_cast<char>(c));
  out->push_back('\\');
  if (at != std::string_view::npos) {
    out->push_back(kLetters[at]);
  } else {
    out->append("u00");
    out->push_back(kHex[c >> 4]);
    out->push_back(kHex[c & 15]);
  }
}

// Appends the byte or UTF-8 sequence at the start of `text` and returns its length.
size_t AppendSpecial(std::string_view text, std::string* out) {
  const auto c = static_cast<unsigned char>(text[0]);
  if (c < 0x80) {
    AppendControl(c, out);
    return 1;
  }
  const size_t length = Utf8Length(text);
  if (length > 0) {
    out->append(text.substr(0, length));
    return length;
  }
  out->append("\\ufffd");
  out->push_back(kHexUpper[c >> 4]);
  out->push_back(kHexUpper[c & 15]);
  return 1;
}

}  // namespace

void AppendJsonString(std::string_view text, std::string* out) {
  out->push_back('"');
  size_t at = 0;
  while (at < text.size()) {
    size_t plain = at;
    while (plain < text.size() && IsPlain(text[plain])) ++plain;
    out->append(text.substr(at, plain - at));
    at = plain;
    if (at < text.size()) at += AppendSpecial(text.substr(at), out);
  }
  out->push_back('"');
}

}  // namespace tfprof
