// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_message.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tfprof {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

int Below(int limit, std::mt19937* random) {
  return std::uniform_int_distribution<int>(0, limit - 1)(*random);
}

std::string RandomText(std::mt19937* random) {
  static const std::vector<std::string> pool = {"",
                                                "a",
                                                "a/b",
                                                "a/b:MatMul",
                                                "conv:0:1",
                                                ":x",
                                                "RecvTensor",
                                                "_SOURCE",
                                                "edge_1_MEMCPYHtoD",
                                                "no_utf8_\xff\xfe",
                                                "/device:GPU:0",
                                                "/device:gpu:0/stream:all",
                                                "/job:w/device:CPU:0",
                                                "/gpu:0/stream:12",
                                                "GPU_0_bfc",
                                                "cpu"};
  return pool[static_cast<size_t>(Below(static_cast<int>(pool.size()), random))];
}

int64_t RandomNumber(std::mt19937* random) {
  static const std::vector<int64_t> pool = {0,   0,   1,      2,         3,           100, 127,
                                            128, 300, 20'000, 1'000'000, 123'456'789, -1};
  return pool[static_cast<size_t>(Below(static_cast<int>(pool.size()), random))];
}

void SetOne(Message* message, const FieldDescriptor* field, std::mt19937* random, int depth) {
  const Reflection* reflection = message->GetReflection();
  const bool many = field->is_repeated();
  switch (field->cpp_type()) {
#define SET(TYPE, NAME, VALUE)                      \
  case FieldDescriptor::CPPTYPE_##TYPE:             \
    if (many) {                                     \
      reflection->Add##NAME(message, field, VALUE); \
    } else {                                        \
      reflection->Set##NAME(message, field, VALUE); \
    }                                               \
    break;
    SET(INT32, Int32, static_cast<int32_t>(RandomNumber(random)))
    SET(INT64, Int64, RandomNumber(random))
    SET(UINT32, UInt32, static_cast<uint32_t>(RandomNumber(random)))
    SET(UINT64, UInt64, static_cast<uint64_t>(RandomNumber(random)))
    SET(BOOL, Bool, Below(2, random) == 1)
    SET(FLOAT, Float, 1.5f)
    SET(DOUBLE, Double, 2.5)
    SET(ENUM, EnumValue, Below(3, random))
    SET(STRING, String, RandomText(random))
#undef SET
    case FieldDescriptor::CPPTYPE_MESSAGE:
      FillRandomly(many ? reflection->AddMessage(message, field)
                        : reflection->MutableMessage(message, field),
                   random, depth + 1);
  }
}

std::vector<std::string> Pieces(const Message& message, std::mt19937* random) {
  std::vector<std::string> pieces;
  const Reflection* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const std::unique_ptr<Message> one(message.New());
    one->CopyFrom(message);
    for (const FieldDescriptor* other : fields) {
      if (other != field) one->GetReflection()->ClearField(one.get(), other);
    }
    pieces.push_back(one->SerializeAsString());
  }
  // Fields 200 to 204, unknown to all our messages: varint, fixed64, bytes, group, fixed32.
  pieces.push_back(std::string("\xc0\x0c\x96\x01", 4));
  pieces.push_back(std::string("\xc9\x0c\1\2\3\4\5\6\7\x08", 10));
  pieces.push_back(std::string("\xd2\x0c\x03xyz", 6));
  pieces.push_back(std::string("\xdb\x0c\x08\x05\x13\x0a\x01z\x14\xdc\x0c", 11));
  pieces.push_back(std::string("\xe5\x0c\1\2\3\4", 6));
  std::shuffle(pieces.begin(), pieces.end(), *random);
  return pieces;
}

}  // namespace

void FillRandomly(Message* message, std::mt19937* random, int depth) {
  const auto* descriptor = message->GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor* field = descriptor->field(i);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && depth > 6) continue;
    int times = Below(3, random) > 0 ? 1 : 0;
    if (field->is_repeated()) times = Below(4, random);
    for (int k = 0; k < times; ++k) SetOne(message, field, random, depth);
  }
}

std::string ScrambledBytes(const Message& message, std::mt19937* random) {
  std::string bytes;
  for (const std::string& piece : Pieces(message, random)) bytes += piece;
  return bytes;
}

}  // namespace tfprof
