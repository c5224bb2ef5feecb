// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/store/names.h"

namespace tfprof {

// What was read from encoded messages, by their bytes: a profile tells the same few call stacks and
// shapes for thousands of nodes, and hashing them costs a tenth of reading them again. Starts anew
// when it holds too much, as when no two messages are alike.
template <class T>
class KnownBytes {
 public:
  // What is known of `message`; where that is nothing yet, a T{} to be set. Valid until the next
  // call.
  T* Find(std::string_view message) {
    constexpr size_t kMostBytes = size_t{1} << 20;
    if (messages_.bytes() > kMostBytes) *this = KnownBytes();
    if (values_.empty()) messages_.ReserveText(kMostBytes / 8);  // not copied while it grows
    const NameId id = messages_.Intern(message);
    if (id.value >= values_.size()) values_.resize(id.value + 1);
    return &values_[id.value];
  }

 private:
  Names messages_;
  std::vector<T> values_;
};

}  // namespace tfprof
