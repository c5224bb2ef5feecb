// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>
#include <vector>

#include "analysis/detail_cache.h"
#include "analysis/kept_indexes.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

template <class T>
using IndexPtr = std::shared_ptr<const T>;

// Data derived from a store that is costly and worth keeping. An index is built at the first call,
// published only when complete, and never changed. A cancelled build leaves nothing behind.
// Thread-safe. The pointers stay valid after the Indexes are destroyed.
//
// An index is a type with a Build function; it lives beside its builder and is not registered
// anywhere:
//   struct ScopeTree {
//     static Result<ScopeTree> Build(const Store& store, Context& context);
// or
//     static Result<ScopeTree> Build(const Indexes& indexes, Context& context);
// `using Value = T` if Build returns another type. `using Key = K` (comparable) if there is one
// value per key: Build then takes the key before the context, and `kKept` is the number of most
// recently used values that are kept, 1 by default.
class Indexes {
 public:
  explicit Indexes(StorePtr store) : store_(std::move(store)), details_(*store_) {}

  const StorePtr& store() const { return store_; }

  template <class I>
  using ValueOf = typename IndexTraits<I>::Value;
  template <class I>
  using KeyOf = typename IndexTraits<I>::Key;

  template <class I>
  Result<IndexPtr<ValueOf<I>>> Get(const KeyOf<I>& key, Context& context) const {
    const auto build = [&]() -> Result<KeptIndexes::Ptr> {
      Result<ValueOf<I>> built = Build<I>(key, context);
      if (!built) return Failure(std::move(built).error());
      return std::make_shared<const ValueOf<I>>(*std::move(built));
    };
    TFPROF_ASSIGN(KeptIndexes::Ptr found,
                  Kept(typeid(I), IndexTraits<I>::Kept())->Get(IndexKey::Of(key), std::ref(build)));
    return std::static_pointer_cast<const ValueOf<I>>(std::move(found));
  }
  template <class I>
  Result<IndexPtr<ValueOf<I>>> Get(Context& context) const {
    return Get<I>(KeyOf<I>{}, context);
  }

  // See DetailCache.
  Result<std::vector<IndexPtr<DetailColumn>>> Details(ProcessId process, DetailKeys keys,
                                                      Context& context) const {
    return details_.Get(process, keys, context);
  }
  Result<IndexPtr<DetailColumn>> Details(ProcessId process, DetailKey key, Context& context) const {
    TFPROF_ASSIGN(auto columns, Details(process, DetailKeys(&key, 1), context));
    return std::move(columns[0]);
  }

 private:
  template <class I>
  Result<ValueOf<I>> Build(const KeyOf<I>& key, Context& context) const {
    if constexpr (requires { I::Build(*store_, context); }) {
      return I::Build(*store_, context);
    } else if constexpr (requires { I::Build(*this, context); }) {
      return I::Build(*this, context);
    } else {
      return I::Build(*this, key, context);
    }
  }
  std::shared_ptr<KeptIndexes> Kept(std::type_index index, size_t kept) const;

  StorePtr store_;
  DetailCache details_;
  mutable std::mutex lock_;
  mutable std::map<std::type_index, std::shared_ptr<KeptIndexes>> kept_;
};

}  // namespace tfprof
