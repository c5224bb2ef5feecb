// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/progress.h"

#include <catch2/catch.hpp>

namespace tfprof::progress_test {

TEST_CASE("progress: the reading time is printed if the user had to wait") {
  using std::chrono::milliseconds;
  CHECK(ReadTimeText(milliseconds(0)).empty());
  CHECK(ReadTimeText(milliseconds(999)).empty());
  CHECK(ReadTimeText(milliseconds(1000)) == ", read in 1.0 s");
  CHECK(ReadTimeText(milliseconds(12'340)) == ", read in 12.3 s");
}

}  // namespace tfprof::progress_test
