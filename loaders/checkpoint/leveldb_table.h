// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "core/base/context.h"
#include "core/base/result.h"
#include "loaders/io/source.h"

namespace tfprof {

// A sorted table in leveldb's file format (leveldb, doc/table_format.md), which TensorFlow's
// checkpoints use: data blocks of key/value entries, an index block that names them, and a footer
// of 48 bytes that names the index block and ends in a magic number.
constexpr size_t kTableFooterBytes = 48;

struct TableEntry {
  std::string_view key;    // valid during the visit
  std::string_view value;  // valid during the visit
  uint64_t block_offset;   // in the file, of the block that holds it; for messages
};

bool EndsLikeTable(std::string_view bytes);

// Visits every entry in the order of keys; stops at the visitor's first error. Checks every block's
// CRC before use. Errors: corrupt (placed), cancelled. Keys ascend strictly and, all together, are
// no longer than 10 times the file + 32 MiB, or the file is corrupt: a small file cannot make much
// work.
Result<void> ReadTable(const SourceFile& file, Context& context,
                       const std::function<Result<void>(const TableEntry&)>& visit);

}  // namespace tfprof
