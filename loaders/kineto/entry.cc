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

// REQUIRES: key.size() is that of `word`. Its constant size makes it one comparison.
template <size_t kSize>
bool Is(std::string_view key, const char (&word)[kSize]) {
  return std::memcmp(key.data(), word, kSize - 1) == 0;
}

bool ReadMember(std::string_view key, json::Cursor* cursor, Entry* entry) {
  switch (key.size()) {
    case 2:
      if (Is(key, "ph")) return ReadPhase(cursor, &entry->phase);
      if (Is(key, "ts")) return ReadNumber(cursor, &entry->start);
      if (Is(key, "id")) return ReadValue(cursor, &entry->id);
      break;
    case 3:
      if (Is(key, "cat")) return ReadValue(cursor, &entry->category);
      if (Is(key, "pid")) return ReadValue(cursor, &entry->pid);
      if (Is(key, "tid")) return ReadValue(cursor, &entry->tid);
      if (Is(key, "dur")) return ReadNumber(cursor, &entry->duration);
      break;
    case 4:
      if (Is(key, "name")) return ReadValue(cursor, &entry->name);
      if (Is(key, "args")) {
        if (cursor->Is('{')) entry->arguments = cursor->at;
        return SkipValue(cursor);
      }
      break;
    default: break;
  }
  return SkipValue(cursor);
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

void ArgumentKeys::Read(json::Cursor arguments, std::span<json::Value> values) const {
  for (json::Value& value : values) value = {};
  EachMember(&arguments, [&](std::string_view name, json::Cursor* cursor) {
    const size_t size = SizeOf(name);
    const json::Value* read = nullptr;
    for (size_t i = first_[size]; i < first_[size + 1]; ++i) {
      // Names of one size mostly differ in the last letter.
      if (keys_[i].name.back() != name.back() || keys_[i].name != name) continue;
      json::Value& value = values[keys_[i].value];
      if (read != nullptr) {
        value = *read;
      } else if (!ReadValue(cursor, &value)) {
        return false;
      }
      read = &value;
    }
    return read != nullptr || SkipValue(cursor);
  });
}

}  // namespace tfprof::kineto
