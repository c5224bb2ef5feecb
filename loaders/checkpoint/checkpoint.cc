// SPDX-License-Identifier: Apache-2.0
#include "loaders/checkpoint/checkpoint.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/store/note_catalogue.h"
#include "loaders/checkpoint/leveldb_table.h"
#include "loaders/formats.h"
#include "loaders/io/source.h"
#include "loaders/merge/overlap.h"
#include "loaders/wire/wire.h"
#include "proto/tensor_bundle_fields.h"

namespace tfprof {
namespace {

constexpr std::string_view kIndexSuffix = ".index";

// Keys of slices begin with a zero byte; names of tensors never do.
bool IsSliceKey(std::string_view key) { return key.starts_with('\0'); }

// Returns true for the header of version 1, which keeps everything in such a table. Its first entry
// begins with a message, not a number.
bool IsVersion1Header(std::string_view bytes) {
  wire::Fields fields(bytes);
  return fields.Next() &&
         fields.tag() == wire::Tag(field::BundleHeaderProto::num_shards, wire::kBytes);
}

Result<BundleHeader> ReadHeader(const SourceFile& file, const TableEntry& entry) {
  BundleHeader header;
  if (!entry.key.empty()) {
    return Fail(ErrorKind::corrupt, "the checkpoint has no header", file.At(entry.block_offset));
  }
  if (IsVersion1Header(entry.value)) {
    return Fail(ErrorKind::corrupt, "checkpoint version 1 is not supported", file.path,
                "restore it in TensorFlow and save it with write_version=V2");
  }
  if (!ParseBundleHeader(entry.value, &header)) {
    return Fail(ErrorKind::corrupt, "the header of the checkpoint is damaged",
                file.At(entry.block_offset));
  }
  return header;
}

// Builds a checkpoint from a table. The header comes first, since its key is empty.
struct CheckpointReader {
  const SourceFile& file;
  StoreBuilder& store;
  SourceId source;
  NameId variable_type;
  std::shared_ptr<Checkpoint> checkpoint = nullptr;
  // Excludes entries in slices: their nodes have names of their own.
  Overlap overlap = {"entries", &note::checkpoint_of_other_graph, 0, 0};

  Result<void> Take(const TableEntry& row) {
    if (checkpoint == nullptr) {
      TFPROF_ASSIGN(const BundleHeader header, ReadHeader(file, row));
      checkpoint = std::make_shared<Checkpoint>(file.path, header);
      return {};
    }
    BundleEntry entry;
    if (!ParseBundleEntry(row.value, &entry)) {
      store.AddNote(note::damaged_checkpoint_entries, file.At(row.block_offset));
      return {};
    }
    const uint32_t number = checkpoint->Add(row.key, row.value);
    if (IsSliceKey(row.key)) return {};
    const NameId name = store.Name(row.key);
    store.AddTensor({name, source, number});
    const NodeId node = store.FindNode(name);
    if (node.some()) store.AddType(node, variable_type);
    overlap.own += entry.slices.empty() ? 1 : 0;
    overlap.shared += entry.slices.empty() && node.some() ? 1 : 0;
    return {};
  }
};

Result<void> LoadCheckpoint(const SourceFile& file, const LoadArguments& arguments,
                            StoreBuilder& store, Context& context) {
  const SourceId source =
      store.AddSource({file.path, "checkpoint", file.file_bytes, file.bytes.size()});
  CheckpointReader reader{file, store, source, store.Name("_checkpoint_variables")};
  TFPROF_TRY(ReadTable(file, context, [&](const TableEntry& row) { return reader.Take(row); }));
  if (reader.checkpoint == nullptr) {
    return Fail(ErrorKind::corrupt, "the checkpoint has no header", file.path);
  }
  if (arguments.check_overlap) TFPROF_TRY(CheckOverlap(reader.overlap, file, store));
  store.source(source).details.tensor = [checkpoint = reader.checkpoint](uint32_t number) {
    return ReadTensor(*checkpoint, number);
  };
  return {};
}

int Score(std::string_view bytes) { return EndsLikeTable(bytes) ? 100 : 0; }

std::string Prefix(const std::string& index_path) {
  const bool named = index_path.ends_with(kIndexSuffix);
  return index_path.substr(0, index_path.size() - (named ? kIndexSuffix.size() : 0));
}

// Returns the data files that exist, without checking which of them hold values.
std::vector<std::string> DataFiles(const std::string& index_path) {
  const std::filesystem::path prefix = Prefix(index_path);
  const std::string begin = prefix.filename().string() + ".data-";
  const std::filesystem::path folder = prefix.has_parent_path() ? prefix.parent_path() : ".";
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(begin)) files.push_back(at->path().string());
  }
  return files;
}

}  // namespace

Checkpoint::Checkpoint(std::string index_path, BundleHeader header)
    : index_path_(std::move(index_path)), header_(header) {}

uint32_t Checkpoint::Add(std::string_view key, std::string_view entry) {
  rows_.push_back(
      {text_.size(), static_cast<uint32_t>(key.size()), static_cast<uint32_t>(entry.size())});
  text_.append(key);
  text_.append(entry);
  return static_cast<uint32_t>(rows_.size() - 1);
}

std::string_view Checkpoint::Key(uint32_t number) const {
  const Row& row = rows_[number];
  return std::string_view(text_).substr(row.key, row.key_bytes);
}

Result<BundleEntry> Checkpoint::Entry(uint32_t number) const {
  const Row& row = rows_[number];
  std::string bytes = text_.substr(row.key + row.key_bytes, row.entry_bytes);
  bytes.append(SourceFile::kPadding, '\0');
  BundleEntry entry;
  if (!ParseBundleEntry(std::string_view(bytes).substr(0, row.entry_bytes), &entry)) {
    return Fail(ErrorKind::corrupt, "a damaged entry of the checkpoint", index_path_);
  }
  return entry;
}

Result<BundleEntry> Checkpoint::SliceEntry(std::string_view name, const TensorSlice& slice) const {
  const std::string key = SliceKey(name, slice);
  const auto at = std::partition_point(rows_.begin(), rows_.end(), [&](const Row& row) {
    return std::string_view(text_).substr(row.key, row.key_bytes) < key;
  });
  const auto number = static_cast<uint32_t>(at - rows_.begin());
  if (at == rows_.end() || Key(number) != key) {
    return Fail(ErrorKind::corrupt, "a slice of '" + std::string(name) + "' is missing",
                index_path_);
  }
  return Entry(number);
}

std::string Checkpoint::DataPath(int32_t shard) const {
  char suffix[48];
  snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", shard, header_.num_shards);
  return Prefix(index_path_) + suffix;
}

std::string CheckpointIndexPath(const std::string& prefix) {
  const std::string index = prefix + std::string(kIndexSuffix);
  return prefix.ends_with(kIndexSuffix) || (!Exists(index) && Exists(prefix)) ? prefix : index;
}

const Loader kCheckpointLoader = {
    .name = "checkpoint",
    .noun = "a checkpoint",
    .flag = "--checkpoint_path",
    .summary = "values of variables (TensorFlow checkpoint, PREFIX.index)",
    .order = 2,
    .role = MergeRole::extra,
    .score = Score,
    .load = LoadCheckpoint,
    .file_of = CheckpointIndexPath,
    .beside = DataFiles,
};

}  // namespace tfprof
