// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tfprof {

// The destination of an emitter's bytes: they are appended to `buffer`, and the owner writes it out
// in blocks. `write` returns the error that stopped it (a full disk, a closed pipe).
struct Sink {
  static constexpr size_t kBlock = size_t{1} << 16;

  std::string buffer;
  std::function<Result<void>(std::string_view bytes)> write = nullptr;  // null: keep all

  void Append(std::string_view bytes) { buffer.append(bytes); }
  // Writes out the buffer if it is large. Call it between rows.
  Result<void> MaybeFlush() { return buffer.size() < kBlock ? Result<void>{} : Flush(); }
  Result<void> Flush() {
    if (write == nullptr) return {};
    Result<void> done = write(buffer);
    buffer.clear();
    return done;
  }
};

// Compresses the bytes appended to `sink()` into one gzip member and passes it on to `to`, which
// must outlive it. Without Finish the member is incomplete.
class GzipSink {
 public:
  explicit GzipSink(Sink& to);
  ~GzipSink();
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  Sink& sink() { return sink_; }

  // Writes the remaining bytes and the checksum. Call it after the last byte. Errors: those of
  // `to`.
  Result<void> Finish();

 private:
  struct Deflate;
  Result<void> Compress(std::string_view bytes, bool last);

  Sink& to_;
  Sink sink_{.buffer = {},
             .write = [this](std::string_view bytes) { return Compress(bytes, false); }};
  std::unique_ptr<Deflate> deflate_;
};

}  // namespace tfprof
