// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/wire/wire.h"

// Reads the known fields of one message, given as a list:
//
//   int64_t start = 0;
//   std::string_view name;
//   const char* bad = wire::ReadMessage(
//       message, wire::Text<field::XLine::name>(&name),
//       wire::Number<field::XLine::timestamp_ns>(&start),
//       wire::Each<field::XLine::events>([&](std::string_view event) { return ReadEvent(event,
//       &events); }));
//
// Other fields are skipped, as is a known field of another wire type. Returns null, or the place
// where the wire format is invalid (or the result of `Each`). Fields before that place are set.
//
// Fields may come in any order, but list them ascending. Writers write them in this order, so each
// comparison below has the same result as for the previous message, which branch prediction handles
// better than the jump table of a switch. A field that exceeds its message is detected once, when
// the next field is searched.
namespace tfprof::wire {

// Reads the text, bytes or message at `at`, which is after its tag. Returns the byte after it;
// null: malformed.
TFPROF_INLINE const char* ReadBytes(const char* at, const char* end, std::string_view* bytes) {
  uint64_t size = 0;
  const char* start = PlainVarint::Read(at, &size);
  if (start == nullptr || start > end || size > static_cast<uint64_t>(end - start)) [[unlikely]]
    return nullptr;
  *bytes = {start, static_cast<size_t>(size)};
  return start + size;
}

// A known field. Take reads the value after the tag and returns the byte after the value. Null:
// malformed; if the error is inside the value, `*bad` is its place. kMany: more fields of the kind
// may follow immediately; of other kinds, a second field is taken in the next round.

template <FieldNumber kField, class T>
struct NumberField {
  static constexpr uint32_t kTag = Tag(kField, kVarint);
  static constexpr bool kMany = false;
  T* to;
  TFPROF_INLINE const char* Take(const char* at, const char*, const char**) const {
    uint64_t value = 0;
    const char* after = ReadVarint(at, &value);
    *to = static_cast<T>(value);
    return after;
  }
};

template <FieldNumber kField>
struct TextField {
  static constexpr uint32_t kTag = Tag(kField, kBytes);
  static constexpr bool kMany = false;
  std::string_view* to;
  TFPROF_INLINE const char* Take(const char* at, const char* end, const char**) const {
    return ReadBytes(at, end, to);
  }
};

template <FieldNumber kField, class Reader>
struct EachField {
  static constexpr uint32_t kTag = Tag(kField, kBytes);
  static constexpr bool kMany = true;
  const Reader& read;
  TFPROF_INLINE const char* Take(const char* at, const char* end, const char** bad) const {
    std::string_view bytes;
    const char* after = ReadBytes(at, end, &bytes);
    if (after == nullptr) [[unlikely]]
      return nullptr;
    *bad = read(bytes);
    return *bad == nullptr ? after : nullptr;
  }
};

template <FieldNumber kField, class Reader>
struct EachNumberField {
  static constexpr uint32_t kTag = Tag(kField, kVarint);
  static constexpr bool kMany = true;
  Reader& read;
  TFPROF_INLINE const char* Take(const char* at, const char*, const char**) const {
    uint64_t value = 0;
    const char* after = ReadVarint(at, &value);
    read(value);
    return after;
  }
};

// A list of numbers, packed or not: two kinds of fields.
template <FieldNumber kField, class Reader>
struct NumbersField {
  Reader& read;
};

template <FieldNumber kField, Type kType>
struct IgnoredField {
  static constexpr uint32_t kTag = Tag(kField, kType);
  static constexpr bool kMany = false;
  TFPROF_INLINE const char* Take(const char* at, const char* end, const char**) const {
    uint64_t value = 0;
    std::string_view bytes;
    return kType == kVarint ? ReadVarint(at, &value) : ReadBytes(at, end, &bytes);
  }
};

// A varint; the last one counts. Converted as in protobuf: truncated to the width of T, bool != 0.
template <FieldNumber kField, class T>
TFPROF_INLINE NumberField<kField, T> Number(T* to) {
  return {to};
}

// Text, bytes, or a message that is decoded later; the last one counts.
template <FieldNumber kField>
TFPROF_INLINE TextField<kField> Text(std::string_view* to) {
  return {to};
}

// Passes each text, bytes or message to `read(std::string_view)`, which returns null or the place
// of the error.
template <FieldNumber kField, class Reader>
TFPROF_INLINE EachField<kField, Reader> Each(const Reader& read) {
  return {read};
}

// For Each: keeps the bytes of each field.
inline auto PushTo(std::vector<std::string_view>* to) {
  return [to](std::string_view bytes) -> const char* {
    to->push_back(bytes);
    return nullptr;
  };
}

// Passes each number of a list, packed or not, to `read(uint64_t)`.
template <FieldNumber kField, class Reader>
TFPROF_INLINE NumbersField<kField, Reader> Numbers(Reader& read) {
  return {read};
}

// A common field without use, a varint or kBytes. Skipping it this way is cheaper.
template <FieldNumber kField, Type kType>
TFPROF_INLINE IgnoredField<kField, kType> Ignored() {
  static_assert(kType == kVarint || kType == kBytes);
  return {};
}

// Takes the fields of this kind at `*at`. Returns false if one is malformed. The tag is compared
// before the end is checked, since it is in a register from the previous kind; bytes after the end
// are readable.
template <class Known>
TFPROF_INLINE bool TakeHere(const Known& known, const char* end, const char** at,
                            const char** bad) {
  static_assert(Known::kTag < 0x80, "tags of one byte only");
  while (static_cast<uint8_t>(**at) == Known::kTag && *at < end) {
    *at = known.Take(*at + 1, end, bad);
    if (*at == nullptr) [[unlikely]]
      return false;
    if (!Known::kMany) break;
  }
  return true;
}

template <FieldNumber kField, class Reader>
TFPROF_INLINE bool TakeHere(const NumbersField<kField, Reader>& known, const char* end,
                            const char** at, const char** bad) {
  const auto read_packed = [&](std::string_view packed) {
    return EachPacked(packed, known.read) ? nullptr : packed.data();
  };
  return TakeHere(Each<kField>(read_packed), end, at, bad) &&
         TakeHere(EachNumberField<kField, Reader>{known.read}, end, at, bad);
}

// Returns the place where the wire format of a message is invalid. REQUIRES: it is invalid.
__attribute__((noinline)) inline const char* FindBad(std::string_view message) {
  Fields fields(message);
  while (fields.Next()) fields.Skip();
  return fields.bad() != nullptr ? fields.bad() : message.data();
}

// Returns the byte after the field at `at`; null: malformed.
inline const char* SkipField(const char* at, const char* end) {
  Fields fields({at, static_cast<size_t>(end - at)});
  if (fields.Next()) fields.Skip();
  return fields.bad() == nullptr ? fields.position() : nullptr;
}

template <class... Known>
TFPROF_INLINE const char* ReadMessage(std::string_view message, const Known&... known) {
  const char* at = message.data();
  const char* const end = at + message.size();
  const char* bad = nullptr;
  while (at < end) {
    const char* const before = at;
    bool good = (TakeHere(known, end, &at, &bad) && ...);
    // Fields over 15 are never known: one-byte tags are tried first, all others are skipped.
    while (good && at < end && (at == before || static_cast<uint8_t>(*at) >= 0x80)) {
      at = SkipField(at, end);
      good = at != nullptr;
    }
    if (!good) [[unlikely]]
      return bad != nullptr ? bad : FindBad(message);
  }
  return at == end ? nullptr : FindBad(message);
}

}  // namespace tfprof::wire
