// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/column.h"
#include "loaders/detect/detect.h"
#include "loaders/io/inflate.h"

namespace tfprof {
namespace {

struct File {
  int fd = -1;
  bool owned = false;
  ~File() {
    if (owned && fd >= 0) close(fd);
  }
};

Failure Unreadable(const std::string& path, int error) {
  return Fail(ErrorKind::unreadable, std::string("cannot be read: ") + std::strerror(error), path);
}

Result<void> RefuseUrl(const std::string& path) {
  const size_t colon = path.find("://");
  if (colon == std::string::npos || path.find('/') < colon) return {};
  return Fail(
      ErrorKind::unreadable, "is a URL, not a file", path,
      "copy it first: tfprof fetch " + path + " (gs://, s3://, ssh://, http:// and https://)");
}

// Writes zeros after the bytes.
std::string_view Padded(Column<char>* memory) {
  const size_t size = memory->size();
  std::memset(memory->Extend(SourceFile::kPadding), 0, SourceFile::kPadding);
  memory->Resize(size);
  return {memory->data(), size};
}

// Takes ownership of `memory`.
void Keep(Column<char> memory, SourceFile* file) {
  const auto kept = std::make_shared<Column<char>>(std::move(memory));
  file->bytes = Padded(kept.get());
  file->keep = kept;
}

// Checks the beginning of an input that may not end, such as a pipe or a gzip bomb. Reading
// continues only while it may be a profile.
Result<void> CheckBeginning(const std::string& path, Column<char>* memory) {
  const std::string_view bytes = Padded(memory);
  return MayBeProfile(bytes) ? Result<void>() : NotAProfile(bytes, path);
}

// As above, for the bytes of a gzip file that are read.
Result<void> CheckCompressed(const std::string& path, std::string_view compressed,
                             const Context& context) {
  Context some;
  some.stop = context.stop;
  some.limits.max_inflated_bytes = kBeginningBytes;
  Column<char> inflated;
  (void)Inflate(compressed, path, some, &inflated);  // it stops where the input is truncated
  return inflated.empty() ? Result<void>() : CheckBeginning(path, &inflated);
}

// `bytes`: size of the file; 0: a pipe, or a file without a size.
Result<void> ReadAll(int fd, size_t bytes, const OpenAs& how, SourceFile* file, Context& context) {
  constexpr size_t kChunkBytes = size_t{1} << 18;
  size_t look_at = size_t{1} << 20;  // bytes; then again at each doubling
  Column<char> memory;
  if (bytes > 0) memory.Reserve(bytes + kChunkBytes + SourceFile::kPadding);
  for (;;) {
    TFPROF_TRY(Poll(context));
    const size_t before = memory.size();
    const ssize_t got = read(fd, memory.Extend(kChunkBytes), kChunkBytes);
    if (got < 0 && errno != EINTR) return Unreadable(file->path, errno);
    memory.Resize(before + static_cast<size_t>(got < 0 ? 0 : got));
    if (got == 0) break;
    if (bytes == 0 && !how.format_is_known && memory.size() >= look_at) {
      const std::string_view there = Padded(&memory);
      TFPROF_TRY(IsGzip(there) ? CheckCompressed(file->path, there, context)
                               : CheckBeginning(file->path, &memory));
      look_at = 2 * memory.size();
    }
    if (memory.size() > context.limits.max_inflated_bytes) {
      return Fail(ErrorKind::corrupt, "exceeds the size limit", file->path, Remedy::higher_limit);
    }
  }
  file->file_bytes = memory.size();
  Keep(std::move(memory), file);
  return {};
}

Result<void> MapOrRead(int fd, const OpenAs& how, SourceFile* file, Context& context) {
  struct stat stat = {};
  if (fstat(fd, &stat) != 0) return Unreadable(file->path, errno);
  if (S_ISDIR(stat.st_mode)) return Fail(ErrorKind::unreadable, "is a directory", file->path);
  if (!S_ISREG(stat.st_mode) || stat.st_size == 0) return ReadAll(fd, 0, how, file, context);
  // Standard input may be partly consumed. Only the rest is the input.
  if (lseek(fd, 0, SEEK_CUR) > 0) return ReadAll(fd, 0, how, file, context);
  if (how.in_memory || !ShrinkingFilesAreCaught()) {
    return ReadAll(fd, static_cast<size_t>(stat.st_size), how, file, context);
  }
  const std::shared_ptr<Mapping> mapping = Mapping::Open(fd, stat);
  if (mapping == nullptr) return Unreadable(file->path, errno);
  file->file_bytes = static_cast<uint64_t>(stat.st_size);
  file->bytes = mapping->bytes();
  file->mapping = mapping;
  file->keep = mapping;
  return {};
}

Result<void> InflateFile(const OpenAs& how, SourceFile* file, Context& context) {
  Column<char> bytes;
  const LookAtBeginning look = how.format_is_known ? nullptr : CheckBeginning;
  const Result<void> inflated =
      GuardReads(*file, [&] { return Inflate(file->bytes, file->path, context, &bytes, look); });
  if (!inflated) {
    Error error = inflated.error();
    const bool damaged = error.kind == ErrorKind::corrupt && !bytes.empty();
    if (damaged && error.remedy == Remedy::none) error.remedy = Remedy::keep_beginning;
    if (!damaged || !context.limits.partial) return Failure(std::move(error));
    file->damaged_at = error.where;
  }
  file->mapping = nullptr;
  file->compressed = true;
  Keep(std::move(bytes), file);
  return {};
}

}  // namespace

std::string SourceFile::At(uint64_t offset) const {
  return path + ": byte " + std::to_string(offset) + (compressed ? " of the inflated data" : "");
}

bool Exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

Result<SourceFile> OpenSource(const std::string& path, Context& context, const OpenAs& how) {
  SourceFile file;
  file.path = path;
  TFPROF_TRY(RefuseUrl(path));
  const bool is_input = path == "-";
  const File opened{is_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC), !is_input};
  if (opened.fd < 0) return Unreadable(path, errno);
  TFPROF_TRY(MapOrRead(opened.fd, how, &file, context));
  if (IsGzip(file.bytes)) TFPROF_TRY(InflateFile(how, &file, context));
  return file;
}

Result<SourceFile> SourceOf(const std::string& name, std::string_view bytes, Context& context) {
  SourceFile file;
  file.path = name;
  file.file_bytes = bytes.size();
  Column<char> memory;
  memory.Reserve(bytes.size() + SourceFile::kPadding);
  std::ranges::copy(bytes, memory.Extend(bytes.size()));
  Keep(std::move(memory), &file);
  if (IsGzip(file.bytes)) TFPROF_TRY(InflateFile({.format_is_known = true}, &file, context));
  return file;
}

Result<void> CheckComplete(const SourceFile& file) {
  if (file.mapping == nullptr) return {};
  const uint64_t bad = file.mapping->BadOffset(file.path.c_str());
  if (bad == Mapping::kGood) return {};
  return Fail(ErrorKind::corrupt, "the file shrank while it was read", file.At(bad));
}

void ReleasePages(const SourceFile& file, const char* begin, const char* end) {
  if (file.mapping != nullptr) file.mapping->ReleaseRead(begin, end);
}

}  // namespace tfprof
