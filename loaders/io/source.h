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

// The bytes of one input file. It is mapped if it is a regular uncompressed file and the program
// handles shrinking (mapping.h); otherwise it is inflated or read into memory. At least kPadding
// readable zero bytes follow `bytes` and are not part of it (a decoder may load whole words).
struct SourceFile {
  static constexpr size_t kPadding = 64;

  std::string path;  // as the user gave it; "-" is standard input
  std::string_view bytes;
  uint64_t file_bytes = 0;           // on disk
  bool compressed = false;           // bytes were inflated: offsets refer to the inflated data
  std::string damaged_at;            // of a broken gzip file that is kept in part; empty: complete
  std::shared_ptr<const void> keep;  // owns the mapping or the memory
  std::shared_ptr<const Mapping> mapping;  // null: the bytes are in memory

  // Returns "path: byte 1234" (or "... of the inflated data"), for Error::where and notes.
  std::string At(uint64_t offset) const;
  std::string At(const char* place) const {
    return At(static_cast<uint64_t>(place - bytes.data()));
  }
};

bool Exists(const std::string& path);

struct OpenAs {
  bool in_memory = false;  // read even mappable files into memory
  // The user gave the format: the beginning is not checked.
  bool format_is_known = false;
};

// Opens a file. An input without a size, such as a pipe, is read only while it may be a profile.
//
// Errors: unreadable (missing, a directory, no permission), corrupt (not a profile; broken gzip,
// with its offset; with context.limits.partial the data inflated before is kept), cancelled, or
// limit if it inflates to more than context.limits.max_inflated_bytes.
Result<SourceFile> OpenSource(const std::string& path, Context& context, const OpenAs& how = {});

// As OpenSource, for bytes that are in memory; `name` is for messages.
Result<SourceFile> SourceOf(const std::string& name, std::string_view bytes, Context& context);

// Error: corrupt if a mapped file has shrunk.
Result<void> CheckComplete(const SourceFile& file);

// Runs `work`, which returns Result<T>. A mapped file that shrinks meanwhile is an error of `file`,
// not a SIGBUS. All code that reads `bytes` of a mapping runs inside Guarded.
template <class Work>
auto GuardReads(const SourceFile& file, Work work) -> decltype(work()) {
  TFPROF_TRY(CheckComplete(file));
  auto result = work();
  TFPROF_TRY(CheckComplete(file));  // data read from a file that shrank is garbage
  return result;
}

// Releases pages that were read and are not needed soon: see Mapping::ReleaseRead. Does nothing for
// a file in memory.
void ReleasePages(const SourceFile& file, const char* begin, const char* end);
inline void ReleasePages(const SourceFile& file, std::string_view part) {
  ReleasePages(file, part.data(), part.data() + part.size());
}

// Releases pages of a file that is read from front to back, some at a time.
struct ConsumedPages {
  static constexpr size_t kSmallFile = size_t{2} << 20;

  const SourceFile& file;
  const char* from = file.bytes.data();
  // Each release has a cost, but unreleased pages are large next to the store of a small file.
  ptrdiff_t step_bytes = ptrdiff_t{file.bytes.size() < kSmallFile ? 64 : 256} << 10;

  // Everything before `at` was read.
  void ReleaseRead(const char* at) {
    if (at - from < step_bytes) return;
    ReleasePages(file, from, at);
    from = at;
  }
  void ReleaseAll() { ReleasePages(file, from, file.bytes.data() + file.bytes.size()); }
};

}  // namespace tfprof
