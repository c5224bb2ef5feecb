// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/base/sink.h"

namespace tfprof {

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
