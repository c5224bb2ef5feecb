// SPDX-License-Identifier: Apache-2.0
#include "capture/model/scope_history.h"

#include <algorithm>
#include <iterator>

namespace tfprof::capture {

void ScopeHistory::Enter(uint32_t thread, uint64_t time, ScopeId scope) {
  std::deque<Change>& changes = threads_[thread];
  const ScopeId before = changes.empty() ? kNoScope : changes.back().scope;
  if (scope == before) return;
  changes.push_back({time, scope});
  if (changes.size() > kMostChanges) changes.pop_front();
}

ScopeId ScopeHistory::At(uint64_t time) const {
  ScopeId only = kNoScope;
  for (const auto& [thread, changes] : threads_) {
    const auto after =
        std::upper_bound(changes.begin(), changes.end(), time,
                         [](uint64_t at, const Change& change) { return at < change.time; });
    const ScopeId scope = after == changes.begin() ? kNoScope : std::prev(after)->scope;
    if (scope == kNoScope) continue;
    if (only != kNoScope) return kNoScope;
    only = scope;
  }
  return only;
}

}  // namespace tfprof::capture
