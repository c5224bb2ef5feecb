// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/line_keys.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/answer/output.h"
#include "cli/shell/session.h"

namespace tfprof {
namespace {

constexpr int kLines = 1000;
constexpr off_t kMaxBytes = 1 << 18;  // size of the file above which old lines are dropped

struct Close {
  void operator()(FILE* file) const { fclose(file); }
};
using File = std::unique_ptr<FILE, Close>;

::History* NewHistory(int lines) {
  ::History* past = history_init();
  if (past == nullptr) return nullptr;
  HistEvent event;
  history(past, &event, H_SETSIZE, lines);
  history(past, &event, H_SETUNIQUE, 1);
  return past;
}

bool Names(const std::string& path, int descriptor) {
  struct stat open {
  }, there{};
  return fstat(descriptor, &open) == 0 && stat(path.c_str(), &there) == 0 &&
         IsSameFile(open, there);
}

// Opens the file at its end, locked until it is closed, with access for its owner only. If another
// shell replaces the file before the lock is acquired, opens the new one. Null: the file cannot be
// written.
File OpenLocked(const std::string& path) {
  for (;;) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0) return nullptr;
    File file(fdopen(descriptor, "a"));
    if (file == nullptr || flock(descriptor, LOCK_EX) != 0) return nullptr;
    if (!Names(path, descriptor)) continue;
    fseek(file.get(), 0, SEEK_END);
    return file;
  }
}

// Keeps the newest lines of a long file. `past` has them.
void Shorten(::History* past, const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || status.st_size <= kMaxBytes) return;
  const File locked = OpenLocked(path);
  if (locked == nullptr) return;
  HistEvent event;
  history(past, &event, H_CLEAR);  // includes lines added since
  history(past, &event, H_LOAD, path.c_str());
  Temporary shorter;
  const int descriptor = shorter.Create(path);
  if (descriptor < 0) return;
  File file(fdopen(descriptor, "w"));
  const bool saved = file != nullptr && history(past, &event, H_SAVE_FP, file.get()) >= 0 &&
                     fflush(file.get()) == 0;
  if (saved) shorter.Rename(path);
}

}  // namespace

::History* OpenHistory(const std::string& path) {
  ::History* past = NewHistory(kLines);
  if (past == nullptr || path.empty()) return past;
  HistEvent event;
  history(past, &event, H_LOAD, path.c_str());
  Shorten(past, path);
  return past;
}

void AddToHistory(::History* past, const std::string& path, const std::string& line) {
  HistEvent event;
  const bool again = history(past, &event, H_FIRST) >= 0 && line == event.str;
  history(past, &event, H_ENTER, line.c_str());
  if (path.empty() || again) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const File file = OpenLocked(path);
  ::History* one = NewHistory(1);
  if (file != nullptr && one != nullptr) {
    history(one, &event, H_ENTER, line.c_str());
    history(one, &event, H_SAVE_FP, file.get());  // in the library's own encoding
  }
  if (one != nullptr) history_end(one);
}

}  // namespace tfprof
