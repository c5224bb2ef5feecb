// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// One file below tests/golden:
//
//   $ tfprof ARGS [< FILE]     as typed in the repository's root; '..', ".." and \ quote
//   standard output
//   --- stderr                 optional: the lines on standard error; none if absent
//   a sentence
//   --- file NAME              optional: a file that the command wrote to OUT/NAME. In commands and
//   its text (golden_file.h)   outputs, OUT is a folder that is empty before the run
//   --- exit 2                 optional, last: the exit status; 0 if absent
//
// A file with only a command line has no expectation yet, which is a failure. A command without
// output has `--- exit 0`.
//
// Files in golden/classic contain the output of the original program from its line `Profile:` on.
// Ours is compared from that line on, and standard error is not compared. A file with only a
// command line is a command that the original rejects (status 2).
struct GoldenCase {
  std::vector<std::string> args;  // without the program's name
  std::string in_path;            // standard input; empty: nothing to read
  std::string out;
  std::string err;
  std::map<std::string, std::string> files;  // by name
  int exit_status = 0;
};

// The results of a run of the program.
struct GoldenRun {
  std::string out;
  std::string err;
  std::map<std::string, std::string> files = {};
  int exit_status = 0;
};

// Reads the text of a golden file. Errors: no command, an open quote, no expectation.
Result<GoldenCase> ParseGolden(std::string_view text, bool classic);

// The golden file that expects `run`: the command line of `text`, then the results. Error: output
// or a file without a final line end, which a golden file cannot express.
Result<std::string> FormatGolden(std::string_view text, const GoldenRun& run);

// The first difference between `run` and `expected`. Empty: none.
std::string CompareGolden(const GoldenCase& expected, const GoldenRun& run, bool classic);

}  // namespace tfprof
