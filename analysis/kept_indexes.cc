// SPDX-License-Identifier: Apache-2.0
#include "analysis/kept_indexes.h"

#include <algorithm>
#include <utility>

namespace tfprof {

Result<KeptIndexes::Ptr> KeptIndexes::Get(const IndexKey& key, const Build& build) {
  const std::shared_ptr<Entry> entry = EntryOf(key);
  const std::lock_guard<std::mutex> building(entry->building);
  if (Ptr known = ValueOf(*entry); known != nullptr) return known;
  TFPROF_ASSIGN(Ptr built, build());
  return Publish(std::move(built), &*entry);
}

std::shared_ptr<KeptIndexes::Entry> KeptIndexes::EntryOf(const IndexKey& key) {
  const std::lock_guard<std::mutex> guard(lock_);
  const auto known = std::ranges::find_if(
      entries_, [&](const auto& entry) { return key.equal(entry->key.get(), key.key); });
  if (known != entries_.end()) {
    std::rotate(known, known + 1, entries_.end());
    return entries_.back();
  }
  std::erase_if(entries_, [](const auto& entry) {  // no build is in progress
    return entry->value == nullptr && entry.use_count() == 1;
  });
  entries_.push_back(std::make_shared<Entry>());
  entries_.back()->key = key.copy(key.key);
  return entries_.back();
}

KeptIndexes::Ptr KeptIndexes::ValueOf(const Entry& entry) {
  const std::lock_guard<std::mutex> guard(lock_);
  return entry.value;
}

KeptIndexes::Ptr KeptIndexes::Publish(Ptr value, Entry* entry) {
  const std::lock_guard<std::mutex> guard(lock_);
  if (entries_.size() > kept_) {
    entries_.erase(entries_.begin(), entries_.end() - static_cast<ptrdiff_t>(kept_));
  }
  return entry->value = std::move(value);
}

}  // namespace tfprof
