// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace tfprof {

// Sets the SIGBUS handler. Signals belong to the program, not to a library: main calls this, and
// files are mapped only after it.
void CatchShrinkingFiles();
bool ShrinkingFilesAreCaught();

// A read-only file in memory, followed by at least kPadding zero bytes.
//
// A mapped file may change while it is read, so a checked value may differ when it is read again.
// Readers read each byte that memory safety depends on once, or copy it first.
//
// It may also shrink; the kernel then sends SIGBUS. The handler of CatchShrinkingFiles maps zeros
// over the rest of that mapping, records the place, and lets the read continue. The reader ends
// soon, with garbage, and its caller checks BadOffset() before it uses any result. The handler does
// not jump out (sigsetjmp): a jump skips destructors, and works only on the thread that set it.
// SIGBUS anywhere else goes to the previous handler.
class Mapping {
 public:
  static constexpr uint64_t kGood = ~uint64_t{0};

  // Maps the regular file `fd` of `stat.st_size` > 0 bytes. Returns null with errno set on failure.
  // The descriptor is not needed afterwards.
  static std::shared_ptr<Mapping> Open(int fd, const struct stat& stat);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  std::string_view bytes() const { return {start_, size_}; }
  // Returns the first offset that could not be read, or kGood. Pass the path to compare with the
  // current size of the file, which also detects shrinking without a signal.
  uint64_t BadOffset(const char* path) const;

  // Releases the whole pages between these places. They stay in the page cache but no longer count
  // as memory of this process; reading them again costs a minor fault per 64 KiB.
  void ReleaseRead(const char* begin, const char* end) const;

  struct Guarded;  // a mapped range, as the signal handler uses it

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
