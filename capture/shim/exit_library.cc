// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD. Programs that end by _exit, such as workers of multiprocessing, run no
// handlers of exit, so that what they recorded last is lost. This library has functions of these
// names, which let the recorder write the rest before the process ends. The recorder finds it by
// the third function, and limits the time that this takes.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {

using Flush = void (*)();
std::atomic<Flush> g_flush{nullptr};
std::atomic<pid_t> g_process{0};

// A child after vfork has the memory of its parent, and one after fork has none of its threads.
void FlushOnce() {
  if (g_process.load() != getpid()) return;
  const Flush flush = g_flush.exchange(nullptr);
  if (flush != nullptr) flush();
}

[[noreturn]] void End(int status) {
  FlushOnce();
  while (true) syscall(SYS_exit_group, status);
}

}  // namespace

#define TFPROF_EXPORT extern "C" __attribute__((visibility("default")))

TFPROF_EXPORT void tfprof_capture_at_exit(void (*flush)()) {
  g_process.store(getpid());
  g_flush.store(flush);
}

TFPROF_EXPORT __attribute__((noreturn)) void _exit(int status) { End(status); }
TFPROF_EXPORT __attribute__((noreturn)) void _Exit(int status) noexcept { End(status); }
