// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/mapping.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>

namespace tfprof {

// Ranges are in a list that only grows (entries are reused), so that the handler may walk it
// without a lock.
struct Mapping::Guarded {
  std::atomic<uintptr_t> start{0};  // 0: unused
  std::atomic<uintptr_t> end{0};
  std::atomic<uint64_t> bad_offset{kGood};
  Guarded* next = nullptr;
};

namespace {

std::atomic<Mapping::Guarded*> all_guarded{nullptr};
std::mutex guarded_mutex;  // for writers
struct sigaction previous_action;
std::atomic<bool> is_caught{false};
const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));

// Async-signal-safe: uses only atomics and one system call.
bool MapZeros(uintptr_t address) {
  for (Mapping::Guarded* range = all_guarded.load(std::memory_order_acquire); range != nullptr;
       range = range->next) {
    const uintptr_t start = range->start.load(std::memory_order_acquire);
    const uintptr_t end = range->end.load(std::memory_order_acquire);
    if (start == 0 || address < start || address >= end) continue;
    const uintptr_t page = address / page_bytes * page_bytes;
    uint64_t bad = range->bad_offset.load();
    while (page - start < bad && !range->bad_offset.compare_exchange_weak(bad, page - start)) {
    }
    return mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

void OnBusError(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const bool handled = MapZeros(reinterpret_cast<uintptr_t>(info->si_addr));
  errno = saved;
  if (handled) return;
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  } else {
    sigaction(SIGBUS, &previous_action, nullptr);  // the retried read ends the process
  }
}

Mapping::Guarded* Guard(const char* start, size_t size) {
  const std::lock_guard lock(guarded_mutex);
  Mapping::Guarded* range = all_guarded.load();
  while (range != nullptr && range->start.load() != 0) range = range->next;
  const bool is_new = range == nullptr;
  if (is_new) range = new Mapping::Guarded;  // lives as long as the program
  range->bad_offset = Mapping::kGood;
  range->end = reinterpret_cast<uintptr_t>(start) + size;
  range->start = reinterpret_cast<uintptr_t>(start);
  if (is_new) {
    range->next = all_guarded.load();
    all_guarded.store(range, std::memory_order_release);
  }
  return range;
}

}  // namespace

void CatchShrinkingFiles() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = OnBusError;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    is_caught = sigaction(SIGBUS, &action, &previous_action) == 0;
  });
}

bool ShrinkingFilesAreCaught() { return is_caught; }

std::shared_ptr<Mapping> Mapping::Open(int fd, const struct stat& stat) {
  std::shared_ptr<Mapping> mapping(new Mapping);
  mapping->size_ = static_cast<size_t>(stat.st_size);
  const size_t file_pages = (mapping->size_ + page_bytes - 1) / page_bytes * page_bytes;
  // Maps one page more than the file: reads after its end return zeros instead of faulting.
  void* const start = mmap(nullptr, file_pages + page_bytes, PROT_READ,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  mapping->start_ = static_cast<const char*>(start);
  mapping->reserved_ = file_pages + page_bytes;
  if (mmap(start, mapping->size_, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
    return nullptr;
  }
  mapping->device_ = stat.st_dev;
  mapping->inode_ = stat.st_ino;
  mapping->guarded_ = Guard(mapping->start_, file_pages);
  return mapping;
}

Mapping::~Mapping() {
  if (guarded_ != nullptr) {
    const std::lock_guard lock(guarded_mutex);
    guarded_->start = 0;
  }
  if (start_ != nullptr) munmap(const_cast<char*>(start_), reserved_);
}

void Mapping::ReleaseRead(const char* begin, const char* end) const {
  const auto page_of = [&](const char* at) {
    return static_cast<size_t>(at - start_) / page_bytes * page_bytes;
  };
  const size_t first = page_of(begin), last = page_of(end);
  if (last > first) madvise(const_cast<char*>(start_) + first, last - first, MADV_DONTNEED);
}

uint64_t Mapping::BadOffset(const char* path) const {
  const uint64_t bad = guarded_->bad_offset.load();
  if (bad != kGood) return bad;
  struct stat now = {};
  // The name now refers to another inode. The mapping still has the whole old file.
  if (stat(path, &now) != 0 || now.st_dev != device_ || now.st_ino != inode_) return kGood;
  return static_cast<size_t>(now.st_size) < size_ ? static_cast<uint64_t>(now.st_size) : kGood;
}

}  // namespace tfprof
