// SPDX-License-Identifier: Apache-2.0
#include "cli/message.h"

#include <catch2/catch.hpp>
#include <string>

namespace tfprof::message_test {
namespace {

TEST_CASE("a marked line shows the word, at any position and with any bytes") {
  CHECK(MarkedLine("op -n x", 6, 7) == "op -n x\n      ^");
  CHECK(MarkedLine("op -select a", 3, 10) == "op -select a\n   ^~~~~~~");
  const std::string long_line(300, 'x');
  CHECK(MarkedLine(long_line, 150, 152).ends_with("\n" + std::string(53, ' ') + "^~"));
}

// A letter that is cut in two has no first byte to begin at.
TEST_CASE("a marked line may start with continuation bytes") {
  const std::string continued(130, '\x80');
  for (const size_t begin : {0u, 1u, 50u, 51u, 53u, 129u, 130u}) {
    for (const size_t end : {begin, begin + 1, begin + 200}) {
      INFO(begin << " to " << end);
      CHECK(MarkedLine(continued, begin, end).find('^') != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tfprof::message_test
