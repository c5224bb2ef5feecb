// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"

namespace tfprof {

// $XDG_CONFIG_HOME/tfprof/config, or in ~/.config; empty without a home.
std::string ConfigPath();

// Applies the lines of the file at `path` as `set` would; a line that begins with # is a comment. A
// missing file has no effect. Errors: usage, with the place.
Result<void> ReadConfig(Session& session, const std::string& path);

}  // namespace tfprof
