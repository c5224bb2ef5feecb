// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/temporary.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace tfprof {
namespace {

// What a signal handler may look at: no memory that moves, no lock. A line writes few files at
// once.
struct Slot {
  std::atomic<bool> used{false};
  char path[PATH_MAX];
};
Slot slots[8];
static_assert(std::atomic<bool>::is_always_lock_free);

// No signal between the making of a file and its entry among the slots.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

int TakeSlot(const std::string& path) {
  if (path.size() >= sizeof(Slot::path)) return -1;
  const auto free =
      std::find_if(std::begin(slots), std::end(slots), [](const Slot& slot) { return !slot.used; });
  if (free == std::end(slots)) return -1;
  path.copy(free->path, path.size());
  free->path[path.size()] = '\0';
  free->used = true;
  return static_cast<int>(free - std::begin(slots));
}

}  // namespace

Temporary::~Temporary() {
  if (path_.empty()) return;
  unlink(path_.c_str());
  Forget();
}

int Temporary::Create(const std::string& target) {
  const SignalsBlocked blocked;
  std::string path = target + ".XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) return -1;
  slot_ = TakeSlot(path);
  path_ = std::move(path);
  return descriptor;
}

int Temporary::Rename(const std::string& target) {
  if (rename(path_.c_str(), target.c_str()) != 0) return errno;
  Forget();
  return 0;
}

void Temporary::Forget() {
  path_.clear();
  if (slot_ >= 0) slots[std::exchange(slot_, -1)].used = false;
}

void RemoveTemporaries() {
  for (const Slot& slot : slots) {
    if (slot.used) unlink(slot.path);
  }
}

}  // namespace tfprof
