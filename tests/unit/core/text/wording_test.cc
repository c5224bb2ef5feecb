// SPDX-License-Identifier: Apache-2.0
#include "core/text/wording.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfprof::wording_test {

TEST_CASE("wordings contain values with units, nouns and optional parts") {
  const std::vector<Value> values{{"device", "gpu"},
                                  {"idle", 0.125, Unit::fraction},
                                  {"gap", int64_t{1'500'000'000}, Unit::ps},
                                  {"gaps", int64_t{1}},
                                  {"steps", int64_t{2}},
                                  {"times", 1.26},
                                  {"none", kNoInt},
                                  {"nan", kNoReal, Unit::fraction},
                                  When("on", true),
                                  When("off", false)};
  CHECK(Worded("{device} is idle {idle}", values) == "gpu is idle 12.5%");
  CHECK(Worded("{gap} in {gaps|gap}, {steps|step}", values) == "1.50 ms in 1 gap, 2 steps");
  CHECK(Worded("{times} times", values) == "1.3 times");
  CHECK(Worded("a[ {none} b][ {device}][ {nan}]", values) == "a gpu");
  CHECK(Worded("[{on}yes][{off}no][{unknown}never]", values) == "yes");
  CHECK(Worded("{none} {nan}", values) == "- -");
  CHECK(Worded("{unknown} {", values) == "{unknown} {");
  CHECK(Worded("a]b", values) == "a]b");
}

}  // namespace tfprof::wording_test
