// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"
#include "emitters/emitter.h"

// Facts that a report shows besides its tables (Property::head): few lines, aligned. Absent facts
// are left out.

namespace tfprof {

struct FactLine {
  std::string head;
  std::vector<std::string> facts;  // printable: "mean 552 us"
};

// Joins facts with commas into lines of at most `max` cells, broken after commas only; 0: one
// line.
std::vector<std::string> SideBySide(const std::vector<std::string>& facts, size_t max);

// Returns the facts in the report's order, without commands.
std::vector<FactLine> FactLines(const Report& report, bool utf8);

// Appends labels in one column and facts in the next, separated by commas and broken after commas
// if a line is too long. Commands are not broken: if one is too long, each has its own line.
void AppendFacts(const Report& report, const Style& style, std::string* out);
void AppendCommands(const Report& report, const Style& style, std::string* out);

}  // namespace tfprof
