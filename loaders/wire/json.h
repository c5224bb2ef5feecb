// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/result.h"

namespace tfprof {

enum class JsonKind : uint8_t { null, boolean, number, text, list, object };

// A value of a JSON text. Reading a member that is absent or of another kind gives an empty value,
// so that callers need not check what recorders of other versions leave out.
struct JsonValue {
  JsonKind kind = JsonKind::null;
  std::string text = {};               // of a text: unescaped; else as written: true, 12
  std::vector<JsonValue> items = {};   // of a list or an object, in order
  std::vector<std::string> keys = {};  // of an object, by item

  const JsonValue& At(std::string_view key) const;  // of equal keys, the first
  std::string_view Text(std::string_view key) const;
  bool IsTrue(std::string_view key) const;
  int64_t Integer(std::string_view key) const;  // kNoInt: no integer
  const std::vector<JsonValue>& List(std::string_view key) const;
};

// Parses a whole JSON text. Texts may have any bytes: names of files and arguments of programs are
// not always UTF-8. Error: corrupt, with the line; also for values nested deeper than
// `max_nesting`.
Result<JsonValue> ReadJson(std::string_view bytes, int max_nesting);

}  // namespace tfprof
