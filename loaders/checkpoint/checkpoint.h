// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/tensor.h"
#include "loaders/checkpoint/bundle.h"

namespace tfprof {

// The table of contents of a TensorFlow checkpoint (version 2: PREFIX.index beside
// PREFIX.data-00000-of-00001 and so on). Values stay in the data files until asked for.
class Checkpoint {
 public:
  Checkpoint(std::string index_path, BundleHeader header);

  // REQUIRES: keys ascend. Returns the number of the entry.
  uint32_t Add(std::string_view key, std::string_view entry);

  const BundleHeader& header() const { return header_; }
  const std::string& index_path() const { return index_path_; }
  std::string DataPath(int32_t shard) const;

  // Errors: corrupt, when there is no such entry or it is malformed.
  Result<BundleEntry> Entry(uint32_t number) const;
  Result<BundleEntry> SliceEntry(std::string_view name, const TensorSlice& slice) const;
  std::string_view Key(uint32_t number) const;

 private:
  struct Row {
    uint64_t key;  // offset in text_
    uint32_t key_bytes;
    uint32_t entry_bytes;  // behind the key
  };
  std::string index_path_;
  BundleHeader header_;
  std::vector<Row> rows_;
  std::string text_;
};

// The path of the table of contents: `prefix` itself when it names one, else PREFIX.index.
std::string CheckpointIndexPath(const std::string& prefix);

// Reads entry `number` from the data files and checks size and checksum. Types other than float,
// double, int32 and int64 give TensorValue::Kind::unsupported.
// Errors: unreadable (a data file is missing), corrupt (placed; or a data file that is too short).
Result<TensorValue> ReadTensor(const Checkpoint& checkpoint, uint32_t number);

}  // namespace tfprof
