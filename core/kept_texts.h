// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tfprof {

// Texts that stay where they are, each once: devices that do the same name the same operations.
class KeptTexts {
 public:
  struct Text {
    std::string_view text;  // data() == nullptr of an empty one
    uint32_t number = 0;    // 0.., in the order in which they came
  };
  Text Keep(std::string_view text);

 private:
  struct Slot {
    uint32_t hash = 0;  // its low half
    uint32_t number = kFree;
  };
  static constexpr uint32_t kFree = 0xFFFFFFFFu;

  std::string_view Copy(std::string_view text);
  void Grow();

  std::vector<Slot> slots_;              // open addressing, a power of two, at most half full
  std::vector<std::string_view> texts_;  // by number
  // Where they lie: blocks never move or grow.
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // of the last block
  size_t left_ = 0;
};

}  // namespace tfprof
