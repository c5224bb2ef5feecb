// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>

namespace tfprof {

// A gzip member of the text; level 0: about as large as the text.
inline std::string Gzip(const std::string& text, int level = 6) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace tfprof
