// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "core/base/context.h"
#include "core/base/result.h"
#include "loaders/io/source.h"

namespace tfprof {

// Reader of a sorted table in leveldb's file format (leveldb, doc/table_format.md), as used by
// TensorFlow's checkpoints: data blocks of key/value entries, an index block of the data blocks,
// and a footer of 48 bytes with the position of the index block and a magic number at its end.
constexpr size_t kTableFooterBytes = 48;

struct TableEntry {
  std::string_view key;    // valid during the visit
  std::string_view value;  // valid during the visit
  uint64_t block_offset;   // offset in the file of the block with the entry; for messages
};

bool EndsLikeTable(std::string_view bytes);

// Visits every entry in key order; stops at the visitor's first error. Checks the CRC of each block
// before use.
//
// Errors: corrupt (with its place), cancelled. Keys must ascend strictly, and their total length
// must not exceed 10 times the file + 32 MiB; otherwise the file is corrupt. This limits the work
// that a small file can cause.
Result<void> ReadTable(const SourceFile& file, Context& context,
                       const std::function<Result<void>(const TableEntry&)>& visit);

}  // namespace tfprof
