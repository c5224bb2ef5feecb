// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/bytes.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/base/arith.h"

namespace tfprof::bytes_test {
namespace {

TEST_CASE("integers take the least width that leaves room for absent values") {
  PageBytes bytes;
  const int64_t small[] = {1000, kNoInt, 1254};
  const StoredColumn one = bytes.AddIntegers(small);
  CHECK(one.width == 1);
  CHECK(one.base == 1000);
  CHECK(bytes.data == std::string("\x00\xff\xfe", 3));

  const int64_t wider[] = {1000, 1255};  // 255 is the absent value of one byte
  const StoredColumn two = bytes.AddIntegers(wider);
  CHECK(two.at == 3);
  CHECK(two.width == 2);
  CHECK(bytes.data.substr(3) == std::string("\x00\xff\x00\x00", 4));  // low bytes, then high bytes

  const int64_t widest[] = {std::numeric_limits<int64_t>::min() + 1,
                            std::numeric_limits<int64_t>::max(), kNoInt};
  const StoredColumn eight = bytes.AddIntegers(widest);
  CHECK(eight.width == 8);
  CHECK(eight.base == std::numeric_limits<int64_t>::min() + 1);
  // The range is 2^64 - 2: the largest stored number stays free for absent values.
  CHECK(bytes.data.substr(7, 3) == std::string("\x00\xfe\xff", 3));
}

TEST_CASE("a column of one value has no bytes") {
  PageBytes bytes;
  const int64_t alike[] = {7, 7, 7};
  const int64_t absent[] = {kNoInt, kNoInt};
  CHECK(bytes.AddIntegers(alike).width == 0);
  CHECK(bytes.AddIntegers(alike).base == 7);
  CHECK(bytes.AddIntegers(absent).width == 0);
  CHECK(bytes.AddIntegers(absent).base == kNoInt);
  CHECK(bytes.AddIntegers({}).width == 0);
  CHECK(bytes.data.empty());
  const int64_t some[] = {7, kNoInt};
  CHECK(bytes.AddIntegers(some).width == 1);
}

TEST_CASE("reals are stored plane by plane") {
  PageBytes bytes;
  const double values[] = {1.0, -2.0};  // 3ff0 0000 .., c000 0000 ..
  CHECK(bytes.AddReals(values).width == 8);
  CHECK(bytes.data == std::string("\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x00\x3f\xc0", 16));
}

TEST_CASE("reals that are all absent have no bytes") {
  PageBytes bytes;
  const double absent[] = {kNoReal, kNoReal};
  CHECK(bytes.AddReals(absent).width == 0);
  CHECK(bytes.AddReals(absent).base == kNoInt);
  CHECK(bytes.data.empty());
  const double some[] = {kNoReal, 1.5};
  CHECK(bytes.AddReals(some).width == 8);
}

TEST_CASE("equal texts share a number") {
  PageTexts texts;
  CHECK(texts.Id("a") == 0);
  CHECK(texts.Id("") == 1);
  CHECK(texts.Id("a") == 0);
  CHECK(*texts.texts[1] == "");
}

TEST_CASE("Base64 as RFC 4648 has it") {
  CHECK(Base64("") == "");
  CHECK(Base64("f") == "Zg==");
  CHECK(Base64("fo") == "Zm8=");
  CHECK(Base64("foo") == "Zm9v");
  CHECK(Base64("foobar") == "Zm9vYmFy");
  CHECK(Base64("\xff\xff\xff") == "////");
}

TEST_CASE("SHA-256 as FIPS 180-4 has it") {
  CHECK(Base64(Sha256("")) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK(Base64(Sha256("abc")) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  // 56 bytes: the length goes into a second block.
  CHECK(Base64(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
}

}  // namespace
}  // namespace tfprof::bytes_test
