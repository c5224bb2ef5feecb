// SPDX-License-Identifier: Apache-2.0
// What the recorder itself costs on the program's thread, without NVTX and CUPTI in between: CPU
// time of this thread per append, per range (push and pop), and per call of the CUDA API (enter and
// exit). Records go to the folder that is the first argument. With TFPROF_CAPTURE_OPTS=paused it is
// the time in a pause.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "capture/shim/chunks.h"
#include "capture/shim/config.h"
#include "capture/shim/cupti/calls.h"
#include "capture/shim/names.h"
#include "capture/shim/nvtx/ranges.h"
#include "capture/spool/format.h"

namespace {

double CpuNs() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Work>
void Measure(const char* what, Work work) {
  constexpr int kCount = 2'000'000;
  const double start = CpuNs();
  for (int i = 0; i < kCount; ++i) work(i);
  std::printf("%-24s %6.1f ns\n", what, (CpuNs() - start) / kCount);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tfprof::capture;
  if (argc < 2) return 64;
  setenv(kFolderVariable, argv[1], 1);
  if (!StartRecording()) return 1;
  ThreadLog* log = Log();
  const NameEntry* name = Intern("range");
  for (int round = 0; round < 3; ++round) {
    Measure("clock_gettime", [](int) { WallTime(); });
    Measure("append of 24 bytes", [&](int) { Append(log, PushRecord{}); });
    Measure("range (push and pop)", [&](int) {
      PushPayloadRecord push;
      push.push.head = {RecordKind::push, sizeof(PushRecord), name->id};
      PushRange(log, &push, name);
      PopRange(log, 0);
    });
    Measure("call (enter and exit)", [](int i) {
      cupti::CallbackData call = {};
      call.correlation = static_cast<uint32_t>(i) + 1;
      OnCall(nullptr, cupti::kDriverDomain, 307, &call);
      call.site = cupti::Site::exit;
      OnCall(nullptr, cupti::kDriverDomain, 307, &call);
    });
  }
  return 0;
}
