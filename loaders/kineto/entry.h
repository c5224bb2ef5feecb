// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "loaders/wire/json_scan.h"

namespace tfprof::kineto {

// One entry of traceEvents. Everything is as written; absent members are empty.
struct Entry {
  const char* begin = nullptr;
  char phase = 0;
  json::Value name, category, pid, tid, id;
  std::string_view start;           // us
  std::string_view duration;        // us
  const char* arguments = nullptr;  // the object's bracket
};

// Reads the object at the cursor. Of a member that occurs twice, the last counts. False: it is
// malformed there, or the text ends in it.
bool ReadEntry(json::Cursor* cursor, Entry* entry);

// Moves the cursor to the beginning of an entry after a malformed one: to a bracket that follows
// "}," and precedes a key. False: there is none.
bool SkipToEntry(json::Cursor* cursor);

// Reads members of the object at `arguments`; values[i] belongs to keys[i].
void ReadArguments(json::Cursor arguments, std::span<const std::string_view> keys,
                   std::span<json::Value> values);

}  // namespace tfprof::kineto
