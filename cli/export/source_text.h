// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Lines of source files below one folder. Paths come from profiles, which may name any file: a path
// with `..`, and a link that leads out of the folder, have no lines. Neither have large files,
// those with a byte 0, and files beyond a limit for the memory of all.
class SourceFiles {
 public:
  explicit SourceFiles(const std::string& folder);

  // Returns a line, from 1, without the blanks around it; empty: there is no such line. The file is
  // the one below the folder whose path is the longest end of `path`.
  std::string_view LineOf(std::string_view path, int64_t line);

 private:
  struct SourceText {
    std::string text;
    std::vector<std::string_view> lines;
  };
  const SourceText& TextOf(std::string_view path);

  std::string folder_;  // canonical, with a slash at its end; empty: there is none
  size_t room_;
  std::map<std::string, SourceText, std::less<>> texts_;  // by path in the profile
};

// Error: unreadable, -sources names no folder.
Result<void> CheckSources(const std::string& out, const Query& query);

// Adds a column with the text of the line to tables that name source lines, if a line is there.
void AddSourceText(SourceFiles* files, Report* report);

}  // namespace tfprof
