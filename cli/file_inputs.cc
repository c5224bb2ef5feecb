// SPDX-License-Identifier: Apache-2.0
#include "cli/file_inputs.h"

#include <glob.h>

#include <algorithm>
#include <cstring>

#include "loaders/io/exists.h"

namespace tfprof {

std::vector<std::string> FilesLike(const std::string& path) {
  std::vector<std::string> found;
  if (path.find_first_of("*?[") == std::string::npos || Exists(path)) return found;
  glob_t matches{};
  if (glob(path.c_str(), 0, nullptr, &matches) == 0) {
    found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  }
  globfree(&matches);
  return found;
}

bool NamesFile(const std::string& text) { return Exists(text) || !FilesLike(text).empty(); }

std::vector<Input> FileInputs(const std::vector<std::string>& paths, const std::string& format,
                              const std::string& run) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    const std::vector<std::string> matches = FilesLike(path);
    found.insert(found.end(), matches.begin(), matches.end());
    if (matches.empty()) found.push_back(path);
  }
  std::stable_sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  std::vector<Input> inputs;
  for (std::string& path : found) inputs.push_back({std::move(path), format, false, run});
  return inputs;
}

}  // namespace tfprof
