// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/progress.h"

#include <catch2/catch.hpp>

namespace tfprof {

TEST_CASE("progress: how long reading took is told to who had to wait") {
  using std::chrono::milliseconds;
  CHECK(ReadIn(milliseconds(0)).empty());
  CHECK(ReadIn(milliseconds(999)).empty());
  CHECK(ReadIn(milliseconds(1000)) == ", read in 1.0 s");
  CHECK(ReadIn(milliseconds(12'340)) == ", read in 12.3 s");
}

}  // namespace tfprof
