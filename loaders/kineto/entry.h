// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

// The first character of a file that is neither space nor part of a byte order mark.
json::Cursor BeginningOf(std::string_view bytes);

// Reads the object at the cursor. Of a member that occurs twice, the last counts. False: it is
// malformed there, or the text ends in it.
bool ReadEntry(json::Cursor* cursor, Entry* entry);

// Moves the cursor to the beginning of an entry after a malformed one: to a bracket that follows
// "}," and precedes a key. False: there is none.
bool SkipToEntry(json::Cursor* cursor);

// Members that are read together; a name may occur several times.
class ArgumentKeys {
 public:
  explicit ArgumentKeys(const std::vector<std::string_view>& names = {});

  // Reads members of the object at `arguments`; values[i] belongs to names[i].
  void Read(json::Cursor arguments, std::span<json::Value> values) const {
    for (json::Value& value : values) value = {};
    Each(arguments, [&](size_t i, const json::Value& value) { values[i] = value; });
  }

  // Calls take(i, value) for each member that has names[i], in order of the file.
  template <class Take_>
  void Each(json::Cursor arguments, const Take_& take) const {
    EachMember(&arguments, [&](std::string_view name, json::Cursor* cursor) {
      const size_t size = SizeOf(name);
      json::Value value;
      bool is_read = false;
      for (size_t i = first_[size]; i < first_[size + 1]; ++i) {
        // Names of one size mostly differ in the last letter.
        if (keys_[i].name.back() != name.back() || keys_[i].name != name) continue;
        if (!is_read && !ReadValue(cursor, &value)) return false;
        is_read = true;
        take(keys_[i].value, value);
      }
      return is_read || SkipValue(cursor);
    });
  }

 private:
  static constexpr size_t kSizes = 32;  // names of kSizes - 1 bytes and more are together
  struct Key {
    std::string_view name;
    size_t value;
  };
  static size_t SizeOf(std::string_view name) { return std::min(name.size(), kSizes - 1); }

  std::vector<Key> keys_;                        // by size
  std::array<uint16_t, kSizes + 1> first_ = {};  // of a size, in keys_
};

}  // namespace tfprof::kineto
