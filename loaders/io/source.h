// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "core/base/result.h"
#include "loaders/io/mapping.h"

namespace tfprof {

// The bytes of one input file: mapped where it is a regular file that is not compressed and the
// program catches what mapping takes (mapping.h), else inflated or read into memory. At least
// kPadding readable zero bytes follow `bytes` (a decoder may load whole words), which are not part
// of it.
struct SourceFile {
  static constexpr size_t kPadding = 64;

  std::string path;  // as the user gave it; "-" is standard input
  std::string_view bytes;
  uint64_t file_bytes = 0;                 // on disk
  bool compressed = false;                 // bytes were inflated: offsets are of the inflated text
  std::string damaged_at;                  // of a broken gzip kept in part; empty: it is whole
  std::shared_ptr<const void> keep;        // owns the mapping or the memory
  std::shared_ptr<const Mapping> mapping;  // null: the bytes lie in memory

  // "path: byte 1234" (or "... of the inflated data"), for Error::where and notes.
  std::string At(uint64_t offset) const;
};

struct OpenAs {
  bool in_memory = false;  // also what could be mapped
  // Somebody said what it is: no part of it is looked at to find out.
  bool format_is_known = false;
};

// What does not tell its size, as a pipe, is read on only while it may become a profile.
// Errors: unreadable (missing, a directory, no permission), corrupt (no profile, broken gzip, with
// its offset; with context.limits.partial what was inflated before is kept), cancelled, or inflates
// to more than context.limits.max_inflated_bytes.
Result<SourceFile> OpenSource(const std::string& path, Context& context, const OpenAs& how = {});

// Error: corrupt, where a mapped file has shrunk.
Result<void> CheckWhole(const SourceFile& file);

// Runs `work`, which returns Result<T>, such that a mapped file that shrinks meanwhile is an error
// of `file`, not SIGBUS. Everything that reads `bytes` of a mapping runs inside of it.
template <class Work>
auto GuardReads(const SourceFile& file, Work work) -> decltype(work()) {
  TFPROF_TRY(CheckWhole(file));
  auto result = work();
  TFPROF_TRY(CheckWhole(file));  // what was read of a file that shrank is garbage
  return result;
}

// What lies between these places was read and is not needed soon: see Mapping::GiveBack. Nothing is
// done for a file that lies in memory.
void GivePagesBack(const SourceFile& file, const char* begin, const char* end);

// The same for who reads a file from front to back: pages go back some at a time.
struct PagesBehind {
  static constexpr size_t kSmallFile = size_t{2} << 20;

  const SourceFile& file;
  const char* from = file.bytes.data();
  // Each time costs some, and what is not given back yet is much beside the store of a small file.
  ptrdiff_t step_bytes = ptrdiff_t{file.bytes.size() < kSmallFile ? 64 : 256} << 10;

  // All before `at` was read.
  void GiveBack(const char* at) {
    if (at - from < step_bytes) return;
    GivePagesBack(file, from, at);
    from = at;
  }
  void GiveBackAll() { GivePagesBack(file, from, file.bytes.data() + file.bytes.size()); }
};

}  // namespace tfprof
