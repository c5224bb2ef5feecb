// SPDX-License-Identifier: Apache-2.0
#include "core/base/sink.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <random>

namespace tfprof::gzip_sink_test {
namespace {

std::string Inflated(const std::string& gzip) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  std::string out(64 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  REQUIRE(stream.avail_in == 0);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string Compressed(const std::string& text, size_t piece) {
  Sink whole;
  GzipSink gzip(whole);
  for (size_t at = 0; at < text.size(); at += piece) {
    gzip.sink().Append(std::string_view(text).substr(at, piece));
    REQUIRE(gzip.sink().MaybeFlush());
  }
  REQUIRE(gzip.Finish());
  return whole.buffer;
}

}  // namespace

TEST_CASE("data written to a gzip sink can be read back") {
  std::mt19937 random(7);
  std::string noise(3 << 20, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  const std::string rows(20 << 20, 'x');
  for (const std::string& text : {std::string(), std::string("a"), noise, rows}) {
    for (const size_t piece : {size_t{1} << 12, size_t{1} << 23}) {
      CHECK(Inflated(Compressed(text, piece)) == text);
    }
  }
  CHECK(Compressed(rows, 1 << 16).size() < rows.size() / 50);
}

TEST_CASE("a gzip sink returns the error of its file") {
  Sink full;
  full.write = [](std::string_view) -> Result<void> {
    return Fail(ErrorKind::unwritable, "the disk is full");
  };
  GzipSink gzip(full);
  std::mt19937 random(7);
  for (int i = 0; i < 1 << 20; ++i) gzip.sink().buffer.push_back(static_cast<char>(random()));
  const Result<void> flushed = gzip.sink().Flush();
  REQUIRE_FALSE(flushed);
  CHECK(flushed.error().what == "the disk is full");
}

}  // namespace tfprof::gzip_sink_test
