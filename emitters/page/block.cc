// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/block.h"

#include "core/base/sink.h"

namespace tfprof {

void BlockWriter::Place(const StoredColumn& column) {
  json += '{';
  Number("at", static_cast<int64_t>(column.at));
  Number("width", column.width);
  if (column.base != kNoInt) Member("base", std::to_string(column.base));
  json += '}';
}

Result<std::string> BlockWriter::Finish() {
  std::vector<int64_t> lengths;
  std::string all;
  for (const std::string* text : texts_.texts) {
    lengths.push_back(static_cast<int64_t>(text->size()));
    all += *text;
  }
  Number("strings", static_cast<int64_t>(lengths.size()));
  Key("lengths");
  Place(bytes_.AddIntegers(lengths));
  Number("texts", static_cast<int64_t>(bytes_.data.size()));
  json += '}';
  Sink whole;
  GzipSink gzip(whole);
  std::string size;
  for (int shift = 0; shift < 32; shift += 8) {
    size += static_cast<char>(json.size() >> shift & 255);
  }
  // At once: parts would be compressed apart.
  gzip.sink().buffer.reserve(size.size() + json.size() + bytes_.data.size() + all.size());
  gzip.sink().Append(size);
  gzip.sink().Append(json);
  gzip.sink().Append(bytes_.data);
  gzip.sink().Append(all);
  TFPROF_TRY(gzip.Finish());
  return std::move(whole.buffer);
}

}  // namespace tfprof
