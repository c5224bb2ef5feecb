// SPDX-License-Identifier: Apache-2.0
// Reads a spool, also one that is damaged, truncated or still written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/spool/format.h"

namespace tfprof::capture {

struct Block {
  uint32_t thread = 0;
  std::span<const std::byte> records;
};

// What a reader skipped.
struct SpoolDamage {
  uint64_t bytes = 0;        // that are no valid block
  uint64_t lost_blocks = 0;  // by gaps in the sequence
  uint64_t records = 0;      // malformed ones in valid blocks
};

// Where the blocks that were read end.
struct SpoolPlace {
  uint64_t offset = 0;    // in the spool
  uint32_t sequence = 0;  // of the next block
  SpoolDamage damage;     // until then
};

// The segments of a ring that belong to a spool, the oldest first.
std::vector<std::string> SegmentsOf(const std::string& spool);

// Memory: one block. The file may grow meanwhile: the end is where no whole block follows.
class SpoolReader {
 public:
  SpoolReader() = default;
  SpoolReader(const SpoolReader&) = delete;
  SpoolReader& operator=(const SpoolReader&) = delete;
  ~SpoolReader();

  // Returns 0 or an errno. Segments that there are now are read after the spool.
  int Open(const std::string& path);

  // The block is valid until the next call. Returns false at the end.
  bool Next(Block* block);

  // Whether the last block was of a segment.
  bool is_in_segment() const { return at_file_ > 0; }

  bool has_segments() const { return files_.size() > 1; }

  // Starts at the beginning again; damage is counted anew.
  void Rewind() { StartAt({}); }
  // Starts anywhere in the spool: at the first block from this place on.
  void StartAt(const SpoolPlace& place);
  // Behind the last block of the spool that was read, so that what was torn is read again.
  const SpoolPlace& place() const { return place_; }

  const SpoolDamage& damage() const { return damage_; }

 private:
  // Makes at least `bytes` of the file available at the cursor; false: there are fewer.
  bool Fill(size_t bytes);
  void Close();
  // Goes on with the next file; false: there is none.
  bool OpenNext();
  bool TakeBlock(Block* block);
  void SkipToMagic();
  void CountGap(uint32_t sequence);

  std::vector<int> files_;
  size_t at_file_ = 0;
  uint64_t offset_ = 0;  // in the file, of the end of buffer_
  std::vector<std::byte> buffer_;
  size_t cursor_ = 0;  // in buffer_
  uint32_t next_sequence_ = 0;
  SpoolDamage damage_;
  SpoolPlace place_;
};

// Calls take(const RecordHead&) for each record. A malformed length ends the block; returns false
// then.
template <class Take>
bool EachRecord(std::span<const std::byte> records, Take take) {
  while (records.size() >= sizeof(RecordHead)) {
    const auto& head = *reinterpret_cast<const RecordHead*>(records.data());
    if (head.bytes < sizeof(RecordHead) || head.bytes % 8 != 0 || head.bytes > records.size()) {
      return false;
    }
    take(head);
    records = records.subspan(head.bytes);
  }
  return records.empty();
}

// Returns the record as the type of its kind; null: it is shorter than that.
template <class Record>
const Record* As(const RecordHead& head) {
  return head.bytes >= sizeof(Record) ? reinterpret_cast<const Record*>(&head) : nullptr;
}

// Returns the text of a record of names and the like.
std::string_view TextOf(const RecordHead& head);

}  // namespace tfprof::capture
