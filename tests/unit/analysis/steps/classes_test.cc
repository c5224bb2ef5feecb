// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/classes.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfprof::classes_test {

TEST_CASE("only the part of a span within the step counts for its class") {
  using enum StepClass;
  std::vector<ClassSpan> spans{
      {-50, 10, compute_32}, {-40, 5, collectives}, {90, 140, collectives}, {200, 300, compute_32}};
  const ClassTimes times = TimesOfClasses(spans, 0, 100);
  CHECK(At(times, compute_32) == 10);
  CHECK(At(times, collectives) == 10);
}

}  // namespace tfprof::classes_test
