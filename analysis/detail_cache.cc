// SPDX-License-Identifier: Apache-2.0
#include "analysis/detail_cache.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/store/store.h"

namespace tfprof {
namespace {

constexpr uint64_t kLeastColumnBytes = uint64_t{256} << 20;

}  // namespace

const DetailCache::KeptColumn* DetailCache::Find(ProcessId process, DetailKey key) const {
  const auto known = std::find_if(columns_.begin(), columns_.end(), [&](const KeptColumn& kept) {
    return kept.process == process && kept.key == key.name();
  });
  if (known == columns_.end()) return nullptr;
  std::rotate(known, known + 1, columns_.end());
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
    columns_.push_back({process, std::string(missing[i].name()),
                        std::make_shared<const DetailColumn>(std::move(columns[i]))});
    columns_.back().bytes = columns_.back().column->bytes();
  }
  DropOld(keys.size());
  return {};
}

void DetailCache::DropOld(size_t asked) const {
  uint64_t most = kLeastColumnBytes, bytes = 0;
  for (const Source& source : store_.sources) bytes += source.bytes;
  most = std::max(most, bytes * 3 / 20);
  if (!store_.events_read.All()) most = 0;  // the only question goes from process to process
  bytes = 0;
  for (size_t i = columns_.size(); i-- > 0;) {
    bytes += columns_[i].bytes;
    if (bytes <= most || i + asked >= columns_.size()) continue;
    columns_.erase(columns_.begin(), columns_.begin() + static_cast<ptrdiff_t>(i) + 1);
    break;
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
