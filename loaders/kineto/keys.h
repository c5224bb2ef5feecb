// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "core/store/details.h"
#include "core/store/lanes.h"
#include "loaders/wire/json_scan.h"

namespace tfprof::kineto {

// A value for a DetailColumn. The text is valid until the next one is made.
struct KeyValue {
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;
  std::string_view text;
};

// Where the values of a key come from: members of `args`, or the label alone. Neither: no event has
// it.
struct Spelling {
  static constexpr size_t kMaxNames = 5;
  AttributeKey key = AttributeKey::work;
  std::array<std::string_view, kMaxNames> names = {};  // empty: none; they are passed in order
  // Makes the value; null: that of the first name, as it is. `buffer` may hold the text.
  KeyValue (*make)(std::string_view label, EventClass of, const json::Value* values,
                   std::string* buffer) = nullptr;
  bool of_label = false;  // events without any of the names may have a value

  size_t count() const {
    size_t n = 0;
    while (n < kMaxNames && !names[n].empty()) ++n;
    return n;
  }
};

Spelling SpellingOf(DetailKey key);

// A member of `args` as it is: numbers as such, true and false as 1 and 0, lists and objects as
// their text.
KeyValue PlainValue(const json::Value& value, std::string* buffer);

}  // namespace tfprof::kineto
