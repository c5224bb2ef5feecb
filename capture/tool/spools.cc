// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/spools.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tfprof::capture {

namespace fs = std::filesystem;

std::vector<fs::path> SpoolsIn(const fs::path& folder) {
  std::vector<fs::path> spools;
  std::error_code failed;
  for (fs::directory_iterator at(folder / "spool", failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() == ".tfs") spools.push_back(at->path());
  }
  std::sort(spools.begin(), spools.end());
  return spools;
}

// The recorder holds a lock as long as its process lives.
bool IsRunning(const std::string& spool) {
  const int file = open(spool.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return is_locked;
}

}  // namespace tfprof::capture
