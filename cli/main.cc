// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>

#include "cli/answer/output.h"
#include "cli/run.h"
#include "cli/shell/session.h"
#include "cli/shell/terminal.h"
#include "loaders/io/mapping.h"

namespace {

// Ctrl-C stops the running work at its next poll. It ends the program if nothing is running, or if
// an earlier Ctrl-C had no effect yet.
extern "C" void OnInterrupt(int) {
  const bool again = tfprof::Interrupted().exchange(true);
  if (!again && tfprof::Work::Running()) return;
  tfprof::RemoveTemporaries();
  _exit(130);
}

// The signal still ends the program, but leaves no partial file. The handler is set for one signal
// (SA_RESETHAND): the second one, raised here, has its default effect.
extern "C" void OnEnd(int number) {
  tfprof::RemoveTemporaries();
  raise(number);
}

void CatchEnd(int number) {
  struct sigaction before {
  }, action{};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // `nohup` ignores it
  action.sa_handler = OnEnd;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(number, &action, nullptr);
}

void CatchSignals() {
  tfprof::CatchShrinkingFiles();
  std::signal(SIGPIPE, SIG_IGN);  // a failed write reports it
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) CatchEnd(number);
}

// The tables of a query are allocated and freed repeatedly. By default malloc returns large blocks
// to the kernel at once, which clears the same pages again for the next query.
void KeepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // max valid value
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

tfprof::Io ProgramIo() {
  tfprof::Io io;
  io.in = &std::cin;
  io.out = &std::cout;
  io.err = &std::cerr;
  io.in_is_terminal = isatty(STDIN_FILENO) != 0;
  io.out_is_terminal = isatty(STDOUT_FILENO) != 0;
  io.err_is_terminal = isatty(STDERR_FILENO) != 0;
  tfprof::TakeSize(io);
  return io;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  CatchSignals();
  KeepFreedMemory();
  tfprof::Io io = ProgramIo();
  try {
    return tfprof::Run({argv + 1, argv + argc}, io);
  } catch (const std::bad_alloc&) {
    std::cerr << "tfprof: error: not enough memory\n";
  } catch (const std::exception& error) {
    std::cerr << "tfprof: error: " << error.what() << "\n";
  }
  return 1;
}
