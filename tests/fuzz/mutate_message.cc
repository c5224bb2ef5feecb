// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate_message.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/logging.h>

#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/arith.h"
#include "loaders/detect/detect.h"
#include "proto/meta_graph.pb.h"
#include "proto/run_metadata.pb.h"
#include "proto/tfprof_log.pb.h"
#include "proto/xplane.pb.h"
#include "tests/fuzz/asking.h"
#include "tests/support/random_message.h"
#include "tests/support/source_of.h"
#include "writers/profile.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace tfprof {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kMaxNewDepth = 5;  // of FillRandomly: what is added stays small

template <class T>
T& OneOf(std::vector<T>& all, std::mt19937* random) {
  return all[(*random)() % all.size()];
}

std::vector<const FieldDescriptor*> FieldsOf(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

// `message` and all below it.
void Collect(Message* message, std::vector<Message*>* all) {
  all->push_back(message);
  const Reflection* reflection = message->GetReflection();
  for (const FieldDescriptor* field : FieldsOf(*message)) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      Collect(reflection->MutableMessage(message, field), all);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(*message, field); ++i) {
      Collect(reflection->MutableRepeatedMessage(message, field, i), all);
    }
  }
}

int64_t EdgeNumber(std::mt19937* random) {
  const int64_t edges[] = {0,
                           1,
                           -1,
                           1000,
                           int64_t{1} << 31,
                           int64_t{1} << 32,
                           int64_t{1} << 62,
                           std::numeric_limits<int64_t>::max(),
                           std::numeric_limits<int64_t>::min()};
  return WrapAdd(edges[(*random)() % std::size(edges)], static_cast<int64_t>((*random)() % 3));
}

std::string MutateText(std::string text) {
  const size_t size = text.size();
  text.resize(size + 32);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), size, text.size()));
  return text;
}

// A single field gets a number at an edge of its range, or a text that differs a little.
void ChangeValue(Message* message, const FieldDescriptor* field, std::mt19937* random) {
  const Reflection* reflection = message->GetReflection();
  if (field->is_repeated()) return;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->SetInt64(message, field, EdgeNumber(random));
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection->SetUInt64(message, field, static_cast<uint64_t>(EdgeNumber(random)));
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection->SetInt32(message, field, static_cast<int32_t>(EdgeNumber(random)));
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection->SetUInt32(message, field, static_cast<uint32_t>(EdgeNumber(random)));
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->SetString(message, field,
                                   MutateText(reflection->GetString(*message, field)));
    default: return;
  }
}

// Of a repeated field the last element goes, or another one stands twice.
void ChangeCount(Message* message, const FieldDescriptor* field, std::mt19937* random) {
  const Reflection* reflection = message->GetReflection();
  const int size = reflection->FieldSize(*message, field);
  const int one = static_cast<int>((*random)() % static_cast<unsigned>(size));
  reflection->SwapElements(message, field, one, size - 1);
  if ((*random)() % 2 == 0) return reflection->RemoveLast(message, field);
  if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return;
  const std::unique_ptr<Message> copy(
      reflection->GetRepeatedMessage(*message, field, size - 1).New());
  copy->CopyFrom(reflection->GetRepeatedMessage(*message, field, size - 1));
  reflection->AddMessage(message, field)->CopyFrom(*copy);
}

// What another message of the kind has, or a random one.
void ReplaceWith(Message* message, std::vector<Message*>& all, std::mt19937* random) {
  Message* other = OneOf(all, random);
  const std::unique_ptr<Message> copy(message->New());
  if (other->GetDescriptor() == message->GetDescriptor()) {
    copy->CopyFrom(*other);
  } else {
    FillRandomly(copy.get(), random, kMaxNewDepth);
  }
  std::vector<const FieldDescriptor*> fields = FieldsOf(*copy);
  if (fields.empty()) return;
  if ((*random)() % 4 == 0) return message->MergeFrom(*copy);
  message->GetReflection()->SwapFields(message, copy.get(), {OneOf(fields, random)});
}

void ChangeOne(Message* root, std::mt19937* random) {
  std::vector<Message*> all;
  Collect(root, &all);
  Message* message = OneOf(all, random);
  std::vector<const FieldDescriptor*> fields = FieldsOf(*message);
  if (fields.empty() || (*random)() % 3 == 0) return ReplaceWith(message, all, random);
  const FieldDescriptor* field = OneOf(fields, random);
  if (field->is_repeated()) return ChangeCount(message, field, random);
  if ((*random)() % 8 == 0) return message->GetReflection()->ClearField(message, field);
  ChangeValue(message, field, random);
}

}  // namespace

size_t MutateMessage(const Message& prototype, uint8_t* data, size_t size, size_t max_size,
                     unsigned seed) {
  google::protobuf::SetLogHandler(nullptr);  // texts that are no UTF-8 are wanted
  std::mt19937 random(seed);
  const std::unique_ptr<Message> message(prototype.New());
  if (random() % 4 == 0 || !message->ParsePartialFromArray(data, static_cast<int>(size))) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  ChangeOne(message.get(), &random);
  const std::string bytes = message->SerializePartialAsString();
  if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

size_t MutateLikeliest(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  if (size == 0) {  // the first input of all
    Sink sink;
    Context context;
    (void)WriteProfile(*SmallProfile(), sink, context);
    if (sink.buffer.size() <= max_size) std::memcpy(data, sink.buffer.data(), sink.buffer.size());
    if (sink.buffer.size() <= max_size) return sink.buffer.size();
  }
  const std::vector<Candidate> candidates =
      Candidates(SourceOf({reinterpret_cast<const char*>(data), size}).bytes);
  const std::string_view format = candidates.empty() ? "" : candidates.front().loader->name;
  const auto as = [&](const Message& prototype) {
    return MutateMessage(prototype, data, size, max_size, seed);
  };
  if (format == "xspace") return as(pb::XSpace());
  if (format == "profile") return as(pb::ProfileProto());
  if (format == "run_metadata") return as(pb::RunMetadata());
  if (format == "op_log") return as(pb::OpLogProto());
  if (format == "graphdef") return as(pb::GraphDef());
  return LLVMFuzzerMutate(data, size, max_size);
}

}  // namespace tfprof
