// SPDX-License-Identifier: Apache-2.0
// Prints the time of a launch on the fake GPU; with the recorder, less that without it, is what it
// costs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "capture/testing/fake_cuda.h"

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  cuInit(0);
  const double start = now();
  for (int i = 0; i < count; ++i) cuLaunchKernel("kernel", 1, 32, 7, 10);
  std::printf("%.1f ns per launch\n", (now() - start) / count);
  return 0;
}
