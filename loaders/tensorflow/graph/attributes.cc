// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/graph/attributes.h"

#include "loaders/tensorflow/shape.h"
#include "loaders/wire/message.h"
#include "proto/attr_value_fields.h"

namespace tfprof {
namespace {

using wire::Tag;

// Reads the key of a map entry; the last one counts, as in any message.
bool ReadKey(std::string_view entry, std::string_view* key) {
  return wire::ReadMessage(entry, wire::Text<field::AttrEntry::key>(key),
                           wire::Ignored<field::AttrEntry::value, wire::kBytes>()) == nullptr;
}

// Returns true if the entry is a key and a short value, and the key is not `data_format`. Checks
// only the lengths; nearly all entries pass.
bool HasOtherKey(std::string_view entry) {
  constexpr size_t kLength = std::string_view("data_format").size();
  if (entry.size() < 2 || entry[0] != wire::TagByte(field::AttrEntry::key, wire::kBytes))
    return false;
  const auto length = static_cast<uint8_t>(entry[1]);
  const size_t after = size_t{2} + length;
  if (length == kLength || length >= 0x80 || entry.size() < after + 2) return false;
  const auto value = static_cast<uint8_t>(entry[after + 1]);
  return entry[after] == wire::TagByte(field::AttrEntry::value, wire::kBytes) && value < 0x80 &&
         entry.size() == after + 2 + value;
}

// Calls read(value) for the values of an entry: several are one value in pieces.
template <class Read>
bool EachValue(std::string_view entry, Read read) {
  return wire::ReadMessage(entry, wire::Each<field::AttrEntry::value>([&](std::string_view value) {
                             return read(value) ? nullptr : value.data();
                           })) == nullptr;
}

// Returns true for a field that sets the oneof of AttrValue to a kind without shapes.
bool IsOtherValue(uint32_t tag) {
  switch (tag) {
    case Tag(field::AttrValue::s, wire::kBytes):
    case Tag(field::AttrValue::i, wire::kVarint):
    case Tag(field::AttrValue::f, wire::kFixed32):
    case Tag(field::AttrValue::b, wire::kVarint):
    case Tag(field::AttrValue::type, wire::kVarint):
    case Tag(field::AttrValue::tensor, wire::kBytes):
    case Tag(field::AttrValue::placeholder, wire::kBytes):
    case Tag(field::AttrValue::func, wire::kBytes): return true;
    default: return false;
  }
}

// Reads the text of an AttrValue. A field of another kind replaces it.
bool ReadText(std::string_view value, std::string_view* text) {
  wire::Fields fields(value);
  while (fields.Next()) {
    const uint32_t tag = fields.tag();
    if (tag == Tag(field::AttrValue::s, wire::kBytes)) {
      *text = fields.Bytes();
      continue;
    }
    const bool has_shapes = tag == Tag(field::AttrValue::list, wire::kBytes) ||
                            tag == Tag(field::AttrValue::shape, wire::kBytes);
    if (has_shapes || IsOtherValue(tag)) *text = {};
    fields.Skip();
  }
  return fields.bad() == nullptr;
}

}  // namespace

bool ReadDataFormat(std::string_view entry, std::string_view* format) {
  if (HasOtherKey(entry)) return true;
  std::string_view key;
  if (!ReadKey(entry, &key)) return false;
  if (key != "data_format") return true;
  *format = {};
  return EachValue(entry, [=](std::string_view value) { return ReadText(value, format); });
}

void NodeAttributes::Clear() {
  parameter_.kind = outputs_.kind = Kind::other;
  data_format_ = {};
}

bool NodeAttributes::ReadEntry(std::string_view entry) {
  std::string_view key;
  if (!ReadKey(entry, &key)) return false;
  Value* value = key == "shape" ? &parameter_ : key == "_output_shapes" ? &outputs_ : nullptr;
  if (value == nullptr) return key != "data_format" || ReadDataFormat(entry, &data_format_);
  value->kind = Kind::other;
  return EachValue(entry, [=](std::string_view bytes) { return ReadValue(bytes, value); });
}

// AttrValue is a oneof: a field of another kind replaces the value, one of the same kind is merged.
bool NodeAttributes::ReadValue(std::string_view bytes, Value* value) {
  const auto become = [&](Kind kind) {
    if (value->kind == kind) return;
    value->kind = kind;
    value->shapes.clear();
    value->dims.clear();
    if (kind == Kind::shape) value->shapes.emplace_back();
  };
  wire::Fields fields(bytes);
  while (fields.Next()) {
    if (fields.tag() == Tag(field::AttrValue::list, wire::kBytes)) {
      become(Kind::list);
      const auto add_shape = [=](std::string_view shape) {
        value->shapes.push_back({static_cast<uint32_t>(value->dims.size())});
        return ReadLastShape(shape, value);
      };
      const char* bad = wire::ReadMessage(fields.Bytes(),
                                          wire::Each<field::AttrValue_ListValue::shape>(add_shape));
      if (bad != nullptr) return false;
    } else if (fields.tag() == Tag(field::AttrValue::shape, wire::kBytes)) {
      become(Kind::shape);
      if (ReadLastShape(fields.Bytes(), value) != nullptr) return false;
    } else {
      if (IsOtherValue(fields.tag())) become(Kind::other);
      fields.Skip();
    }
  }
  return fields.bad() == nullptr;
}

// Adds dimensions to the last of value->shapes.
const char* NodeAttributes::ReadLastShape(std::string_view bytes, Value* value) {
  Shape& shape = value->shapes.back();
  const char* bad = ReadShape(bytes, &value->dims, &shape.unknown_rank);
  shape.rank = static_cast<uint32_t>(value->dims.size()) - shape.first;
  return bad;
}

ShapeRef NodeAttributes::Add(const Value& value, const Shape& shape, StoreBuilder& store) {
  if (shape.rank > 0) return store.AddShape({value.dims.data() + shape.first, shape.rank});
  return {0, shape.unknown_rank ? ShapeRef::kUnknownRank : 0};
}

void NodeAttributes::Apply(NodeId node, StoreBuilder& store) const {
  if (parameter_.kind == Kind::shape) {
    const ShapeRef shape = Add(parameter_, parameter_.shapes[0], store);
    store.node(node).parameter = shape;
  }
  if (!data_format_.empty()) store.AddDataFormat(node, store.Name(data_format_));
  if (outputs_.kind != Kind::list || outputs_.shapes.empty()) return;
  by_slot_.clear();
  for (const Shape& shape : outputs_.shapes) {
    by_slot_.push_back({static_cast<int32_t>(by_slot_.size()), Add(outputs_, shape, store)});
  }
  store.SetOutputShapes(node, by_slot_);
}

}  // namespace tfprof
