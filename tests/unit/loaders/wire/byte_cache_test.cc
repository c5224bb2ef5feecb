// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/byte_cache.h"

#include <catch2/catch.hpp>
#include <string>

namespace tfprof::byte_cache_test {

TEST_CASE("byte cache: a message is found by its bytes, even an empty one") {
  ByteCache<int> known;
  for (const std::string_view message : {std::string_view(""), {"a"}, {"a\0", 2}}) {
    REQUIRE(*known.Find(message) == 0);
    *known.Find(message) = static_cast<int>(message.size()) + 1;
  }
  REQUIRE(*known.Find("") == 1);
  REQUIRE(*known.Find("a") == 2);
  REQUIRE(*known.Find({"a\0", 2}) == 3);
}

TEST_CASE("byte cache: a full cache is cleared") {
  ByteCache<int> known;
  const auto message = [](int i) { return std::string(1000, 'x') + std::to_string(i); };
  for (int i = 1; i <= 3000; ++i) {
    REQUIRE(*known.Find(message(i)) == 0);
    *known.Find(message(i)) = i;
  }
  REQUIRE(*known.Find(message(3000)) == 3000);
  REQUIRE(*known.Find(message(1)) == 0);
}

}  // namespace tfprof::byte_cache_test
