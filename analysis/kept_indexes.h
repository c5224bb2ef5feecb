// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// Properties that the declaration of an index sets; see analysis/indexes.h.
template <class I>
struct IndexTraits {
  template <class T>
  static auto ValueOf(int) -> typename T::Value;
  template <class T>
  static T ValueOf(...);
  template <class T>
  static auto KeyOf(int) -> typename T::Key;
  template <class T>
  static std::monostate KeyOf(...);

  using Value = decltype(ValueOf<I>(0));
  using Key = decltype(KeyOf<I>(0));
  static constexpr size_t Kept() {
    if constexpr (requires { I::kKept; }) return I::kKept;
    return 1;
  }
};

// The most recently used values of one index, by key. Thread-safe; values of different keys are
// built in parallel.
template <class I>
class KeptIndexes {
 public:
  using Key = typename IndexTraits<I>::Key;
  using Ptr = std::shared_ptr<const typename IndexTraits<I>::Value>;

  // Runs `build` unless the value exists; a failed build is not kept.
  template <class Build>
  Result<Ptr> Get(const Key& key, Build build) {
    const std::shared_ptr<Entry> entry = EntryOf(key);
    const std::lock_guard<std::mutex> building(entry->building);
    if (Ptr known = ValueOf(*entry); known != nullptr) return known;
    auto built = build();
    if (!built) return Failure(std::move(built).error());
    return Publish(std::make_shared<const typename Ptr::element_type>(std::move(*built)), &*entry);
  }

 private:
  struct Entry {
    explicit Entry(const Key& of) : key(of) {}
    const Key key;
    std::mutex building;
    Ptr value;  // guarded by lock_; null: no build has finished
  };

  std::shared_ptr<Entry> EntryOf(const Key& key) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto& entry) { return entry->key == key; });
    if (known != entries_.end()) {
      std::rotate(known, known + 1, entries_.end());
      return entries_.back();
    }
    std::erase_if(entries_, [](const auto& entry) {  // no build is in progress
      return entry->value == nullptr && entry.use_count() == 1;
    });
    return entries_.emplace_back(std::make_shared<Entry>(key));
  }
  Ptr ValueOf(const Entry& entry) {
    const std::lock_guard<std::mutex> guard(lock_);
    return entry.value;
  }
  Ptr Publish(Ptr value, Entry* entry) {
    const std::lock_guard<std::mutex> guard(lock_);
    constexpr size_t kKept = IndexTraits<I>::Kept();
    if (entries_.size() > kKept) {
      entries_.erase(entries_.begin(), entries_.end() - static_cast<ptrdiff_t>(kKept));
    }
    return entry->value = std::move(value);
  }

  std::mutex lock_;
  std::vector<std::shared_ptr<Entry>> entries_;  // the most recently used one last
};

}  // namespace tfprof
