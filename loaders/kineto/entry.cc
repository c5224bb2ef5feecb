// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/entry.h"

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

bool ReadMember(std::string_view key, json::Cursor* cursor, Entry* entry) {
  switch (key.size()) {
    case 2:
      if (key == "ph") return ReadPhase(cursor, &entry->phase);
      if (key == "ts") return ReadNumber(cursor, &entry->start);
      if (key == "id") return ReadValue(cursor, &entry->id);
      break;
    case 3:
      if (key == "cat") return ReadValue(cursor, &entry->category);
      if (key == "pid") return ReadValue(cursor, &entry->pid);
      if (key == "tid") return ReadValue(cursor, &entry->tid);
      if (key == "dur") return ReadNumber(cursor, &entry->duration);
      break;
    case 4:
      if (key == "name") return ReadValue(cursor, &entry->name);
      if (key == "args") {
        if (cursor->Is('{')) entry->arguments = cursor->at;
        return SkipValue(cursor);
      }
      break;
    default: break;
  }
  return SkipValue(cursor);
}

}  // namespace

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

void ReadArguments(json::Cursor arguments, std::span<const std::string_view> keys,
                   std::span<json::Value> values) {
  for (json::Value& value : values) value = {};
  EachMember(&arguments, [&](std::string_view key, json::Cursor* cursor) {
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] != key) continue;
      json::Cursor copy = *cursor;  // several keys may have one name
      if (!ReadValue(&copy, &values[i])) return false;
    }
    return SkipValue(cursor);
  });
}

}  // namespace tfprof::kineto
