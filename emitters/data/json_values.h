// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// Appends `text` in quotes. The output is valid UTF-8 whatever `text` contains: an invalid byte
// becomes U+FFFD followed by its two hexadecimal digits, so that different names stay different.
void AppendJsonString(std::string_view text, std::string* out);

// Appends JSON for an HTML page: nothing in it looks like the end of a script.
void AppendForScript(std::string_view json, std::string* out);

// Values of a report as JSON. Numbers are exact; absent values and values JSON cannot express are
// null.

void AppendJsonNumber(int64_t value, std::string* out, Unit unit = Unit::none, int64_t divisor = 1);
void AppendJsonNumber(double value, std::string* out);
template <class Items, class AppendOne>
void AppendJsonList(const Items& items, std::string* out, AppendOne append) {
  out->push_back('[');
  for (const auto& item : items) {
    if (&item != &*items.begin()) out->push_back(',');
    append(item);
  }
  out->push_back(']');
}
void AppendJsonStrings(const std::vector<std::string_view>& list, std::string* out);

// A tensor is {"dtype", "shape", "values"} with flat row-major values; values that JSON has no
// number for are the strings "nan", "-nan", "inf" and "-inf".
// `original`: write as -ids original does.
void AppendJsonCell(const ReportColumn& column, size_t row, bool original, std::string* out);

}  // namespace tfprof
