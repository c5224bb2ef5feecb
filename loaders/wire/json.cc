// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/ascii.h"
#include "loaders/io/source.h"
#include "loaders/wire/json_scan.h"

namespace tfprof {
namespace {

const JsonValue kNothing;

// Makes values of what json_scan.h finds. Each function returns false, with `wrong` set, where the
// text is not JSON.
class JsonReader {
 public:
  explicit JsonReader(int max_nesting) : room_(max_nesting) {}

  bool ReadValue(json::Cursor* cursor, JsonValue* value) {
    json::SkipSpace(cursor);
    if (cursor->Done()) return Wrong(kEndsEarly);
    switch (*cursor->at) {
      case '{': return ReadItems('}', cursor, value);
      case '[': return ReadItems(']', cursor, value);
      case '"': value->kind = JsonKind::text; return ReadText(cursor, &value->text);
      default: return ReadWord(cursor, value);
    }
  }
  bool ReadEnd(json::Cursor* cursor) {
    json::SkipSpace(cursor);
    return cursor->Done() || Wrong("text follows the value");
  }
  std::string_view wrong() const { return wrong_; }

 private:
  static constexpr std::string_view kEndsEarly = "it ends early";

  bool Wrong(std::string_view what) {
    wrong_ = what;
    return false;
  }

  bool ReadItems(char end, json::Cursor* cursor, JsonValue* value) {
    value->kind = end == '}' ? JsonKind::object : JsonKind::list;
    if (room_-- == 0) return Wrong("values are nested too deeply");
    ++cursor->at;
    if (!json::Take(end, cursor)) {
      do {
        if (end == '}' && !ReadKey(cursor, &value->keys.emplace_back())) return false;
        if (!ReadValue(cursor, &value->items.emplace_back())) return false;
      } while (json::Take(',', cursor));
      if (!json::Take(end, cursor)) {
        return Wrong(cursor->Done() ? kEndsEarly : "no comma between values");
      }
    }
    ++room_;
    return true;
  }

  bool ReadKey(json::Cursor* cursor, std::string* key) {
    json::SkipSpace(cursor);
    if (cursor->Done()) return Wrong(kEndsEarly);
    if (!cursor->Is('"')) return Wrong("a key is not in quotes");
    return ReadText(cursor, key) && (json::Take(':', cursor) || Wrong("no colon after a key"));
  }

  bool ReadText(json::Cursor* cursor, std::string* text) {
    json::Text read;
    if (!json::ReadText(cursor, &read)) return Wrong(kEndsEarly);
    json::AppendDecoded(read, text);
    return true;
  }

  bool ReadWord(json::Cursor* cursor, JsonValue* value) {
    const std::string_view word = json::ReadWord(cursor);
    value->text = word;
    if (word == "true" || word == "false") {
      value->kind = JsonKind::boolean;
    } else if (word.starts_with('-') || (!word.empty() && IsDigit(word[0]))) {
      value->kind = JsonKind::number;
    } else if (word != "null") {
      return Wrong("a value is missing");
    }
    return true;
  }

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
  std::string padded(bytes);
  padded.append(SourceFile::kPadding, '\0');
  json::Cursor cursor{padded.data(), padded.data() + bytes.size()};
  JsonValue value;
  JsonReader reader(max_nesting);
  if (reader.ReadValue(&cursor, &value) && reader.ReadEnd(&cursor)) return value;
  const char* const begin = padded.data();
  const auto line = 1 + std::count(begin, cursor.at, '\n');
  return Fail(ErrorKind::corrupt,
              fmt::format("malformed JSON in line {}: {}", line, reader.wrong()));
}

}  // namespace tfprof
