// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/base/sink.h"

namespace tfprof {

// Compresses what is appended to `sink()` into one gzip member and passes that on to `to`, which
// has to live longer. Without Finish the member has no end.
class GzipSink {
 public:
  explicit GzipSink(Sink& to);
  ~GzipSink();
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  Sink& sink() { return sink_; }

  // After the last byte: what is left, and the checksum. Errors: those of `to`.
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
