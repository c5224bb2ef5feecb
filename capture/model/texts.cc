// SPDX-License-Identifier: Apache-2.0
#include "capture/model/texts.h"

#include <cstdint>

namespace tfprof::capture {
namespace {

bool Continues(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

// The bytes of the character at the beginning; 0: it is none.
size_t CharacterBytes(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return 1;
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if (!Continues(text[i])) return 0;
  }
  // Too long for their number, surrogates, beyond the last character.
  const auto second = static_cast<uint8_t>(text[1]);
  const bool is_valid = (first != 0xE0 || second >= 0xA0) && (first != 0xED || second < 0xA0) &&
                        (first != 0xF0 || second >= 0x90) && (first != 0xF4 || second < 0x90);
  return is_valid ? bytes : 0;
}

}  // namespace

std::string ValidUtf8(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string valid;
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (bytes == 0) {
      const auto byte = static_cast<uint8_t>(text[0]);
      valid += "\uFFFD";
      valid += {kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      valid += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return valid;
}

std::string FilePart(std::string_view text, size_t most) {
  if (text.size() > most) {
    while (most > 0 && Continues(text[most])) --most;
    text = text.substr(0, most);
  }
  std::string part(text);
  for (char& c : part) {
    if (c == '/' || static_cast<uint8_t>(c) < 0x20 || c == 0x7F) c = '_';
  }
  return part;
}

}  // namespace tfprof::capture
