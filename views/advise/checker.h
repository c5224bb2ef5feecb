// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <string_view>

#include "core/query.h"

namespace tfprof {

// What -checker can name.
struct Checker {
  std::string_view name;
  std::string_view summary;
};

// In the order of `help advise`; the original's four first.
std::span<const Checker> Checkers();

// Whether -checker names it; without -checker all are asked.
inline bool IsAsked(std::string_view checker, const Query& query) {
  return query.checkers.empty() ||
         std::find(query.checkers.begin(), query.checkers.end(), checker) != query.checkers.end();
}

}  // namespace tfprof
