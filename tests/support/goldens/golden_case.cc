// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/golden_case.h"

#include <fmt/core.h>

#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace tfprof {
namespace {

constexpr std::string_view kPrompt = "$ tfprof";
constexpr std::string_view kErrMark = "--- stderr\n";
constexpr std::string_view kFileMark = "--- file ";
constexpr std::string_view kExitMark = "--- exit ";

// Removes the next line, with its line end, from `text` and returns it.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end == text.npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

// Returns true if the character at `i`, a backslash, quotes the next one.
bool Escapes(std::string_view line, size_t i, char quote) {
  if (i + 1 == line.size() || quote == '\'') return false;
  return quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\';
}

// Splits words as a shell does, including quotes inside a word. nullopt: an unclosed quote.
std::optional<std::vector<std::string>> SplitWords(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool space = quote == 0 && (c == ' ' || c == '\t' || c == '\n');
    if (!space && !in_word) words.emplace_back();
    in_word = !space;
    if (space) continue;
    if (quote == 0 ? c == '\'' || c == '"' : c == quote) {
      quote = quote == 0 ? c : 0;
    } else {
      if (c == '\\' && Escapes(line, i, quote)) ++i;
      words.back() += line[i];
    }
  }
  if (quote != 0) return std::nullopt;
  return words;
}

// Reads the part after the command line.
void ReadExpectation(std::string_view text, GoldenCase& golden) {
  std::string* section = &golden.out;
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    if (line == kErrMark) {
      section = &golden.err;
    } else if (line.starts_with(kFileMark) && line.ends_with('\n')) {
      section = &golden.files[std::string(
          line.substr(kFileMark.size(), line.size() - kFileMark.size() - 1))];
    } else if (line.starts_with(kExitMark)) {
      const std::string_view digits = line.substr(kExitMark.size());
      std::from_chars(digits.data(), digits.data() + digits.size(), golden.exit_status);
    } else {
      section->append(line);
    }
  }
}

std::string_view FromProfileLine(std::string_view text) {
  while (!text.empty() && !text.starts_with("Profile:")) TakeLine(text);
  return text;
}

// The first line in which two texts differ, as a sentence; empty: they are equal.
std::string FirstDifference(std::string_view what, std::string_view expected,
                            std::string_view actual) {
  if (expected == actual) return {};
  for (int line = 1;; ++line) {
    const std::string_view want = TakeLine(expected), got = TakeLine(actual);
    if (want == got) continue;
    const auto shown = [](std::string_view text) {
      if (text.empty()) return std::string("(nothing)");
      return std::string(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text);
    };
    return fmt::format("{}, line {}:\n  expected: {}\n  printed:  {}\n", what, line, shown(want),
                       shown(got));
  }
}

}  // namespace

Result<GoldenCase> ParseGolden(std::string_view text, bool classic) {
  const std::string_view command = TakeLine(text);
  if (!command.starts_with(kPrompt)) {
    return Fail(ErrorKind::corrupt,
                fmt::format("the first line does not start with `{}`", kPrompt));
  }
  auto words = SplitWords(command.substr(kPrompt.size()));
  if (!words) return Fail(ErrorKind::corrupt, "the command leaves a quote open");
  GoldenCase golden{.args = std::move(*words)};
  if (golden.args.size() >= 2 && golden.args[golden.args.size() - 2] == "<") {
    golden.in_path = golden.args.back();
    golden.args.resize(golden.args.size() - 2);
  }
  if (text.empty()) {
    if (!classic) return Fail(ErrorKind::corrupt, "no expectation: run with --update");
    golden.exit_status = 2;
  }
  ReadExpectation(text, golden);
  return golden;
}

Result<std::string> FormatGolden(std::string_view text, const GoldenRun& run) {
  const auto fits = [](const std::string& text) { return text.empty() || text.ends_with('\n'); };
  bool fit = fits(run.out) && fits(run.err);
  for (const auto& [name, written] : run.files) fit = fit && fits(written);
  if (!fit) return Fail(ErrorKind::unwritable, "the output does not end with a line end");
  std::string file(TakeLine(text));
  if (!file.ends_with('\n')) file += '\n';
  file += run.out;
  if (!run.err.empty()) fmt::format_to(std::back_inserter(file), "{}{}", kErrMark, run.err);
  for (const auto& [name, written] : run.files) {
    fmt::format_to(std::back_inserter(file), "{}{}\n{}", kFileMark, name, written);
  }
  const bool silent = run.out.empty() && run.err.empty() && run.files.empty();
  if (run.exit_status != 0 || silent) {
    fmt::format_to(std::back_inserter(file), "{}{}\n", kExitMark, run.exit_status);
  }
  return file;
}

std::string CompareGolden(const GoldenCase& expected, const GoldenRun& run, bool classic) {
  std::string difference;
  if (run.exit_status != expected.exit_status) {
    difference =
        fmt::format("exit status {} instead of {}\n", run.exit_status, expected.exit_status);
  }
  const std::string_view out = classic ? FromProfileLine(run.out) : std::string_view(run.out);
  difference += FirstDifference("standard output", expected.out, out);
  if (classic) return difference;
  difference += FirstDifference("standard error", expected.err, run.err);
  for (const auto& [name, text] : expected.files) {
    const auto written = run.files.find(name);
    difference += written == run.files.end() ? fmt::format("file {} was not written\n", name)
                                             : FirstDifference(name, text, written->second);
  }
  for (const auto& [name, text] : run.files) {
    if (expected.files.count(name) == 0) difference += fmt::format("unexpected file {}\n", name);
  }
  return difference;
}

}  // namespace tfprof
