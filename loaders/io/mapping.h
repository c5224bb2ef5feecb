// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tfprof {

// Sets the handler of SIGBUS. A signal belongs to the program, not to a library: main calls this,
// and files are mapped only then.
void CatchShrinkingFiles();
bool ShrinkingFilesAreCaught();

// A file in memory, read-only, followed by at least kPadding zero bytes.
//
// A mapped file may change while it is read, so what was checked may be something else when it is
// read again: readers take each byte that memory depends on once, or copy it first.
//
// It may also shrink; the kernel then sends SIGBUS. The handler that CatchShrinkingFiles sets maps
// zeros over the rest of that mapping, remembers where, and lets the read go on: it ends soon, with
// garbage, and whoever started it asks BadOffset() before believing anything. Jumping out of the
// handler (sigsetjmp) was not taken: it skips destructors, and works only on the thread that set
// the jump. SIGBUS anywhere else goes to the handler there was before.
class Mapping {
 public:
  static constexpr uint64_t kGood = ~uint64_t{0};

  // Maps the regular file `fd` of `stat.st_size` > 0 bytes; null with errno set on failure. The
  // descriptor is not needed afterwards.
  static std::shared_ptr<Mapping> Open(int fd, const struct stat& stat);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  std::string_view bytes() const { return {start_, size_}; }
  // The first offset that could not be read, or kGood. Sees also what shrank without a signal:
  // pass the path to compare the file's size of now.
  uint64_t BadOffset(const char* path) const;

  // Whole pages between these places of the mapping stay in the cache of the kernel but no longer
  // count as memory of this process; reading them again costs a minor fault for 64 KiB.
  void GiveBack(const char* begin, const char* end) const;

  struct Guarded;  // a mapped range, as the signal handler sees it

 private:
  Mapping() = default;

  const char* start_ = nullptr;
  size_t size_ = 0;
  size_t reserved_ = 0;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  Guarded* guarded_ = nullptr;
};

}  // namespace tfprof
