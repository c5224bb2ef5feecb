// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

namespace tfprof {
namespace {

// State that a signal handler may read: no memory that moves, no lock. A command writes few files
// at once.
struct Slot {
  std::atomic<bool> used{false};
  char path[PATH_MAX];
};
Slot slots[8];
static_assert(std::atomic<bool>::is_always_lock_free);

// Blocks signals between the creation of a file and its entry in the slots.
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

constexpr std::string_view kEnding = ".XXXXXX";  // mkostemp replaces the six X

// The target's name may already have the max length: the temporary name is cut to fit.
std::string RoomForEnding(const std::string& target) {
  const size_t name = target.rfind('/') + 1;  // 0 where there is no folder
  return target.substr(0, name + std::min(target.size() - name, NAME_MAX - kEnding.size()));
}

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
  std::string path = RoomForEnding(target) + std::string(kEnding);
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
