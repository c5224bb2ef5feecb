// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// Messages and keys of a checkpoint's index. Schema and semantics: proto/tensor_bundle.proto.

struct BundleHeader {
  int32_t num_shards = 0;
  bool big_endian = false;
};

// One dimension of a slice of a tensor: [start, start + length). Length -1: the whole dimension.
struct SliceExtent {
  int64_t start = 0;
  int64_t length = -1;
};
using TensorSlice = std::vector<SliceExtent>;

struct BundleEntry {
  int dtype = 0;
  std::vector<int64_t> shape;
  bool unknown_rank = false;
  int32_t shard = 0;
  int64_t offset = 0;
  int64_t size = 0;
  uint32_t masked_crc32c = 0;
  std::vector<TensorSlice> slices;  // not empty: the values are in the entries of these slices
};

// Returns false if malformed. REQUIRES: SourceFile::kPadding readable bytes follow.
bool ParseBundleHeader(std::string_view bytes, BundleHeader* header);
bool ParseBundleEntry(std::string_view bytes, BundleEntry* entry);

// Returns the key of the entry that holds `slice` of the tensor `name`. The key is in ordered code:
// the concatenation sorts as the tuple (0, name, rank, start, length, start, length, ...).
std::string SliceKey(std::string_view name, const TensorSlice& slice);

}  // namespace tfprof
