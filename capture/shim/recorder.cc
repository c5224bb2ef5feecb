// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/recorder.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/shim/chunks.h"
#include "capture/shim/control/selection.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/cupti/activities.h"
#include "capture/shim/names.h"
#include "capture/shim/nvtx/attach.h"
#include "capture/shim/python/stacks.h"
#include "capture/shim/writer.h"

namespace tfprof::capture {

Recorder g_recorder;

namespace {

pthread_mutex_t g_start_lock = PTHREAD_MUTEX_INITIALIZER;
bool g_has_hooks = false;

uint64_t TimeOf(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void AtExit() {
  if (g_recorder.mode.load() != Mode::on) return;
  FinishControl();
  FinishWriter();
  g_recorder.mode.store(Mode::dormant);
}

// The child has one thread and none of ours. It starts a spool of its own when it records
// something.
void InChild() {
  g_recorder.generation.fetch_add(1);
  pthread_mutex_init(&g_start_lock, nullptr);
  ForgetLogs();
  UnlockNames();
  ForgetControl();
  ForgetDomains();
  ForgetActivities();
  ForgetPython();
  ForgetWriter();
  if (g_recorder.mode.load() == Mode::on) g_recorder.mode.store(Mode::off);
}

void InstallHooks() {
  if (g_has_hooks) return;
  g_has_hooks = true;
  pthread_atfork(nullptr, nullptr, InChild);
  std::atexit(AtExit);
}

// With --preload-exit also where no handlers run (exit_library.cc).
void FlushBeforeExit() {
  using AtEnd = void (*)(void (*flush)());
  const auto at_end = reinterpret_cast<AtEnd>(dlsym(RTLD_DEFAULT, "tfprof_capture_at_exit"));
  if (at_end != nullptr) at_end(AtExit);
}

// With the lock held.
Mode Start() {
  g_recorder.config = ReadConfig();
  if (g_recorder.config.folder[0] == '\0') return Mode::dormant;
  if (const char* option = SkippedBy(g_recorder.config)) {
    WriteSkipped(option);
    return Mode::dormant;
  }
  InstallHooks();
  StartControl();
  const char* what = nullptr;
  const int error = StartWriter(&what);
  if (error == 0) {
    FlushBeforeExit();
    return Mode::on;
  }
  char text[256];
  std::snprintf(text, sizeof text, "nothing is recorded: %s: %s", what, std::strerror(error));
  Say(text, error == EAGAIN || error == EMFILE || error == ENFILE
                ? "raise the limit (ulimit -a)"
                : "choose a writable folder with -o");
  return Mode::dormant;
}

}  // namespace

bool StartRecording() {
  pthread_mutex_lock(&g_start_lock);
  if (g_recorder.mode.load() == Mode::off) {
    const int before = errno;
    g_recorder.mode.store(Start());
    if (g_recorder.mode.load() == Mode::on) StartPython();
    errno = before;
  }
  pthread_mutex_unlock(&g_start_lock);
  return g_recorder.mode.load() == Mode::on;
}

// Signals are the program's: its own threads must get them. A write beyond a limit then is an error
// here, not SIGXFSZ.
int StartOwnThread(void* (*run)(void*), const char* name) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 512 << 10);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, run, nullptr);
  if (error == 0) pthread_setname_np(thread, name);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error;
}

void StopRecording(const char* what, const char* fix) {
  Mode on = Mode::on;
  if (g_recorder.mode.compare_exchange_strong(on, Mode::dormant)) Say(what, fix);
}

void Say(const char* what, const char* fix) {
  if (g_recorder.config.quiet) return;
  char line[512];
  const int length =
      std::snprintf(line, sizeof line, "tfprof-capture: process %d: %s; %s\n", getpid(), what, fix);
  if (length <= 0) return;
  const size_t bytes =
      static_cast<size_t>(length) < sizeof line ? static_cast<size_t>(length) : sizeof line - 1;
  // Nothing can be done about a closed standard error.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, bytes);
}

bool LockInTime(pthread_mutex_t* lock, uint64_t ns) {
  const uint64_t until = WallTime() + ns;
  const timespec time = {static_cast<time_t>(until / 1'000'000'000),
                         static_cast<long>(until % 1'000'000'000)};
  return pthread_mutex_timedlock(lock, &time) == 0;
}

uint64_t WallTime() { return TimeOf(CLOCK_REALTIME); }
uint64_t MonotonicTime() { return TimeOf(CLOCK_MONOTONIC); }

}  // namespace tfprof::capture
