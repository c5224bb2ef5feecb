// SPDX-License-Identifier: Apache-2.0
// Any bytes inflated as zlib inflates them, and zlib reads what we deflate of them.
#include <zlib.h>

#include <algorithm>
#include <optional>

#include "core/base/sink.h"
#include "loaders/io/inflate.h"
#include "tests/fuzz/fuzz.h"

namespace tfprof {
namespace {

constexpr size_t kMaxOutput = size_t{1} << 20;

// All members, without zeros behind the last one. None: damaged, or longer than kMaxOutput.
std::optional<std::string> InflateByZlib(std::string_view bytes) {
  std::string out(kMaxOutput + 1, '\0');
  size_t made = 0;
  do {
    z_stream stream = {};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) std::abort();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    stream.avail_out = static_cast<uInt>(out.size() - made);
    const int status = inflate(&stream, Z_FINISH);
    made = out.size() - stream.avail_out;
    bytes.remove_prefix(bytes.size() - stream.avail_in);
    inflateEnd(&stream);
    if (status != Z_STREAM_END || made > kMaxOutput) return std::nullopt;
    if (bytes.find_first_not_of('\0') == bytes.npos) bytes = {};
  } while (!bytes.empty());
  out.resize(made);
  return out;
}

std::optional<std::string> InflateByUs(std::string_view bytes) {
  Context context;
  context.limits.max_inflated_bytes = kMaxOutput;
  Column<char> out;
  if (!Inflate(bytes, "file", context, &out)) return std::nullopt;
  return std::string(out.data(), out.size());
}

std::string Deflated(std::string_view bytes) {
  Sink to;
  GzipSink gzip(to);
  for (size_t at = 0; at < bytes.size(); at += 1000) {
    gzip.sink().Append(bytes.substr(at, 1000));
    Require(gzip.sink().MaybeFlush().has_value(), "a sink that fails");
  }
  Require(gzip.Finish().has_value(), "a sink that fails");
  return to.buffer;
}

}  // namespace
}  // namespace tfprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  const std::string deflated = Deflated(bytes);
  Require(InflateByZlib(deflated) == std::string(bytes), "zlib reads something else");
  Require(InflateByUs(deflated) == std::string(bytes), "we read something else");
  if (!IsGzip(bytes)) return 0;
  const SourceFile file = SourceOf(bytes);
  Require(InflateByUs(file.bytes) == InflateByZlib(bytes), "zlib inflates otherwise");
  return 0;
}
