// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/details.h"
#include "loaders/checkpoint/bundle.h"

namespace tfprof {

// The index of a TensorFlow checkpoint (version 2: PREFIX.index next to PREFIX.data-00000-of-00001
// and so on). Values stay in the data files until a query needs them.
class Checkpoint {
 public:
  Checkpoint(std::string index_path, BundleHeader header);

  // Returns the number of the entry. REQUIRES: keys ascend.
  uint32_t Add(std::string_view key, std::string_view entry);

  const BundleHeader& header() const { return header_; }
  const std::string& index_path() const { return index_path_; }
  std::string DataPath(int32_t shard) const;

  // Errors: corrupt if the entry is missing or malformed.
  Result<BundleEntry> Entry(uint32_t number) const;
  Result<BundleEntry> SliceEntry(std::string_view name, const TensorSlice& slice) const;
  std::string_view Key(uint32_t number) const;

 private:
  struct Row {
    uint64_t key;  // offset in text_
    uint32_t key_bytes;
    uint32_t entry_bytes;  // they follow the key
  };
  std::string index_path_;
  BundleHeader header_;
  std::vector<Row> rows_;
  std::string text_;
};

// Returns the path of the index: `prefix` itself if it is an index file, else PREFIX.index.
std::string CheckpointIndexPath(const std::string& prefix);

// Reads entry `number` from the data files and checks size and checksum. Types other than float,
// double, int32 and int64 return TensorValue::Kind::unsupported. Errors: unreadable (a data file is
// missing), corrupt (with its place; or a data file is too short).
Result<TensorValue> ReadTensor(const Checkpoint& checkpoint, uint32_t number);

}  // namespace tfprof
