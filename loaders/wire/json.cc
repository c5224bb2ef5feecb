// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "loaders/wire/json_scan.h"

namespace tfprof {
namespace {

const JsonValue kNothing;

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsOfWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' ||
         c == '.';
}

// Reads from front to back. Each function returns false, with `wrong` set, where the text is not
// JSON.
class JsonReader {
 public:
  JsonReader(std::string_view bytes, int max_nesting) : bytes_(bytes), room_(max_nesting) {}

  bool ReadValue(JsonValue* value) {
    SkipSpace();
    if (at_ == bytes_.size()) return Wrong("it ends early");
    switch (bytes_[at_]) {
      case '{': return ReadItems('}', value);
      case '[': return ReadItems(']', value);
      case '"': value->kind = JsonKind::text; return ReadText(&value->text);
      default: return ReadWord(value);
    }
  }
  bool ReadEnd() {
    SkipSpace();
    return at_ == bytes_.size() || Wrong("text follows the value");
  }
  Failure Error() const {
    const auto line =
        1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<int64_t>(at_), '\n');
    return Fail(ErrorKind::corrupt, fmt::format("malformed JSON in line {}: {}", line, wrong_));
  }

 private:
  bool Wrong(std::string_view what) {
    wrong_ = what;
    return false;
  }
  void SkipSpace() {
    while (at_ < bytes_.size() && IsSpace(bytes_[at_])) ++at_;
  }
  bool Take(char wanted) {
    SkipSpace();
    if (at_ == bytes_.size() || bytes_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool ReadItems(char end, JsonValue* value) {
    value->kind = end == '}' ? JsonKind::object : JsonKind::list;
    if (room_-- == 0) return Wrong("values are nested too deeply");
    ++at_;
    if (!Take(end)) {
      do {
        if (end == '}' && !ReadKey(&value->keys.emplace_back())) return false;
        if (!ReadValue(&value->items.emplace_back())) return false;
      } while (Take(','));
      if (!Take(end))
        return Wrong(at_ == bytes_.size() ? "it ends early" : "no comma between values");
    }
    ++room_;
    return true;
  }

  bool ReadKey(std::string* key) {
    SkipSpace();
    if (at_ == bytes_.size()) return Wrong("it ends early");
    if (bytes_[at_] != '"') return Wrong("a key is not in quotes");
    return ReadText(key) && (Take(':') || Wrong("no colon after a key"));
  }

  bool ReadText(std::string* text) {
    for (++at_; at_ < bytes_.size(); ++at_) {
      const char c = bytes_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c != '\\') {
        text->push_back(c);
      } else if (!ReadEscape(text)) {
        return false;
      }
    }
    return Wrong("it ends early");
  }

  // Ends at the last character of the escape.
  bool ReadEscape(std::string* text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    if (++at_ == bytes_.size()) return Wrong("it ends early");
    if (const size_t letter = kLetters.find(bytes_[at_]); letter != kLetters.npos) {
      text->push_back(kMeant[letter]);
      return true;
    }
    uint32_t code = 0;
    if (bytes_[at_] != 'u' || !ReadCode(&code)) return Wrong("an unknown escape");
    uint32_t low = 0;
    const bool is_first_half = code >= 0xd800 && code < 0xdc00;
    if (is_first_half && bytes_.substr(at_ + 1, 2) == "\\u") {
      at_ += 2;
      if (!ReadCode(&low)) return Wrong("an unknown escape");
      code = 0x10000 + ((code - 0xd800) << 10) + ((low - 0xdc00) & 0x3ff);
    }
    json::AppendUtf8(code, text);
    return true;
  }

  // Reads the four digits after `u`.
  bool ReadCode(uint32_t* code) {
    const std::string_view digits = bytes_.substr(at_ + 1, 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), *code, 16);
    if (error != std::errc() || end - digits.data() != 4) return false;
    at_ += 4;
    return true;
  }

  bool ReadWord(JsonValue* value) {
    const size_t begin = at_;
    while (at_ < bytes_.size() && IsOfWord(bytes_[at_])) ++at_;
    value->text = bytes_.substr(begin, at_ - begin);
    const std::string_view word = value->text;
    if (word == "true" || word == "false") {
      value->kind = JsonKind::boolean;
    } else if (word.starts_with('-') || (!word.empty() && word[0] >= '0' && word[0] <= '9')) {
      value->kind = JsonKind::number;
    } else if (word != "null") {
      return Wrong("a value is missing");
    }
    return true;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  int room_;
  std::string_view wrong_;
};

}  // namespace

const JsonValue& JsonValue::At(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? kNothing : items[static_cast<size_t>(found - keys.begin())];
}

std::string_view JsonValue::Text(std::string_view key) const {
  const JsonValue& value = At(key);
  return value.kind == JsonKind::text ? std::string_view(value.text) : std::string_view();
}

bool JsonValue::IsTrue(std::string_view key) const {
  const JsonValue& value = At(key);
  return value.kind == JsonKind::boolean && value.text == "true";
}

int64_t JsonValue::Integer(std::string_view key) const {
  const JsonValue& value = At(key);
  int64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto read = std::from_chars(value.text.data(), end, number);
  const bool is_integer =
      value.kind == JsonKind::number && read.ec == std::errc() && read.ptr == end;
  return is_integer ? number : kNoInt;
}

const std::vector<JsonValue>& JsonValue::List(std::string_view key) const {
  const JsonValue& value = At(key);
  return value.kind == JsonKind::list ? value.items : kNothing.items;
}

Result<JsonValue> ReadJson(std::string_view bytes, int max_nesting) {
  JsonValue value;
  JsonReader reader(bytes, max_nesting);
  if (!reader.ReadValue(&value) || !reader.ReadEnd()) return reader.Error();
  return value;
}

}  // namespace tfprof
