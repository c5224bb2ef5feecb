// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/arith.h"

// Reads the plain data of a Python pickle, protocols 2 to 5: numbers, texts, lists, tuples, dicts.
// What would call or import code is refused, never done.

namespace tfprof::snapshot {

enum class PickleKind : uint8_t { none, boolean, integer, real, text, list, dict };

// 16 bytes. Texts are in the file. What a pickle refers to twice is one list or dict.
struct PickleValue {
  PickleKind kind = PickleKind::none;
  uint32_t length = 0;  // of a text
  uint64_t bits = 0;    // a number; a text's offset in the file; the index of a list or dict

  bool IsNumber() const { return kind == PickleKind::integer; }
};

struct PickleError {
  const char* at = nullptr;  // null: none
  std::string_view what = {};
};

struct Pickle {
  std::string_view bytes;
  // Of lists (and tuples, sets): the elements. Of dicts: key, value, key, value.
  std::deque<std::vector<PickleValue>> lists;
  PickleValue root;

  // Not a list: empty. Likewise the others; a key that a dict has twice counts as in Python, the
  // last time.
  std::span<const PickleValue> Elements(const PickleValue& value) const;
  PickleValue Get(const PickleValue& dict, std::string_view key) const;
  std::string_view Text(const PickleValue& value) const;
  int64_t Integer(const PickleValue& value) const {
    return value.kind == PickleKind::integer || value.kind == PickleKind::boolean
               ? static_cast<int64_t>(value.bits)
               : kNoInt;
  }
  std::string_view Text(const PickleValue& dict, std::string_view key) const {
    return Text(Get(dict, key));
  }
  int64_t Integer(const PickleValue& dict, std::string_view key) const {
    return Integer(Get(dict, key));
  }
};

// Time and memory are linear in the file: at most a value per byte. Nothing recurses.
PickleError ReadPickle(std::string_view bytes, Pickle* pickle);

}  // namespace tfprof::snapshot
