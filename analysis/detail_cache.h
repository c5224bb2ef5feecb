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

// Keys of all events of a process (DetailReader::columns), those that were asked last: up to
// 256 MiB or 15 % of the profile, whichever is more; of a store for one question (EventsRead) those
// of the last call. Safe for several threads.
class DetailCache {
 public:
  // `store` outlives it.
  explicit DetailCache(const Store& store) : store_(store) {}

  // A column per key; no rows: no event of the process has it. Name all that will be asked: the
  // events are run through once.
  Result<std::vector<std::shared_ptr<const DetailColumn>>> Get(ProcessId process, DetailKeys keys,
                                                               Context& context) const;

 private:
  using Key = std::pair<ProcessId, std::string>;  // the name of a file's key lies elsewhere
  struct KeptColumn {
    Key key;
    std::shared_ptr<const DetailColumn> column;
  };
  // With lock_ held, all of them. What `keys` name is last in columns_ then.
  const KeptColumn* Find(ProcessId process, DetailKey key) const;
  Result<void> ReadMissing(ProcessId process, DetailKeys keys, Context& context) const;
  void DropOld(size_t asked) const;

  const Store& store_;
  mutable std::mutex lock_;
  mutable std::list<KeptColumn> columns_;  // the one asked last at the end
  mutable std::map<Key, std::list<KeptColumn>::iterator> by_key_;
  mutable uint64_t bytes_ = 0;  // of the columns
};

}  // namespace tfprof
