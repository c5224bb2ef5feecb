// SPDX-License-Identifier: Apache-2.0
// Prints the time of a launch on the fake GPU; with the recorder, less that without it, is what it
// costs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "capture/testing/fake_cuda.h"

int main(int argc, char** argv) {
  const auto count = static_cast<uint32_t>(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
  cuInit(0);
  std::printf("%.1f ns per launch\n", fake_cuda_time_launches(count));
  return 0;
}
