// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash.h"

#include <catch2/catch.hpp>
#include <set>

namespace tfprof::hash_test {
namespace {

TEST_CASE("hash: pairs that share one number have distinct hashes", "[core]") {
  for (const uint64_t same : {uint64_t{0}, ~uint64_t{0}, uint64_t{1}, Hash(""), ~Hash("")}) {
    std::set<uint64_t> hashes;
    for (uint64_t other = 0; other < 1000; ++other) {
      hashes.insert(HashPair(same, other));
      hashes.insert(HashPair(other, same));
      hashes.insert(HashPair(~other, same));
    }
    CHECK(hashes.size() > 2990);  // (same, same) is one of all three
  }
}

TEST_CASE("hash: texts that share a prefix or suffix have distinct hashes", "[core]") {
  std::set<uint64_t> hashes;
  std::string text;
  for (int i = 0; i < 100; ++i) {
    hashes.insert(Hash(text));
    hashes.insert(Hash("x" + text));
    hashes.insert(Hash(text + "x"));
    text += 'a';
  }
  CHECK(hashes.size() == 299);  // "x" twice
}

}  // namespace
}  // namespace tfprof::hash_test
