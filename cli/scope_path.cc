// SPDX-License-Identifier: Apache-2.0
#include "cli/scope_path.h"

namespace tfprof {

std::string ScopePath::Full() const {
  if (from.empty() || rest.empty()) return from + std::string(rest);
  return from + "/" + std::string(rest);
}

Result<ScopePath> ReadScopePath(std::string_view path, std::string under) {
  if (path.starts_with('/')) return ScopePath{{}, path.substr(1), false};
  const bool anywhere = path != ".." && !path.starts_with("../");
  while (path == ".." || path.starts_with("../")) {
    if (under.empty()) return Fail(ErrorKind::usage, "this is the whole profile already");
    const size_t slash = under.rfind('/');
    under.resize(slash == std::string::npos ? 0 : slash);
    path.remove_prefix(path == ".." ? 2 : 3);
  }
  return ScopePath{std::move(under), path, anywhere};
}

}  // namespace tfprof
