// SPDX-License-Identifier: Apache-2.0
#include "core/base/sink.h"

#include <isa-l/igzip_lib.h>

#include <vector>

namespace tfprof {
namespace {

constexpr uint32_t kLevel = 1;  // a JSON timeline shrinks to a tenth, at several hundred MB/s
constexpr size_t kChunkBytes = size_t{1} << 16;
constexpr size_t kMaxAtOnce = size_t{1} << 30;  // the library counts in 32 bits

}  // namespace

struct GzipSink::Deflate {
  isal_zstream stream;
  std::vector<uint8_t> workspace = std::vector<uint8_t>(ISAL_DEF_LVL1_DEFAULT);
  std::vector<uint8_t> chunk = std::vector<uint8_t>(kChunkBytes);
};

GzipSink::GzipSink(Sink& to) : to_(to), deflate_(std::make_unique<Deflate>()) {
  isal_zstream& stream = deflate_->stream;
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = kLevel;
  stream.level_buf = deflate_->workspace.data();
  stream.level_buf_size = static_cast<uint32_t>(deflate_->workspace.size());
}

GzipSink::~GzipSink() = default;

Result<void> GzipSink::Compress(std::string_view bytes, bool last) {
  isal_zstream& stream = deflate_->stream;
  std::vector<uint8_t>& chunk = deflate_->chunk;
  do {
    const std::string_view piece = bytes.substr(0, kMaxAtOnce);
    bytes.remove_prefix(piece.size());
    // The library does not write to its input.
    stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uint32_t>(piece.size());
    stream.end_of_stream = last && bytes.empty();
    do {
      stream.next_out = chunk.data();
      stream.avail_out = static_cast<uint32_t>(chunk.size());
      isal_deflate(&stream);  // fails only on invalid arguments
      to_.Append({reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out});
      TFPROF_TRY(to_.MaybeFlush());
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
  return {};
}

Result<void> GzipSink::Finish() {
  TFPROF_TRY(sink_.Flush());
  return Compress({}, true);
}

}  // namespace tfprof
