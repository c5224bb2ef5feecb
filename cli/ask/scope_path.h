// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// A scope as people write it from where they are: `conv1`, `/loss`, `../../dense`, `conv1/..`.
struct ScopePath {
  std::string from;       // the scope that it starts in; empty: the whole profile
  std::string rest;       // what is looked for there; empty: `from` itself
  bool anywhere = false;  // neither / nor .. says where: `rest` may be of the whole profile, too

  std::string Full() const;  // from the whole profile on; empty: all of it
};

// `path` of somebody who is in the scope `under`. As in a shell `.` is where one is, .. above the
// whole profile stays there, and several slashes are one. A slash at the end stays in `rest`.
ScopePath ReadScopePath(std::string_view path, std::string under);

}  // namespace tfprof
