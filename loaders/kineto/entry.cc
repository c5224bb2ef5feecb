// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/entry.h"

#include <cstring>
#include <numeric>

namespace tfprof::kineto {
namespace {

bool ReadNumber(json::Cursor* cursor, std::string_view* number) {
  json::Value value;
  if (!ReadValue(cursor, &value)) return false;
  *number = value.Raw();
  return true;
}

bool ReadPhase(json::Cursor* cursor, char* phase) {
  json::Value value;
  if (!ReadValue(cursor, &value)) return false;
  *phase = value.text.raw.size() == 1 ? value.text.raw[0] : '\0';
  return true;
}

// A key of at most four bytes as one number; 0: it is longer. REQUIRES: four readable bytes.
uint32_t ShortKey(std::string_view key) {
  if (key.size() > 4) return 0;
  uint32_t bytes = 0;
  std::memcpy(&bytes, key.data(), 4);
  return static_cast<uint32_t>(bytes & ((uint64_t{1} << 8 * key.size()) - 1));
}
constexpr uint32_t operator""_key(const char* text, size_t size) {
  uint32_t bytes = 0;
  for (size_t i = 0; i < size; ++i) bytes |= uint32_t{static_cast<uint8_t>(text[i])} << 8 * i;
  return bytes;
}

bool ReadMember(std::string_view key, json::Cursor* cursor, Entry* entry) {
  switch (ShortKey(key)) {
    case "ph"_key: return ReadPhase(cursor, &entry->phase);
    case "ts"_key: return ReadNumber(cursor, &entry->start);
    case "id"_key: return ReadValue(cursor, &entry->id);
    case "cat"_key: return ReadValue(cursor, &entry->category);
    case "pid"_key: return ReadValue(cursor, &entry->pid);
    case "tid"_key: return ReadValue(cursor, &entry->tid);
    case "dur"_key: return ReadNumber(cursor, &entry->duration);
    case "name"_key: return ReadValue(cursor, &entry->name);
    case "args"_key:
      if (cursor->Is('{')) entry->arguments = cursor->at;
      return SkipValue(cursor);
    default: return SkipValue(cursor);
  }
}

}  // namespace

json::Cursor BeginningOf(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  json::Cursor cursor{bytes.data(), bytes.data() + bytes.size()};
  if (bytes.starts_with(kMark)) cursor.at += kMark.size();
  SkipSpace(&cursor);
  return cursor;
}

bool ReadEntry(json::Cursor* cursor, Entry* entry) {
  *entry = {};
  entry->begin = cursor->at;
  return EachMember(cursor, [&](std::string_view key, json::Cursor* value) {
    return ReadMember(key, value, entry);
  });
}

bool SkipToEntry(json::Cursor* cursor) {
  for (; !cursor->Done(); ++cursor->at) {
    if (*cursor->at != '}') continue;
    json::Cursor next{cursor->at + 1, cursor->end};
    if (!Take(',', &next)) continue;
    SkipSpace(&next);
    json::Cursor inside = next;
    if (!Take('{', &inside)) continue;
    SkipSpace(&inside);
    if (!inside.Is('"')) continue;
    *cursor = next;
    return true;
  }
  return false;
}

ArgumentKeys::ArgumentKeys(const std::vector<std::string_view>& names) {
  for (size_t i = 0; i < names.size(); ++i) keys_.push_back({names[i], i});
  std::ranges::stable_sort(keys_, {}, [](const Key& key) { return SizeOf(key.name); });
  for (const Key& key : keys_) ++first_[SizeOf(key.name) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

}  // namespace tfprof::kineto
