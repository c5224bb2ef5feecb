// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"

namespace tfprof {

// Texts at stable addresses, each stored once: similar devices name the same operations.
class KeptTexts {
 public:
  struct Text {
    std::string_view text;  // data() == nullptr: an empty text
    uint32_t number = 0;    // from 0, in order of first appearance
  };
  Text Keep(std::string_view text);

 private:
  struct Key {
    std::string_view text;
    uint64_t hash = 0;

    uint64_t Hash() const { return hash; }
    bool operator==(const Key& other) const {
      return hash == other.hash && SameText(text, other.text);
    }
  };

  std::string_view Copy(std::string_view text);

  GroupIndex<Key> index_;
  // The storage of the texts: blocks never move or grow.
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // of the last block
  size_t left_ = 0;
};

// Texts made by an analysis or a view (frames of code, joined names), at stable addresses.
struct TextPool {
  std::deque<std::string> texts;
  std::string_view Keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

}  // namespace tfprof
