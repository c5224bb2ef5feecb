// SPDX-License-Identifier: Apache-2.0
#include "core/kept_texts.h"

namespace tfprof {

KeptTexts::Text KeptTexts::Keep(std::string_view text) {
  auto known = numbers_.find(text);
  if (known == numbers_.end()) {
    known = numbers_.emplace(text, static_cast<uint32_t>(numbers_.size())).first;
  }
  return {text.empty() ? std::string_view() : std::string_view(known->first), known->second};
}

}  // namespace tfprof
