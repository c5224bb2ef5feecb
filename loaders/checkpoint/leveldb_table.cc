// SPDX-License-Identifier: Apache-2.0
#include "loaders/checkpoint/leveldb_table.h"

#include <snappy.h>

#include <cstring>
#include <string>
#include <utility>

#include "loaders/checkpoint/crc32c.h"

namespace tfprof {
namespace {

constexpr uint64_t kMagic = 0xdb4775248b80fb57u;
constexpr size_t kTrailerBytes = 5;  // compression type, masked CRC of block and type
constexpr char kRaw = 0;
constexpr char kSnappy = 1;

// Position of a block, without its trailer.
struct Handle {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct Block {
  uint64_t offset = 0;
  std::string bytes;  // with padding, since values are decoded in place
  std::string_view view() const {
    return std::string_view(bytes).substr(0, bytes.size() - SourceFile::kPadding);
  }
};

Failure Corrupt(const SourceFile& file, uint64_t offset, const char* what) {
  return Fail(ErrorKind::corrupt, what, file.At(offset),
              "copy the checkpoint again, or save it again");
}

uint32_t Fixed32(const char* at) {
  uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Takes a varint from the front of `rest`. Returns false if it is truncated or longer than 64 bits.
bool TakeVarint(std::string_view* rest, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && !rest->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest->front());
    rest->remove_prefix(1);
    *value |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool TakeHandle(std::string_view* rest, Handle* handle) {
  return TakeVarint(rest, &handle->offset) && TakeVarint(rest, &handle->size);
}

Result<void> Inflate(const SourceFile& file, std::string_view compressed, Block* block) {
  size_t size = 0;
  // A snappy element of 3 bytes expands to at most 64 bytes. A header that claims more is damaged.
  if (!snappy::GetUncompressedLength(compressed.data(), compressed.size(), &size) ||
      size / 32 > compressed.size() ||
      !snappy::Uncompress(compressed.data(), compressed.size(), &block->bytes)) {
    return Corrupt(file, block->offset, "damaged snappy data in a block of the table");
  }
  return {};
}

Result<void> ReadBlock(const SourceFile& file, Handle handle, Block* block) {
  const uint64_t end = file.bytes.size() - kTableFooterBytes;
  if (handle.size > end || handle.offset > end - handle.size ||
      end - handle.size - handle.offset < kTrailerBytes) {
    return Corrupt(file, handle.offset, "a block of the table lies outside the file");
  }
  // Copies the block: the checked bytes must be the used bytes, even if a mapped file changes.
  std::string copy(file.bytes.substr(handle.offset, handle.size + kTrailerBytes));
  const std::string_view checked = std::string_view(copy).substr(0, handle.size + 1);
  if (MaskedCrc32c(checked) != Fixed32(checked.data() + checked.size())) {
    return Corrupt(file, handle.offset, "wrong checksum of a block of the table");
  }
  block->offset = handle.offset;
  if (checked.back() == kSnappy) {
    TFPROF_TRY(Inflate(file, checked.substr(0, handle.size), block));
  } else if (checked.back() == kRaw) {
    copy.resize(handle.size);
    block->bytes = std::move(copy);
  } else {
    return Corrupt(file, handle.offset, "unknown compression of a block");
  }
  block->bytes.append(SourceFile::kPadding, '\0');
  return {};
}

// The key under construction. An entry stores only the difference to the previous key.
struct EntryKeys {
  std::string current;
  bool some = false;
  uint64_t bytes = 0;  // of all keys read
  uint64_t max_bytes = 0;
};

struct EntryHead {
  uint64_t shared = 0;  // bytes of the previous key
  uint64_t further = 0;
  uint64_t value = 0;
};

bool TakeHead(std::string_view* rest, EntryHead* head) {
  return TakeVarint(rest, &head->shared) && TakeVarint(rest, &head->further) &&
         TakeVarint(rest, &head->value) && head->further <= rest->size() &&
         head->value <= rest->size() - head->further;
}

// Builds the next key. Returns null, or the error.
const char* NextKey(const EntryHead& head, std::string_view further, bool first_of_block,
                    EntryKeys* keys) {
  std::string& key = keys->current;
  if (head.shared > (first_of_block ? 0 : key.size()))
    return "a damaged key in a block of the table";
  if (keys->some && std::string_view(key).substr(head.shared) >= further) {
    return "keys of the table are out of order";
  }
  key.resize(head.shared);
  key.append(further);
  keys->some = true;
  keys->bytes += key.size();
  return keys->bytes > keys->max_bytes ? "keys of the table are too long" : nullptr;
}

// A block has entries, the offsets of restart points (4 bytes each) and their number (4 bytes). An
// entry has three varints (EntryHead), the further bytes of its key, and its value. Restart points
// are for searching; a full read does not need them.
Result<void> ForEachEntry(const SourceFile& file, const Block& block, EntryKeys* keys,
                          const std::function<Result<void>(const TableEntry&)>& visit) {
  const size_t size = block.view().size();
  const uint64_t restarts = size < 4 ? 0 : Fixed32(block.bytes.data() + size - 4);
  if (size < 4 || restarts > (size - 4) / 4) {
    return Corrupt(file, block.offset, "damaged end of a block of the table");
  }
  std::string_view rest = block.view().substr(0, size - 4 - restarts * 4);
  for (bool first = true; !rest.empty(); first = false) {
    EntryHead head;
    if (!TakeHead(&rest, &head)) {
      return Corrupt(file, block.offset, "a damaged entry in a block of the table");
    }
    const char* wrong = NextKey(head, rest.substr(0, head.further), first, keys);
    if (wrong != nullptr) return Corrupt(file, block.offset, wrong);
    TFPROF_TRY(visit({keys->current, rest.substr(head.further, head.value), block.offset}));
    rest.remove_prefix(head.further + head.value);
  }
  return {};
}

Result<void> ReadDataBlock(const SourceFile& file, std::string_view handle_bytes,
                           uint64_t index_offset, uint64_t* end, EntryKeys* keys,
                           const std::function<Result<void>(const TableEntry&)>& visit) {
  Handle handle;
  if (!TakeHandle(&handle_bytes, &handle)) {
    return Corrupt(file, index_offset, "a damaged entry in the index of the table");
  }
  // Blocks ascend. Without this check, a file that lists a block twice would be read forever.
  if (handle.offset < *end) return Corrupt(file, index_offset, "blocks of the table overlap");
  Block block;
  TFPROF_TRY(ReadBlock(file, handle, &block));
  *end = handle.offset + handle.size + kTrailerBytes;
  return ForEachEntry(file, block, keys, visit);
}

}  // namespace

bool EndsLikeTable(std::string_view bytes) {
  if (bytes.size() < kTableFooterBytes) return false;
  const char* magic = bytes.data() + bytes.size() - 8;
  return Fixed32(magic) == static_cast<uint32_t>(kMagic) &&
         Fixed32(magic + 4) == static_cast<uint32_t>(kMagic >> 32);
}

Result<void> ReadTable(const SourceFile& file, Context& context,
                       const std::function<Result<void>(const TableEntry&)>& visit) {
  if (!EndsLikeTable(file.bytes)) {
    return Corrupt(file, file.bytes.size(), "the table footer is missing");
  }
  const uint64_t footer_offset = file.bytes.size() - kTableFooterBytes;
  std::string_view footer = file.bytes.substr(footer_offset);
  Handle meta, index;
  if (!TakeHandle(&footer, &meta) || !TakeHandle(&footer, &index)) {
    return Corrupt(file, footer_offset, "the table footer is damaged");
  }
  Block index_block;
  TFPROF_TRY(ReadBlock(file, index, &index_block));
  const uint64_t max = file.bytes.size() * 10 + (uint64_t{32} << 20);
  EntryKeys index_keys{.max_bytes = max}, keys{.max_bytes = max};
  uint64_t end = 0;
  return ForEachEntry(file, index_block, &index_keys, [&](const TableEntry& entry) -> Result<void> {
    TFPROF_TRY(Poll(context));
    return ReadDataBlock(file, entry.value, index.offset, &end, &keys, visit);
  });
}

}  // namespace tfprof
