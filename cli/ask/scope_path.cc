// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/scope_path.h"

#include <algorithm>

namespace tfprof {
namespace {

// Drops the last part of a path.
void DropLast(std::string* path) {
  const size_t slash = path->rfind('/');
  path->resize(slash == std::string::npos ? 0 : slash);
}

}  // namespace

std::string ScopePath::Full() const {
  if (from.empty() || rest.empty()) return from + rest;
  return from + "/" + rest;
}

ScopePath ReadScopePath(std::string_view path, std::string under) {
  ScopePath read{std::move(under), {}, true};
  if (path.starts_with('/')) read = {{}, {}, false};
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part == "." || part == "..") {
      if (read.rest.empty()) read.anywhere = false;
      if (part == "..") DropLast(read.rest.empty() ? &read.from : &read.rest);
    } else if (!part.empty()) {
      if (!read.rest.empty()) read.rest += '/';
      read.rest += part;
    }
  }
  if (read.rest.empty() && !path.empty()) read.anywhere = false;
  if (!read.rest.empty() && path.ends_with('/')) read.rest += '/';
  return read;
}

}  // namespace tfprof
