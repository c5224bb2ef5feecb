// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"
#include "emitters/emitter.h"

// What a report tells people besides its tables (Property::head): few lines, aligned. What is
// absent is left out.

namespace tfprof {

struct FactLine {
  std::string head;
  std::vector<std::string> facts;  // printable: "mean 552 us"
};

// With commas between them, in lines of at most `most` cells, broken behind commas only; 0: in one.
std::vector<std::string> SideBySide(const std::vector<std::string>& facts, size_t most);

// In the order in which they were told; without commands.
std::vector<FactLine> FactLines(const Report& report, bool utf8);

// The commands to go on with, each with its head.
std::vector<FactLine> CommandLines(const Report& report, bool utf8);

// Heads in one column, facts in the next with commas between them, broken behind commas where a
// line is too long. Commands are not broken: where one is too long, each has a line of its own.
void AppendFacts(const Report& report, const Style& style, std::string* out);
void AppendCommands(const Report& report, const Style& style, std::string* out);

}  // namespace tfprof
