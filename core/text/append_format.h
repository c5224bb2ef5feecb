// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <string>

namespace tfprof {

void AppendFormatted(fmt::string_view format, fmt::format_args args, std::string* out);

// Appends formatted text. fmt::format_to does the same, and compiles all of fmt's formatting into
// every file that calls it.
template <class... T>
void AppendFormat(std::string* out, fmt::format_string<T...> format, T&&... args) {
  AppendFormatted(format, fmt::make_format_args(args...), out);
}

}  // namespace tfprof
