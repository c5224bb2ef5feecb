// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/field_number.h"
#include "core/store/builder.h"
#include "loaders/io/source.h"
#include "loaders/wire/wire.h"

namespace tfprof {

// Fields that the schema of their message lacks, or has with another type. The recorder is newer
// than this program, or the file is damaged: one flipped bit in a tag hides a whole device. Such
// fields are skipped and reported.
class UnknownFields {
 public:
  // `message`: the name of its type.
  void Add(std::string_view message, const char* begin, const char* end);
  void Add(const UnknownFields& others);  // REQUIRES: they are of the same file
  void AddNoteTo(const SourceFile& file, StoreBuilder& store) const;

 private:
  struct OfMessage {
    std::string_view message;
    const char* first;
    int64_t count = 0;
    int64_t bytes = 0;
  };
  OfMessage* Of(std::string_view message, const char* first);

  std::vector<OfMessage> messages_;
};

// Returns a set of fields with numbers below 64.
constexpr uint64_t FieldSet(auto... fields) {
  return ((uint64_t{1} << FieldNumber(fields).value) | ... | 0);
}

// Skips a field that its reader does not take. `unread`: fields of the schema that no reader uses.
TFPROF_INLINE void SkipOther(wire::Fields& fields, std::string_view message, uint64_t unread,
                             UnknownFields* unknown) {
  fields.Skip();
  if (fields.bad() != nullptr) return;
  const uint32_t number = fields.number();
  if (number < 64 && (unread >> number & 1) != 0) return;
  unknown->Add(message, fields.field_at(), fields.position());
}

}  // namespace tfprof
