// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/arith.h"
#include "core/base/attributes.h"

// Sentences of findings and notes: the code supplies named values, a catalog has the words.

namespace tfprof {

// A number with its unit, or a text. kNoInt and NaN are absent.
struct Value {
  std::string_view name;  // static
  std::variant<int64_t, double, std::string> of;
  Unit unit = Unit::none;

  bool IsAbsent() const;
};

// Switches a part of a wording on if `is`: a present value with an empty text.
inline Value When(std::string_view name, bool is) {
  return is ? Value{name, std::string()} : Value{name, kNoInt};
}

// Fills the values into `wording`:
//   {gap}         the value, as tables print it: 12.3%, 1.50 ms
//   {gaps|gap}    an integer with a noun: 1 gap, 2 gaps
//   [; {more}]    a part that is omitted if one of its values is absent or not given
// Outside such a part, an absent value is "-", and a value that is not given stays as {name}, so
// that tests find it.
std::string Worded(std::string_view wording, std::span<const Value> values);

// Formats "a, b, c and 2 more", for texts of any type.
template <class Texts>
std::string Listed(const Texts& texts, size_t max = 4) {
  std::string list;
  for (size_t i = 0; i < texts.size() && i < max; ++i) {
    if (i > 0) list += ", ";
    list += texts[i];
  }
  if (texts.size() > max) list += " and " + std::to_string(texts.size() - max) + " more";
  return list;
}

}  // namespace tfprof
