// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/answer_cache.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>

namespace tfprof::answer_cache_test {
namespace {

AnswerCache::Bytes Of(size_t bytes) {
  return std::make_shared<const std::string>(std::string(bytes, 'x'));
}

TEST_CASE("an answer that was not used for longest makes room") {
  // Each takes 1000 bytes, its question twice, and 200: two fit, three do not.
  AnswerCache cache(3000);
  cache.Keep("a", Of(1000));
  cache.Keep("b", Of(1000));
  CHECK(cache.bytes() == 2 * 1202);
  REQUIRE(cache.Find("a") != nullptr);
  cache.Keep("c", Of(1000));
  CHECK(cache.Find("b") == nullptr);
  CHECK(cache.Find("a") != nullptr);
  CHECK(cache.Find("c") != nullptr);
  CHECK(cache.bytes() == 2 * 1202);
}

TEST_CASE("a new answer replaces the old one") {
  AnswerCache cache(3000);
  cache.Keep("a", Of(1000));
  cache.Keep("a", Of(500));
  CHECK(cache.Find("a")->size() == 500);
  CHECK(cache.bytes() == 702);
}

TEST_CASE("an answer that is too large is not kept, and drops no others") {
  AnswerCache cache(3000);
  cache.Keep("a", Of(1000));
  cache.Keep("b", Of(2799));  // 1 byte too many
  CHECK(cache.Find("b") == nullptr);
  CHECK(cache.Find("a") != nullptr);
  cache.Keep("b", Of(2798));  // fits alone
  CHECK(cache.Find("b") != nullptr);
  CHECK(cache.Find("a") == nullptr);
}

TEST_CASE("who has an answer keeps it") {
  AnswerCache cache(1300);
  cache.Keep("a", Of(1000));
  const AnswerCache::Bytes held = cache.Find("a");
  cache.Keep("b", Of(1000));
  CHECK(cache.Find("a") == nullptr);
  CHECK(held->size() == 1000);
}

}  // namespace
}  // namespace tfprof::answer_cache_test
