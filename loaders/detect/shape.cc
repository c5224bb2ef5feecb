// SPDX-License-Identifier: Apache-2.0
#include "loaders/detect/shape.h"

#include <algorithm>

#include "loaders/wire/wire.h"

namespace tfprof {
namespace {

constexpr int kFieldsPerMessage = 40;  // fields that are examined
constexpr int kFieldsInAll = 1000;
constexpr size_t kTextBytes = 200;

struct Evidence {
  int64_t fits = 0;
  int64_t misfits = 0;
  int64_t conclusive = 0;
  int left = kFieldsInAll;
};

bool Readable(std::string_view text) {
  for (const char c : text.substr(0, kTextBytes)) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x20 || byte == 0x7F) return false;
  }
  return true;
}

const FieldShape* FindField(const MessageShape& shape, uint32_t number) {
  for (const FieldShape& field : shape.fields) {
    if (field.field.value == number) return &field;
  }
  return nullptr;
}

bool FitsType(const FieldShape& field, uint32_t type) {
  if (type == wire::kVarint) {
    return field.kind == FieldShape::number || field.kind == FieldShape::numbers;
  }
  return type == wire::kBytes && field.kind != FieldShape::number;
}

void Walk(std::string_view bytes, const MessageShape& shape, bool whole, Evidence* evidence);

bool FitsBytes(std::string_view value, const FieldShape& field) {
  switch (field.kind) {
    case FieldShape::text: return Readable(value);
    case FieldShape::numbers: return wire::EachPacked(value, [](uint64_t) {});
    default: return true;
  }
}

// Takes the value of the current field of `fields`. A known message nests no deeper than the tables
// of the format.
void WalkField(const FieldShape& field, bool whole, wire::Fields* fields, Evidence* evidence) {
  bool fits = true;
  if (fields->type() == wire::kVarint) {
    fields->Varint();
  } else {
    const std::string_view value = fields->BytesOrRest();
    const bool cut = fields->bad() != nullptr;
    if (cut && whole) return;  // the caller counts it
    if (field.kind == FieldShape::message) Walk(value, *field.shape, !cut, evidence);
    fits = (cut && field.kind != FieldShape::text) || FitsBytes(value, field);
  }
  ++(fits ? evidence->fits : evidence->misfits);
  if (fits && field.conclusive) ++evidence->conclusive;
}

// `whole`: the message is complete, so a parse failure counts as a misfit.
void Walk(std::string_view bytes, const MessageShape& shape, bool whole, Evidence* evidence) {
  uint64_t seen = 0;
  int looked = 0;
  wire::Fields fields(bytes);
  while (looked++ < kFieldsPerMessage && evidence->left-- > 0 && fields.Next()) {
    const FieldShape* field = FindField(shape, fields.number());
    if (field != nullptr && FitsType(*field, fields.type())) {
      seen |= uint64_t{1} << (field - shape.fields.begin());
      WalkField(*field, whole, &fields, evidence);
    } else {
      fields.Skip();
      ++evidence->misfits;
    }
  }
  if (fields.bad() != nullptr) {
    if (whole) evidence->misfits += 4;
    return;
  }
  if (looked > kFieldsPerMessage) return;
  for (const FieldShape& field : shape.fields) {
    if (field.expected && (seen & 1) == 0) evidence->misfits += 2;
    seen >>= 1;
  }
}

}  // namespace

int ScoreShape(std::string_view bytes, const MessageShape& shape) {
  if (bytes.empty()) return 1;
  Evidence evidence;
  Walk(bytes, shape, false, &evidence);
  if (evidence.fits == 0) return 0;
  const auto share = static_cast<int>(100 * evidence.fits / (evidence.fits + 3 * evidence.misfits));
  return evidence.conclusive > 0 ? share : std::min(kWeakScore, share * 2 / 5);
}

}  // namespace tfprof
