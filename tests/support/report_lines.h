// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// The rows of a tree answer as `<2 spaces per depth>name self/total` of one measure; "--" if the
// row is not accounted, 0 if the value is absent.
inline std::vector<std::string> TreeLines(const Report& report, Measure measure) {
  const Table& table = report.tables.at(0);
  const auto text = [](int64_t value) { return std::to_string(value == kNoInt ? 0 : value); };
  std::vector<std::string> lines;
  for (size_t i = 0; i < table.rows; ++i) {
    std::string line(2 * size_t{table.depth[i]}, ' ');
    line += table.Find("name")->texts[i];
    const bool accounted = table.Find("accounted")->Integer(i) == 1;
    line += " " + (accounted ? text(At(table.self_values[i], measure)) : std::string("--"));
    line += "/" + text(At(table.total_values[i], measure));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tfprof
