// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

#include "loaders/wire/json_scan.h"

namespace tfprof::kineto {

// Where the arguments of an event are: 32 bits per event. In a file of more than 4 GiB a place is
// that of a few bytes, in which they are found again.
class Places {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  explicit Places(std::string_view file)
      : file_(file), shift_(file.size() < kNone ? 0 : std::bit_width(file.size() >> 32)) {}

  uint32_t Of(const char* arguments) const {
    if (arguments == nullptr) return kNone;
    return static_cast<uint32_t>(static_cast<uint64_t>(arguments - file_.data()) >> shift_);
  }
  // A cursor at the object; at the end of the file where it is not found.
  json::Cursor At(uint32_t place) const {
    const char* const end = file_.data() + file_.size();
    const uint64_t offset = uint64_t{place} << shift_;
    if (place == kNone || offset >= file_.size()) return {end, end};
    if (shift_ == 0) return {file_.data() + offset, end};
    for (uint64_t at = offset; at < file_.size() && at < offset + (uint64_t{1} << shift_); ++at) {
      if (file_[at] == '{' && FollowsKey(at)) return {file_.data() + at, end};
    }
    return {end, end};
  }

 private:
  // True if "args": precedes `at`, perhaps with spaces.
  bool FollowsKey(uint64_t at) const {
    std::string_view before = file_.substr(0, at);
    const auto trim = [&] {
      while (!before.empty() && json::IsSpace(before.back())) before.remove_suffix(1);
    };
    trim();
    if (!before.ends_with(':')) return false;
    before.remove_suffix(1);
    trim();
    return before.ends_with("\"args\"");
  }

  std::string_view file_;
  int shift_;
};

}  // namespace tfprof::kineto
