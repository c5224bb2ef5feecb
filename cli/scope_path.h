// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace tfprof {

// A scope as people write it from where they are: `conv1`, `/loss`, `../../dense`.
struct ScopePath {
  std::string from;       // the scope that it starts in; empty: the whole profile
  std::string_view rest;  // what is looked for there; empty: `from` itself
  bool anywhere = false;  // neither / nor .. says where: `rest` may be of the whole profile, too

  std::string Full() const;  // from the whole profile on; empty: all of it
};

// `path` of somebody who is in the scope `under`. Error: usage, it leads out of the profile.
Result<ScopePath> ReadScopePath(std::string_view path, std::string under);

}  // namespace tfprof
