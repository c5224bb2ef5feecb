// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Pickles for tests, opcode by opcode. A value is the bytes that push it.

namespace tfprof::pickled {

inline std::string LittleEndian(uint64_t number, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
  return out;
}

inline std::string Text(std::string_view text) {
  return "X" + LittleEndian(text.size(), 4) + std::string(text);
}
inline std::string Integer(int64_t number) {
  return "\x8a\x08" + LittleEndian(static_cast<uint64_t>(number), 8);
}
inline std::string List(const std::vector<std::string>& elements) {
  std::string out = "](";
  for (const std::string& element : elements) out += element;
  return out + "e";
}
inline std::string Dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string out = "}(";
  for (const auto& [key, value] : items) out += Text(key) + value;
  return out + "u";
}
inline std::string File(const std::string& value, char protocol = 4) {
  return std::string("\x80") + protocol + value + ".";
}

}  // namespace tfprof::pickled
