// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <mutex>
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

// A key of any type. The code below is compiled once, not for each index.
struct IndexKey {
  const void* key;
  bool (*equal)(const void* a, const void* b);
  std::shared_ptr<const void> (*copy)(const void* key);

  template <class Key>
  static IndexKey Of(const Key& key) {
    const auto equal = [](const void* a, const void* b) {
      return *static_cast<const Key*>(a) == *static_cast<const Key*>(b);
    };
    const auto copy = [](const void* of) -> std::shared_ptr<const void> {
      return std::make_shared<const Key>(*static_cast<const Key*>(of));
    };
    return {&key, equal, copy};
  }
};

// The most recently used values of one index, by key, which is of one type. Thread-safe; values of
// different keys are built in parallel.
class KeptIndexes {
 public:
  using Ptr = std::shared_ptr<const void>;
  using Build = std::function<Result<Ptr>()>;

  // `kept`: the number of values.
  explicit KeptIndexes(size_t kept) : kept_(kept) {}

  // Runs `build` unless the value exists; a failed build is not kept.
  Result<Ptr> Get(const IndexKey& key, const Build& build);

 private:
  struct Entry {
    Ptr key;
    std::mutex building;
    Ptr value;  // guarded by lock_; null: no build has finished
  };

  std::shared_ptr<Entry> EntryOf(const IndexKey& key);
  Ptr ValueOf(const Entry& entry);
  Ptr Publish(Ptr value, Entry* entry);

  const size_t kept_;
  std::mutex lock_;
  std::vector<std::shared_ptr<Entry>> entries_;  // the most recently used one last
};

}  // namespace tfprof
