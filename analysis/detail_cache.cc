// SPDX-License-Identifier: Apache-2.0
#include "analysis/detail_cache.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/store/store.h"

namespace tfprof {
namespace {

constexpr uint64_t kMinColumnBytes = uint64_t{256} << 20;

}  // namespace

const DetailCache::KeptColumn* DetailCache::Find(ProcessId process, DetailKey key) const {
  const auto known = by_key_.find({process, std::string(key.name())});
  if (known == by_key_.end()) return nullptr;
  columns_.splice(columns_.end(), columns_, known->second);
  return &columns_.back();
}

Result<void> DetailCache::ReadMissing(ProcessId process, DetailKeys keys, Context& context) const {
  std::vector<DetailKey> missing;
  for (const DetailKey key : keys) {
    const bool again = std::find(missing.begin(), missing.end(), key) != missing.end();
    if (!again && Find(process, key) == nullptr) missing.push_back(key);
  }
  if (missing.empty()) return {};
  TFPROF_ASSIGN(std::vector<DetailColumn> columns, ReadColumns(store_, process, missing, context));
  for (size_t i = 0; i < missing.size(); ++i) {
    const Key key{process, std::string(missing[i].name())};
    columns_.push_back({key, std::make_shared<const DetailColumn>(std::move(columns[i]))});
    by_key_[key] = std::prev(columns_.end());
    bytes_ += columns_.back().column->bytes();
  }
  DropOld(keys.size());
  return {};
}

void DetailCache::DropOld(size_t requested) const {
  uint64_t max = kMinColumnBytes, bytes = 0;
  for (const Source& source : store_.sources) bytes += source.bytes;
  max = std::max(max, bytes * 3 / 20);
  if (!store_.events_read.All()) max = 0;  // the only query reads process after process
  for (; bytes_ > max && columns_.size() > requested; columns_.pop_front()) {
    bytes_ -= columns_.front().column->bytes();
    by_key_.erase(columns_.front().key);
  }
}

Result<std::vector<std::shared_ptr<const DetailColumn>>> DetailCache::Get(ProcessId process,
                                                                          DetailKeys keys,
                                                                          Context& context) const {
  const std::lock_guard<std::mutex> guard(lock_);
  TFPROF_TRY(ReadMissing(process, keys, context));
  std::vector<std::shared_ptr<const DetailColumn>> columns;
  for (const DetailKey key : keys) columns.push_back(Find(process, key)->column);
  return columns;
}

}  // namespace tfprof
