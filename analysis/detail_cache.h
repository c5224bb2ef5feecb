// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/context.h"
#include "core/base/ids.h"
#include "core/store/details.h"

namespace tfprof {

struct Store;

// Columns of keys over all events of a process (DetailReader::columns). Keeps the most recently
// used ones, up to 256 MiB or 15 % of the profile, whichever is more; for a store of one query
// (EventsRead), only those of the last call. Thread-safe.
class DetailCache {
 public:
  // `store` outlives it.
  explicit DetailCache(const Store& store) : store_(store) {}

  // Returns a column per key; a column without rows: no event of the process has the key. Name all
  // keys in one call: one pass over the events reads them all.
  Result<std::vector<std::shared_ptr<const DetailColumn>>> Get(ProcessId process, DetailKeys keys,
                                                               Context& context) const;

 private:
  using Key = std::pair<ProcessId, std::string>;  // the name of a file's key lies elsewhere
  struct KeptColumn {
    Key key;
    std::shared_ptr<const DetailColumn> column;
  };
  // REQUIRES, for all of these: lock_ is held. They move the columns of `keys` to the end of
  // columns_.
  const KeptColumn* Find(ProcessId process, DetailKey key) const;
  Result<void> ReadMissing(ProcessId process, DetailKeys keys, Context& context) const;
  void DropOld(size_t requested) const;

  const Store& store_;
  mutable std::mutex lock_;
  mutable std::list<KeptColumn> columns_;  // the most recently used one last
  mutable std::map<Key, std::list<KeptColumn>::iterator> by_key_;
  mutable uint64_t bytes_ = 0;  // of the columns
};

}  // namespace tfprof
