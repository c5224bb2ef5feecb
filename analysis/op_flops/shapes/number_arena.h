// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tfprof {

// Lists of numbers that stay where they are.
class NumberArena {
 public:
  std::span<int64_t> New(size_t count) {
    if (count > left_.size()) {
      const size_t block = std::max(count, kBlock);
      blocks_.push_back(std::make_unique<int64_t[]>(block));
      left_ = {blocks_.back().get(), block};
    }
    const std::span<int64_t> made = left_.first(count);
    left_ = left_.subspan(count);
    return made;
  }
  std::span<int64_t> Copy(std::span<const int64_t> numbers) {
    const std::span<int64_t> made = New(numbers.size());
    std::ranges::copy(numbers, made.begin());
    return made;
  }

 private:
  static constexpr size_t kBlock = 1024;
  std::vector<std::unique_ptr<int64_t[]>> blocks_;
  std::span<int64_t> left_;
};

}  // namespace tfprof
