// SPDX-License-Identifier: Apache-2.0
// The scopes that threads were in, for work that threads without ranges start.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "capture/model/scopes.h"

namespace tfprof::capture {

// A thread that has no range of its own, such as that of PyTorch's backward pass, works for the one
// thread that is in a range meanwhile. Where several are, nobody knows.
class ScopeHistory {
 public:
  // Times of a thread do not decrease.
  void Enter(uint32_t thread, uint64_t time, ScopeId scope);

  // kNoScope: no thread was in a range, several were, or it is too long ago.
  ScopeId At(uint64_t time) const;

 private:
  struct Change {
    uint64_t time = 0;
    ScopeId scope = kNoScope;
  };
  // Device work is read soon after the ranges around its launch.
  static constexpr size_t kMostChanges = size_t{1} << 16;

  std::map<uint32_t, std::deque<Change>> threads_;
};

}  // namespace tfprof::capture
