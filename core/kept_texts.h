// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

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
  std::map<std::string, uint32_t, std::less<>> numbers_;
};

}  // namespace tfprof
