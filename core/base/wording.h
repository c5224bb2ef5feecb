// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/arith.h"
#include "core/base/attributes.h"

// Sentences of findings and notes: whoever finds something supplies named values, a catalogue has
// the words.

namespace tfprof {

// A number with its unit, or a text. kNoInt and NaN are absent.
struct Value {
  std::string_view name;  // static
  std::variant<int64_t, double, std::string> of;
  Unit unit = Unit::none;

  bool IsAbsent() const;
};

// Present without a text of its own, if `is`: switches a part of a wording on.
inline Value When(std::string_view name, bool is) {
  return is ? Value{name, std::string()} : Value{name, kNoInt};
}

// `wording` with its values filled in:
//   {gap}         the value, as tables print it: 12.3%, 1.50 ms
//   {gaps|gap}    an integer with a noun: 1 gap, 2 gaps
//   [; {more}]    a part that is left out where one of its values is absent or not given
// A value that is absent outside of such a part is "-". One that is not given there stays as
// {name}: tests find it.
std::string Worded(std::string_view wording, std::span<const Value> values);

}  // namespace tfprof
