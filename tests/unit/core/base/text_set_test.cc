// SPDX-License-Identifier: Apache-2.0
#include "core/text/kept_texts.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tfprof::text_set_test {

TEST_CASE("kept texts have stable addresses and no duplicates") {
  KeptTexts texts;
  std::vector<KeptTexts::Text> kept;
  for (int i = 0; i < 20'000; ++i) kept.push_back(texts.Keep("layer_" + std::to_string(i)));
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = "layer_" + std::to_string(i);
    const KeptTexts::Text again = texts.Keep(text);
    REQUIRE(kept[static_cast<size_t>(i)].text == text);
    REQUIRE(again.text.data() == kept[static_cast<size_t>(i)].text.data());
    REQUIRE(again.number == static_cast<uint32_t>(i));
  }
}

TEST_CASE("kept texts may be empty, longer than a block, or contain any bytes") {
  KeptTexts texts;
  const std::string longer(100'000, 'x'), bytes("a\0b\xff", 4);
  CHECK(texts.Keep("").text.data() == nullptr);
  CHECK(texts.Keep("").number == 0);
  const std::string_view kept = texts.Keep(longer).text;
  CHECK(texts.Keep(bytes).text == bytes);
  CHECK(texts.Keep(std::string("a\0c\xff", 4)).number == 3);
  CHECK(kept == longer);
  CHECK(texts.Keep(longer).text.data() == kept.data());
}

TEST_CASE("kept texts can be moved, and the source reused") {
  KeptTexts texts;
  const std::string_view kept = texts.Keep("MatMul").text;
  const KeptTexts moved = std::move(texts);
  texts = KeptTexts();
  CHECK(texts.Keep("Conv2D").text == "Conv2D");
  CHECK(kept == "MatMul");
}

}  // namespace tfprof::text_set_test
