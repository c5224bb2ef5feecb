// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_node.h"

#include "loaders/wire_message.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::EachNumber;
using wire::Number;
using wire::Text;

// An entry of a map from number to number.
template <class Key, class Value>
const char* AppendNumber(std::string_view message, std::vector<MapEntry<Key, Value>>* map) {
  MapEntry<Key, Value> entry;
  const char* bad = wire::ReadMessage(message, Number<1>(&entry.key), Number<2>(&entry.value));
  map->push_back(entry);
  return bad;
}

// The same with a message as value, of which nothing is read yet.
template <class Key>
TFPROF_INLINE const char* ReadEntry(std::string_view message, MapEntry<Key>* entry) {
  return wire::ReadMessage(message, Number<1>(&entry->key), Text<2>(&entry->value));
}

template <class Key>
TFPROF_INLINE const char* AppendEntry(std::string_view message, std::vector<MapEntry<Key>>* map) {
  MapEntry<Key> entry;
  const char* bad = ReadEntry(message, &entry);
  map->push_back(entry);
  return bad;
}

const char* AppendPacked(std::string_view packed, std::vector<int64_t>* numbers) {
  const bool good = wire::EachPacked(
      packed, [&](uint64_t value) { numbers->push_back(static_cast<int64_t>(value)); });
  return good ? nullptr : packed.data();
}

void Clear(ProfileNode* node) {
  node->name = node->op = node->canonical_device = {};
  node->float_ops = 0;
  node->shape.clear();
  node->types.clear();
  node->traces.clear();
  node->attributes.clear();
  node->inputs.clear();
  node->source_slots.clear();
  node->absent_inputs.clear();
  node->output_shapes.clear();
  node->execs.clear();
}

}  // namespace

const char* ReadProfileNode(std::string_view message, ProfileNode* node) {
  constexpr ptrdiff_t kAheadBytes = 4096;
  const char* const end = message.data() + message.size();
  Clear(node);
  const auto push = [](std::vector<std::string_view>* to) {
    return [to](std::string_view bytes) -> const char* {
      to->push_back(bytes);
      return nullptr;
    };
  };
  const char* bad = wire::ReadMessage(
      message, Text<1>(&node->name),
      Each<2>([=](std::string_view entry) { return AppendNumber(entry, &node->inputs); }),
      Each<3>([=](std::string_view entry) { return AppendNumber(entry, &node->absent_inputs); }),
      Each<4>([=](std::string_view packed) { return AppendPacked(packed, &node->shape); }),
      EachNumber<4>([=](uint64_t dim) { node->shape.push_back(static_cast<int64_t>(dim)); }),
      Each<5>(push(&node->types)), Text<6>(&node->canonical_device), Number<8>(&node->float_ops),
      Text<9>(&node->op), Each<10>(push(&node->traces)), Each<11>(push(&node->attributes)),
      Each<12>([=](std::string_view entry) {
        if (end - entry.data() > kAheadBytes) wire::PrefetchAhead(entry.data(), kAheadBytes);
        return AppendEntry(entry, &node->execs);
      }),
      wire::Ignored<13, wire::kVarint>(),
      Each<14>([=](std::string_view entry) { return AppendNumber(entry, &node->source_slots); }),
      Each<15>([=](std::string_view entry) { return AppendEntry(entry, &node->output_shapes); }));
  KeepLast(&node->inputs);
  KeepLast(&node->source_slots);
  KeepLast(&node->absent_inputs);
  KeepLast(&node->output_shapes);
  KeepLast(&node->execs);
  return bad;
}

const char* ReadMessageEntry(std::string_view message, MapEntry<int64_t>* entry) {
  return ReadEntry(message, entry);
}

const char* ReadTuple(std::string_view message, std::vector<int64_t>* numbers) {
  return wire::ReadMessage(
      message, Each<1>([=](std::string_view packed) { return AppendPacked(packed, numbers); }),
      EachNumber<1>([=](uint64_t number) { numbers->push_back(static_cast<int64_t>(number)); }));
}

}  // namespace tfprof
