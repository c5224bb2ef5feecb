// SPDX-License-Identifier: Apache-2.0
// Which ranges are steps, by their names. The recorder asks while the program runs, the converter
// afterwards, and both must answer alike.
#pragma once

#include <regex.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace tfprof::capture {

// "name#key=value,key=value#", as TensorFlow and JAX encode attributes.
struct EncodedName {
  std::string_view base;
  std::string_view attributes;  // "key=value,key=value"
};
EncodedName SplitName(std::string_view text);

// The last value of a key; empty: there is none. Values may hold commas.
std::string_view AttributeOf(std::string_view attributes, std::string_view key);

// Nothing, unless all of the text is a number.
std::optional<int64_t> IntegerOf(std::string_view text);

// The number of the step that a range of this name is: its attribute `step_num`, or what follows
// step, iteration or iter at the end of the name ("ProfilerStep#3", "iteration 3").
std::optional<int64_t> StepNumber(std::string_view text);

// The fact of a spool that has the user's pattern.
inline constexpr char kStepRangeFact[] = "step-range";

// The names of steps, as the user gives them: an extended regular expression of POSIX, which is
// found anywhere in a name.
class StepPattern {
 public:
  StepPattern() = default;
  StepPattern(const StepPattern&) = delete;
  StepPattern& operator=(const StepPattern&) = delete;
  ~StepPattern();

  // Returns false if it is no regular expression.
  bool Compile(const char* expression);
  bool is_set() const { return is_set_; }
  bool Matches(std::string_view name) const;

 private:
  regex_t compiled_ = {};
  bool is_set_ = false;
};

}  // namespace tfprof::capture
