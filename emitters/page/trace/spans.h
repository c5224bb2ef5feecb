// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/column.h"

namespace tfprof {

// A span as a page draws it.
struct PageSpan {
  int64_t start = 0;
  int64_t length = 0;
  uint32_t name = 0;     // of PageTrace::names
  uint32_t covered = 1;  // spans that it stands for; its name is that of the longest

  int64_t End() const { return start + length; }
};

// Many spans that stand for themselves. A span takes 12 bytes where its neighbors are within 4 ms,
// which are 32 bits of ps, else 20: the kernel clears each byte before it is written.
class PageSpans {
 public:
  size_t size() const { return names_.size() + open_.size(); }
  [[gnu::always_inline]] PageSpan operator[](size_t i) const {
    if (i >= names_.size()) [[unlikely]]
      return open_[i - names_.size()];
    const Block& block = blocks_[i / kPerBlock];
    const uint32_t* const words = words_.data() + block.first + i % kPerBlock * block.words;
    if (block.words == 2) return {block.base + words[0], words[1], names_[i], 1};
    return {block.base + Long(words), Long(words + 2), names_[i], 1};
  }
  uint32_t NameOf(size_t i) const {
    return i < names_.size() ? names_[i] : open_[i - names_.size()].name;
  }
  // The first of the spans [first, end) that does not precede; those before it do.
  template <class Precedes>
  size_t After(size_t first, size_t end, const Precedes& precedes) const {
    while (first < end) {
      const size_t middle = first + (end - first) / 2;
      if (precedes((*this)[middle])) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  void Add(std::span<const PageSpan> spans);

 private:
  static constexpr size_t kPerBlock = 64;
  // Neighbors, by the least start of them.
  struct Block {
    int64_t base = 0;
    size_t first = 0;    // of words_
    uint32_t words = 2;  // per span: start after the base, length; 4: of 64 bits each
  };

  static int64_t Long(const uint32_t* words) {
    return static_cast<int64_t>(words[0] | uint64_t{words[1]} << 32);
  }
  void EndBlock();

  std::vector<Block> blocks_;
  Column<uint32_t> words_;
  Column<uint32_t> names_;
  std::vector<PageSpan> open_;  // the block that is not full yet
};

}  // namespace tfprof
