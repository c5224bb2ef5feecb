// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/pager.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tfprof {

std::string PagerCommand() {
  for (const char* name : {"TFPROF_PAGER", "PAGER"}) {
    const char* command = std::getenv(name);
    if (command == nullptr) continue;
    const std::string_view text = command;
    if (text.empty() || text == "cat") return {};
    // less: quit if the text fits, show colors, cut long lines, keep the answer on the screen.
    return "LESS=${LESS:-FRSX} " + std::string(text);
  }
  for (const char* less : {"/usr/bin/less", "/bin/less"}) {
    if (access(less, X_OK) == 0) return std::string(less) + " -FRSX";
  }
  return {};
}

bool NeedsPager(const Session& session, std::string_view text) {
  if (!session.interactive || !session.pages || session.io.rows <= 0) return false;
  return std::count(text.begin(), text.end(), '\n') >= session.io.rows;
}

}  // namespace tfprof
