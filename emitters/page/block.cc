// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/block.h"

#include "core/base/sink.h"
#include "emitters/printable.h"

namespace tfprof {

void BlockWriter::Key(std::string_view key) {
  if (header_.back() != '{') header_ += ',';
  AppendJsonString(key, &header_);
  header_ += ':';
}

void BlockWriter::Member(std::string_view key, std::string_view text) {
  Key(key);
  AppendJsonString(PrintableText(text), &header_);
}

void BlockWriter::Number(std::string_view key, int64_t value) {
  Key(key);
  AppendJsonNumber(value, &header_);
}

void BlockWriter::Texts(const std::vector<std::string>& texts) {
  AppendJsonList(texts, &header_,
                 [&](const std::string& text) { AppendJsonString(PrintableText(text), &header_); });
}

void BlockWriter::List(std::string_view key, const std::vector<std::string>& texts) {
  Key(key);
  Texts(texts);
}

void BlockWriter::Place(const StoredColumn& column) {
  header_ += '{';
  Number("at", static_cast<int64_t>(column.at));
  Number("width", column.width);
  if (column.base != kNoInt) Member("base", std::to_string(column.base));
  header_ += '}';
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
  header_ += '}';
  Sink whole;
  GzipSink gzip(whole);
  std::string size;
  for (int shift = 0; shift < 32; shift += 8) {
    size += static_cast<char>(header_.size() >> shift & 255);
  }
  gzip.sink().Append(size);
  gzip.sink().Append(header_);
  gzip.sink().Append(bytes_.data);
  gzip.sink().Append(all);
  TFPROF_TRY(gzip.Finish());
  return std::move(whole.buffer);
}

}  // namespace tfprof
