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
//   what it prints
//   --- stderr                 optional: the lines on standard error; none when absent
//   a sentence
//   --- file NAME              optional: a file that the command wrote to OUT/NAME. In commands and
//   its text (golden_file.h)   outputs OUT stands for a folder that is empty before
//   --- exit 2                 optional, last: the exit status; 0 when absent
//
// A file with nothing after its first line has no expectation yet, which is a failure; a command
// that prints nothing says so with `--- exit 0`.
//
// Files in golden/classic hold what the original program prints from its line `Profile:` on. Ours
// is compared from that line on; standard error is not compared; a file with nothing after its
// first line is a command that the original refuses (status 2).
struct GoldenCase {
  std::vector<std::string> args;  // without the program's name
  std::string in_path;            // standard input; empty: nothing to read
  std::string out;
  std::string err;
  std::map<std::string, std::string> files;  // by name
  int exit_status = 0;
};

// What a run of the program left.
struct GoldenRun {
  std::string out;
  std::string err;
  std::map<std::string, std::string> files = {};
  int exit_status = 0;
};

// Reads the text of a golden file. Errors: no command, an open quote, no expectation.
Result<GoldenCase> ParseGolden(std::string_view text, bool classic);

// The file that expects `run`: the command line of `text`, then what happened. Error: output that
// or a file does not end with a line end, which a golden file cannot say.
Result<std::string> FormatGolden(std::string_view text, const GoldenRun& run);

// Where `run` is not what `expected` says: the first line that differs. Empty: it is.
std::string CompareGolden(const GoldenCase& expected, const GoldenRun& run, bool classic);

}  // namespace tfprof
