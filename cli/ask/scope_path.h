// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// A scope as users write it from the current scope: `conv1`, `/loss`, `../../dense`, `conv1/..`.
struct ScopePath {
  std::string from;       // the scope that it starts in; empty: the whole profile
  std::string rest;       // the path below `from`; empty: `from` itself
  bool anywhere = false;  // without / and ..: `rest` may also start at the whole profile

  std::string Full() const;  // from the whole profile; empty: all of it
};

// Reads `path` from the scope `under`. As in a shell, `.` is the current scope, .. at the top stays
// there, and several slashes are one. A slash at the end stays in `rest`.
ScopePath ReadScopePath(std::string_view path, std::string under);

}  // namespace tfprof
