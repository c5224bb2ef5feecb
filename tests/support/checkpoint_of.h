// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <snappy.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "loaders/checkpoint/checkpoint.h"
#include "loaders/checkpoint/crc32c.h"
#include "proto/tensor_bundle.pb.h"
#include "tests/support/source_of.h"

// Builds checkpoints in tests.

namespace tfprof {

inline uint32_t MaskedCrc(std::string_view bytes) { return MaskedCrc32c(bytes); }

inline void AppendFixed32(uint32_t value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 128; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

using Rows = std::vector<std::pair<std::string, std::string>>;

// A table with a few entries per block. `snappy_blocks`: data blocks are compressed.
inline std::string TableOf(const Rows& rows, bool snappy_blocks, size_t per_block = 3) {
  std::string file;
  const auto block = [&](const Rows& entries, bool compress) {
    std::string bytes, before;
    for (const auto& [key, value] : entries) {
      size_t shared = 0;
      while (shared < before.size() && shared < key.size() && before[shared] == key[shared])
        ++shared;
      AppendVarint(shared, &bytes);
      AppendVarint(key.size() - shared, &bytes);
      AppendVarint(value.size(), &bytes);
      bytes += key.substr(shared) + value;
      before = key;
    }
    AppendFixed32(0, &bytes);  // one restart point, at 0
    AppendFixed32(1, &bytes);
    std::string packed;
    if (compress) snappy::Compress(bytes.data(), bytes.size(), &packed);
    std::string stored = (compress ? packed : bytes) + (compress ? '\1' : '\0');
    std::string handle;
    AppendVarint(file.size(), &handle);
    AppendVarint(stored.size() - 1, &handle);
    AppendFixed32(MaskedCrc(stored), &stored);
    file += stored;
    return handle;
  };
  Rows index;
  for (size_t i = 0; i < rows.size(); i += per_block) {
    const size_t end = std::min(rows.size(), i + per_block);
    index.emplace_back(rows[end - 1].first,
                       block(Rows(&rows[i], &rows[end - 1] + 1), snappy_blocks));
  }
  std::string footer = block({}, false);
  footer += block(index, false);
  footer.resize(40);
  AppendFixed32(0x8b80fb57u, &footer);
  AppendFixed32(0xdb477524u, &footer);
  return file + footer;
}

template <class T>
std::string Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A checkpoint with its one data file, built entry by entry.
struct CheckpointWriter {
  std::string data;
  std::map<std::string, std::string> rows;

  CheckpointWriter() {
    pb::BundleHeaderProto header;
    header.set_num_shards(1);
    rows[""] = header.SerializeAsString();
  }
  pb::BundleEntryProto Entry(pb::DataType dtype, const std::vector<int64_t>& shape) {
    pb::BundleEntryProto entry;
    entry.set_dtype(dtype);
    for (const int64_t size : shape) entry.mutable_shape()->add_dim()->set_size(size);
    return entry;
  }
  void Add(const std::string& key, pb::BundleEntryProto entry, const std::string& bytes) {
    entry.set_offset(static_cast<int64_t>(data.size()));
    entry.set_size(static_cast<int64_t>(bytes.size()));
    entry.set_crc32c(MaskedCrc(bytes));
    data += bytes;
    rows[key] = entry.SerializeAsString();
  }
  void Slice(pb::BundleEntryProto* whole, const std::string& name, const TensorSlice& slice,
             const std::vector<int64_t>& shape, const std::string& bytes) {
    pb::TensorSliceProto* added = whole->add_slices();
    for (const SliceExtent& extent : slice) {
      auto* out = added->add_extent();
      out->set_start(extent.start);
      if (extent.length >= 0) out->set_length(extent.length);
    }
    Add(SliceKey(name, slice), Entry(whole->dtype(), shape), bytes);
  }
  std::string Save(const TestFolder& folder, bool snappy_blocks = false) const {
    WriteFile(folder / "ckpt.index", TableOf(Rows(rows.begin(), rows.end()), snappy_blocks));
    WriteFile(folder / "ckpt.data-00000-of-00001", data);
    return folder / "ckpt.index";
  }
};

}  // namespace tfprof
