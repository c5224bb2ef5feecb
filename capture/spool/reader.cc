// SPDX-License-Identifier: Apache-2.0
#include "capture/spool/reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

namespace tfprof::capture {
namespace {

// Read at once.
constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

std::vector<std::string> SegmentsOf(const std::string& spool) {
  namespace fs = std::filesystem;
  const fs::path path(spool);
  const std::string beginning = path.stem().string() + ".";
  std::map<unsigned long, std::string> segments;  // by number
  std::error_code failed;
  for (fs::directory_iterator at(path.parent_path(), failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (at->path().extension() != ".tfr" || !name.starts_with(beginning)) continue;
    segments[std::strtoul(name.c_str() + beginning.size(), nullptr, 10)] = at->path().string();
  }
  std::vector<std::string> paths;
  for (const auto& [number, segment] : segments) paths.push_back(segment);
  return paths;
}

SpoolReader::~SpoolReader() { Close(); }

void SpoolReader::Close() {
  for (const int file : files_) close(file);
  files_.clear();
}

int SpoolReader::Open(const std::string& path) {
  constexpr int kHow = O_RDONLY | O_CLOEXEC | O_NOCTTY;
  Close();
  const int spool = open(path.c_str(), kHow);
  if (spool < 0) return errno;
  files_.push_back(spool);
  for (const std::string& segment : SegmentsOf(path)) {
    const int file = open(segment.c_str(), kHow);
    if (file >= 0) files_.push_back(file);  // else it was dropped meanwhile
  }
  Rewind();
  return 0;
}

bool SpoolReader::OpenNext() {
  if (at_file_ + 1 >= files_.size()) return false;
  ++at_file_;
  offset_ = 0;
  buffer_.clear();
  cursor_ = 0;
  next_sequence_ = 0;
  return true;
}

void SpoolReader::StartAt(const SpoolPlace& place) {
  at_file_ = 0;
  offset_ = place.offset;
  buffer_.clear();
  cursor_ = 0;
  next_sequence_ = place.sequence;
  damage_ = place.damage;
  place_ = place;
}

bool SpoolReader::Fill(size_t bytes) {
  if (buffer_.size() - cursor_ >= bytes) return true;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(cursor_));
  cursor_ = 0;
  while (buffer_.size() < bytes) {
    const size_t had = buffer_.size();
    buffer_.resize(had + kReadBytes);
    const ssize_t got =
        pread(files_[at_file_], buffer_.data() + had, kReadBytes, static_cast<off_t>(offset_));
    buffer_.resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) return false;
    offset_ += static_cast<uint64_t>(got);
  }
  return true;
}

bool SpoolReader::Next(Block* block) {
  do {
    while (Fill(sizeof(BlockHead))) {
      if (TakeBlock(block)) return true;
      SkipToMagic();
    }
    damage_.bytes += buffer_.size() - cursor_;
    cursor_ = buffer_.size();
  } while (OpenNext());
  return false;
}

bool SpoolReader::TakeBlock(Block* block) {
  BlockHead head;
  std::memcpy(&head, buffer_.data() + cursor_, sizeof head);
  if (head.magic != kBlockMagic || head.bytes > kMostBlockBytes || head.bytes % 8 != 0)
    return false;
  if (!Fill(sizeof head + head.bytes)) return false;
  const std::byte* records = buffer_.data() + cursor_ + sizeof head;
  if (BlockChecksum(head, records) != head.checksum) return false;
  // Records are read as structs: after damage a block may lie anywhere.
  if (reinterpret_cast<uintptr_t>(records) % 8 != 0) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(cursor_));
    cursor_ = 0;
    records = buffer_.data() + sizeof head;
  }
  cursor_ += sizeof head + head.bytes;
  CountGap(head.sequence);
  *block = {head.thread, {records, head.bytes}};
  if (!EachRecord(block->records, [](const RecordHead&) {})) ++damage_.records;
  if (at_file_ == 0) place_ = {offset_ - (buffer_.size() - cursor_), next_sequence_, damage_};
  return true;
}

void SpoolReader::SkipToMagic() {
  const std::byte* begin = buffer_.data() + cursor_;
  const size_t bytes = buffer_.size() - cursor_;
  const void* found = memmem(begin + 1, bytes - 1, &kBlockMagic, sizeof kBlockMagic);
  // A magic number may begin in the last bytes.
  const size_t skipped = found != nullptr
                             ? static_cast<size_t>(static_cast<const std::byte*>(found) - begin)
                             : bytes - std::min(bytes - 1, sizeof kBlockMagic - 1);
  damage_.bytes += skipped;
  cursor_ += skipped;
}

void SpoolReader::CountGap(uint32_t sequence) {
  if (sequence > next_sequence_) damage_.lost_blocks += sequence - next_sequence_;
  next_sequence_ = sequence + 1;
}

std::string_view TextOf(const RecordHead& head) {
  const char* text = reinterpret_cast<const char*>(&head + 1);
  return {text, strnlen(text, head.bytes - sizeof head)};
}

}  // namespace tfprof::capture
