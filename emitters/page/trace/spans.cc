// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/spans.h"

#include <algorithm>
#include <limits>

namespace tfprof {

void PageSpans::Add(std::span<const PageSpan> spans) {
  for (const PageSpan& span : spans) {
    open_.push_back(span);
    if (open_.size() == kPerBlock) EndBlock();
  }
}

void PageSpans::EndBlock() {
  Block block{std::ranges::min(open_, {}, &PageSpan::start).start, words_.size(), 2};
  const auto is_short = [](int64_t time) {
    return static_cast<uint64_t>(time) <= std::numeric_limits<uint32_t>::max();
  };
  for (const PageSpan& span : open_) {
    if (!is_short(span.start - block.base) || !is_short(span.length)) block.words = 4;
  }
  uint32_t* word = words_.Extend(open_.size() * block.words);
  for (const PageSpan& span : open_) {
    for (const int64_t time : {span.start - block.base, span.length}) {
      const auto bits = static_cast<uint64_t>(time);
      *word++ = static_cast<uint32_t>(bits);
      if (block.words == 4) *word++ = static_cast<uint32_t>(bits >> 32);
    }
    names_.Push(span.name);
  }
  blocks_.push_back(block);
  open_.clear();
}

}  // namespace tfprof
