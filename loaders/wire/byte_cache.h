// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/store/names.h"

namespace tfprof {

// Caches the result of decoding a message by its bytes. A profile repeats the same few call stacks
// and shapes for thousands of nodes, and hashing them costs a tenth of decoding them again. The
// cache is cleared when it holds too much, as when no two messages are equal.
template <class T>
class ByteCache {
 public:
  // Returns the value cached for `message`, or a new T{} for the caller to set. Valid until the
  // next call.
  T* Find(std::string_view message) {
    constexpr size_t kMaxBytes = size_t{1} << 20;
    if (messages_.bytes() > kMaxBytes) *this = ByteCache();
    if (values_.empty()) messages_.ReserveText(kMaxBytes / 8);  // avoids copies while it grows
    const NameId id = messages_.Intern(message);
    if (id.value >= values_.size()) values_.resize(id.value + 1);
    return &values_[id.value];
  }

 private:
  Names messages_;
  std::vector<T> values_;
};

}  // namespace tfprof
