// SPDX-License-Identifier: Apache-2.0
#include "core/text/kept_texts.h"

#include <algorithm>
#include <cstring>

#include "core/base/hash.h"

namespace tfprof {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 16;

}  // namespace

KeptTexts::Text KeptTexts::Keep(std::string_view text) {
  const uint32_t number = index_.Of({text, Hash(text)}, [&](const Key& key) {
    return Key{Copy(text), key.hash};
  });
  return {index_.keys()[number].text, number};
}

std::string_view KeptTexts::Copy(std::string_view text) {
  if (text.empty()) return {};
  if (blocks_.empty() || text.size() > left_) {
    left_ = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    free_ = blocks_.back().get();
  }
  char* const copy = free_;
  std::memcpy(copy, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {copy, text.size()};
}

}  // namespace tfprof
