// SPDX-License-Identifier: Apache-2.0
#include "core/store/names.h"

#include <catch2/catch.hpp>
#include <string>

namespace tfprof::store_names_test {

TEST_CASE("a text is interned once and keeps its id while the table grows") {
  Names names;
  std::vector<NameId> ids;
  for (int i = 0; i < 5000; ++i) ids.push_back(names.Intern("scope/layer_" + std::to_string(i)));

  for (int i = 0; i < 5000; ++i) {
    const std::string text = "scope/layer_" + std::to_string(i);
    REQUIRE(names.Intern(text) == ids[i]);
    REQUIRE(names.Find(text) == ids[i]);
    REQUIRE(names[ids[i]] == text);
  }
  REQUIRE(names.size() == 5001);  // and the empty text
}

TEST_CASE("the empty text is name 0; an unknown text has no name") {
  Names names;
  REQUIRE(names.Intern("") == NameId(0));
  REQUIRE(names.Intern(std::string_view()) == NameId(0));
  REQUIRE_FALSE(names.Find("nothing").some());
}

TEST_CASE("texts are raw bytes: zero bytes and invalid UTF-8 are distinct") {
  Names names;
  const std::string_view zero("a\0b", 3), cut("a\0", 2), high("\xff\xfe");
  const NameId a = names.Intern(zero), b = names.Intern(cut), c = names.Intern(high);
  REQUIRE(a != b);
  REQUIRE(names[a] == zero);
  REQUIRE(names[b] == cut);
  REQUIRE(names[c] == high);
}

TEST_CASE("texts with equal hashes but different bytes are distinct") {
  Names names;
  const NameId a = names.Intern("one", 7), b = names.Intern("two", 7);
  REQUIRE(a != b);
  REQUIRE(names[b] == "two");
  REQUIRE(names.Intern("one", 7) == a);
}

TEST_CASE("texts of all lengths from 0 to 70 are kept completely") {
  Names names;
  const std::string text(70, 'x');
  for (size_t n = 0; n <= text.size(); ++n) names.Intern(text.substr(0, n));
  for (size_t n = 0; n <= text.size(); ++n) {
    REQUIRE(names[names.Find(text.substr(0, n))].size() == n);
  }
}

TEST_CASE("a table without texts is small: there is one per key and process") {
  CHECK(Names().bytes() < 1024);
}

}  // namespace tfprof::store_names_test
