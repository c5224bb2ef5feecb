// SPDX-License-Identifier: Apache-2.0
#include "loaders/checkpoint/bundle.h"

#include <bit>

#include "loaders/tensorflow/shape.h"
#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "proto/tensor_bundle_fields.h"

namespace tfprof {
namespace {

using wire::Tag;

const char* ParseExtent(std::string_view bytes, TensorSlice* slice) {
  using Extent = field::TensorSliceProto_Extent;
  SliceExtent& extent = slice->emplace_back();
  return wire::ReadMessage(bytes, wire::Number<Extent::start>(&extent.start),
                           wire::Number<Extent::length>(&extent.length));
}

const char* ParseSlice(std::string_view bytes, BundleEntry* entry) {
  TensorSlice& slice = entry->slices.emplace_back();
  return wire::ReadMessage(
      bytes, wire::Each<field::TensorSliceProto::extent>(
                 [&](std::string_view extent) { return ParseExtent(extent, &slice); }));
}

// Appends a length byte, then the number in big endian without leading zeros.
void AppendNumber(uint64_t number, std::string* out) {
  const int length = (std::bit_width(number) + 7) / 8;
  out->push_back(static_cast<char>(length));
  for (int i = length - 1; i >= 0; --i) out->push_back(static_cast<char>(number >> (8 * i)));
}

// Appends a text. 0x00 and 0xFF are each followed by the other of the two; 0x00 0x01 ends the text.
void AppendText(std::string_view text, std::string* out) {
  for (const char c : text) {
    out->push_back(c);
    if (c == '\0') out->push_back('\xFF');
    if (c == '\xFF') out->push_back('\0');
  }
  out->append({'\0', '\1'});
}

// Appends `length` bytes of two's complement in big endian, one byte for each 7 bits. The top bits
// are replaced by a code of length and sign: `length` bits that differ from the sign bit.
void AppendSigned(int64_t number, std::string* out) {
  const auto magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
  const int length = magnitude < 64 ? 1 : (std::bit_width(magnitude) + 7) / 7;
  const auto sign = static_cast<unsigned char>(number < 0 ? 0xFF : 0);
  unsigned char bytes[10] = {sign, sign};
  for (int i = 0; i < 8; ++i) {
    bytes[2 + i] = static_cast<unsigned char>(static_cast<uint64_t>(number) >> (56 - 8 * i));
  }
  unsigned char* begin = bytes + (10 - length);
  const unsigned code = 0xFFFFu << (16 - length) & 0xFFFFu;  // `length` leading ones
  begin[0] = static_cast<unsigned char>(begin[0] ^ (code >> 8));
  if (length > 1) begin[1] = static_cast<unsigned char>(begin[1] ^ (code & 0xFF));
  out->append(reinterpret_cast<const char*>(begin), static_cast<size_t>(length));
}

}  // namespace

bool ParseBundleHeader(std::string_view bytes, BundleHeader* header) {
  using Header = field::BundleHeaderProto;
  const char* bad = wire::ReadMessage(bytes, wire::Number<Header::num_shards>(&header->num_shards),
                                      wire::Number<Header::endianness>(&header->big_endian));
  return bad == nullptr && header->num_shards > 0;
}

bool ParseBundleEntry(std::string_view bytes, BundleEntry* entry) {
  using Entry = field::BundleEntryProto;
  bool parts = true;
  wire::Fields fields(bytes);
  while (parts && fields.Next()) {
    switch (fields.tag()) {
      case Tag(Entry::dtype, wire::kVarint): entry->dtype = fields.Int32(); break;
      case Tag(Entry::shape, wire::kBytes):
        parts = ReadShape(fields.Bytes(), &entry->shape, &entry->unknown_rank) == nullptr;
        break;
      case Tag(Entry::shard_id, wire::kVarint): entry->shard = fields.Int32(); break;
      case Tag(Entry::offset, wire::kVarint): entry->offset = fields.Int64(); break;
      case Tag(Entry::size, wire::kVarint): entry->size = fields.Int64(); break;
      case Tag(Entry::crc32c, wire::kFixed32): entry->masked_crc32c = fields.Fixed32(); break;
      case Tag(Entry::slices, wire::kBytes):
        parts = ParseSlice(fields.Bytes(), entry) == nullptr;
        break;
      default: fields.Skip();
    }
  }
  return parts && fields.bad() == nullptr;
}

std::string SliceKey(std::string_view name, const TensorSlice& slice) {
  std::string key;
  AppendNumber(0, &key);
  AppendText(name, &key);
  AppendNumber(slice.size(), &key);
  for (const SliceExtent& extent : slice) {
    AppendSigned(extent.start, &key);
    AppendSigned(extent.length, &key);
  }
  return key;
}

}  // namespace tfprof
