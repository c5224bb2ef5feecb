// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "loaders/wire/wire.h"

// Reading the known fields of one message, told as a list:
//
//   int64_t start = 0;
//   std::string_view name;
//   const char* bad = wire::ReadMessage(
//       message, wire::Text<field::XLine::name>(&name),
//       wire::Number<field::XLine::timestamp_ns>(&start),
//       wire::Each<field::XLine::events>([&](std::string_view event) { return ReadEvent(event,
//       &events); }));
//
// Other fields are skipped, also a known one of another wire type. Null, or where the message stops
// to be wire format (or what `Each` returned); what was read before is set all the same.
//
// Fields may stand in any order, but list them ascending: so writers write them, and then each
// comparison below comes out as it did for the message before. That is foreseen better than the
// jump table of a switch, and whether a field reaches over the end of its message is asked once,
// when the next one is looked for.
namespace tfprof::wire {

// The text, bytes or message at `at`, behind its tag. Returns the byte behind it; null: malformed.
TFPROF_INLINE const char* ReadBytes(const char* at, const char* end, std::string_view* bytes) {
  uint64_t size = 0;
  const char* start = PlainVarint::Read(at, &size);
  if (start == nullptr || start > end || size > static_cast<uint64_t>(end - start)) [[unlikely]]
    return nullptr;
  *bytes = {start, static_cast<size_t>(size)};
  return start + size;
}

// What is known of one field. Take reads the value behind the tag and returns the byte behind it;
// null: malformed, `*bad` tells where when it is inside of the value. kMany: more of the kind may
// follow at once; of others a second one is taken the next time round.

template <FieldNumber kField, class T>
struct NumberField {
  static constexpr uint32_t kTag = Tag(kField, kVarint);
  static constexpr bool kMany = false;
  T* to;
  TFPROF_INLINE const char* Take(const char* at, const char*, const char**) const {
    uint64_t value = 0;
    const char* behind = ReadVarint(at, &value);
    *to = static_cast<T>(value);
    return behind;
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
    const char* behind = ReadBytes(at, end, &bytes);
    if (behind == nullptr) [[unlikely]]
      return nullptr;
    *bad = read(bytes);
    return *bad == nullptr ? behind : nullptr;
  }
};

template <FieldNumber kField, class Reader>
struct EachNumberField {
  static constexpr uint32_t kTag = Tag(kField, kVarint);
  static constexpr bool kMany = true;
  const Reader& read;
  TFPROF_INLINE const char* Take(const char* at, const char*, const char**) const {
    uint64_t value = 0;
    const char* behind = ReadVarint(at, &value);
    read(value);
    return behind;
  }
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

// A varint; the last one counts. Converted as protobuf does: cut to the width of T, bool != 0.
template <FieldNumber kField, class T>
TFPROF_INLINE NumberField<kField, T> Number(T* to) {
  return {to};
}

// Text, bytes, or a message that is read later; the last one counts.
template <FieldNumber kField>
TFPROF_INLINE TextField<kField> Text(std::string_view* to) {
  return {to};
}

// The same, each of them given to `read(std::string_view)`, which returns where it is bad, or null.
template <FieldNumber kField, class Reader>
TFPROF_INLINE EachField<kField, Reader> Each(const Reader& read) {
  return {read};
}

// Each varint given to `read(uint64_t)`: the numbers of a list that is not packed.
template <FieldNumber kField, class Reader>
TFPROF_INLINE EachNumberField<kField, Reader> EachNumber(const Reader& read) {
  return {read};
}

// What most messages have and nobody wants, a varint or kBytes: skipped at less cost than others.
template <FieldNumber kField, Type kType>
TFPROF_INLINE IgnoredField<kField, kType> Ignored() {
  static_assert(kType == kVarint || kType == kBytes);
  return {};
}

// Takes the fields of this kind that stand at `*at`. False: one is malformed. The tag is asked
// before the end, since it is in a register from the kind before; there are bytes behind the end.
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

// Where a message stops to be wire format that is known to.
__attribute__((noinline)) inline const char* FindBad(std::string_view message) {
  Fields fields(message);
  while (fields.Next()) fields.Skip();
  return fields.bad() != nullptr ? fields.bad() : message.data();
}

// Behind the field at `at`; null: malformed.
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
    // Numbers over 15 are never known: tags of one byte are tried first, all others are skipped.
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
