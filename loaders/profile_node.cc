// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_node.h"

#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// An entry of a map from number to number.
template <class Key, class Value>
const char* ReadNumberEntry(std::string_view message, MapEntry<Key, Value>* entry) {
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        entry->key = static_cast<Key>(fields.Varint());
        break;
      case Tag(2, kVarint):
        entry->value = static_cast<Value>(fields.Varint());
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

// The same with a message as value, of which nothing is read yet.
template <class Key>
const char* ReadEntry(std::string_view message, MapEntry<Key>* entry) {
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        entry->key = static_cast<Key>(fields.Varint());
        break;
      case Tag(2, kBytes):
        entry->value = fields.Bytes();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
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
  node->inputs.clear();
  node->source_slots.clear();
  node->output_shapes.clear();
  node->execs.clear();
}

const char* ReadField(Fields* fields, ProfileNode* node) {
  switch (fields->tag()) {
    case Tag(1, kBytes):
      node->name = fields->Bytes();
      break;
    case Tag(2, kBytes):
      return ReadNumberEntry(fields->Bytes(), &node->inputs.emplace_back());
    case Tag(4, kBytes):
      return AppendPacked(fields->Bytes(), &node->shape);
    case Tag(4, kVarint):
      node->shape.push_back(fields->Int64());
      break;
    case Tag(5, kBytes):
      node->types.push_back(fields->Bytes());
      break;
    case Tag(6, kBytes):
      node->canonical_device = fields->Bytes();
      break;
    case Tag(8, kVarint):
      node->float_ops = fields->Int64();
      break;
    case Tag(9, kBytes):
      node->op = fields->Bytes();
      break;
    case Tag(10, kBytes):
      node->traces.push_back(fields->Bytes());
      break;
    case Tag(12, kBytes):
      return ReadEntry(fields->Bytes(), &node->execs.emplace_back());
    case Tag(14, kBytes):
      return ReadNumberEntry(fields->Bytes(), &node->source_slots.emplace_back());
    case Tag(15, kBytes):
      return ReadEntry(fields->Bytes(), &node->output_shapes.emplace_back());
    default:
      fields->Skip();
  }
  return nullptr;
}

}  // namespace

const char* ReadProfileNode(std::string_view message, ProfileNode* node) {
  constexpr ptrdiff_t kAheadBytes = 4096;
  Clear(node);
  Fields fields(message);
  while (fields.Next()) {
    wire::PrefetchAhead(fields.position(), kAheadBytes);
    const char* bad = ReadField(&fields, node);
    if (bad != nullptr) return bad;
  }
  KeepLast(&node->inputs);
  KeepLast(&node->source_slots);
  KeepLast(&node->output_shapes);
  KeepLast(&node->execs);
  return fields.bad();
}

const char* ReadMessageEntry(std::string_view message, MapEntry<int64_t>* entry) {
  return ReadEntry(message, entry);
}

const char* ReadTuple(std::string_view message, std::vector<int64_t>* numbers) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() == Tag(1, kBytes)) {
      const char* bad = AppendPacked(fields.Bytes(), numbers);
      if (bad != nullptr) return bad;
    } else if (fields.tag() == Tag(1, kVarint)) {
      numbers->push_back(fields.Int64());
    } else {
      fields.Skip();
    }
  }
  return fields.bad();
}

}  // namespace tfprof
