// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/node.h"

#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::EachNumber;
using wire::Number;
using wire::Text;

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
      message, Text<field::ProfileNode::name>(&node->name),
      Each<field::ProfileNode::inputs>(
          [=](std::string_view entry) { return AppendEntry(entry, &node->inputs); }),
      Each<field::ProfileNode::outputs>(
          [=](std::string_view entry) { return AppendEntry(entry, &node->absent_inputs); }),
      Each<field::ProfileNode::shape>(
          [=](std::string_view packed) { return AppendPacked(packed, &node->shape); }),
      EachNumber<field::ProfileNode::shape>(
          [=](uint64_t dim) { node->shape.push_back(static_cast<int64_t>(dim)); }),
      Each<field::ProfileNode::op_types>(push(&node->types)),
      Text<field::ProfileNode::canonical_device>(&node->canonical_device),
      Number<field::ProfileNode::float_ops>(&node->float_ops),
      Text<field::ProfileNode::op>(&node->op), Each<field::ProfileNode::trace>(push(&node->traces)),
      Each<field::ProfileNode::attrs>(push(&node->attributes)),
      Each<field::ProfileNode::execs>([=](std::string_view entry) {
        if (end - entry.data() > kAheadBytes) wire::PrefetchAhead(entry.data(), kAheadBytes);
        return AppendEntry(entry, &node->execs);
      }),
      wire::Ignored<field::ProfileNode::id, wire::kVarint>(),
      Each<field::ProfileNode::src_output_index>(
          [=](std::string_view entry) { return AppendEntry(entry, &node->source_slots); }),
      Each<field::ProfileNode::output_shapes>(
          [=](std::string_view entry) { return AppendEntry(entry, &node->output_shapes); }));
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
  // Nearly all writers write one packed field of less than 128 bytes.
  const bool is_plain = message.size() >= 2 &&
                        message[0] == wire::TagByte(field::Tuple::int64_values, wire::kBytes) &&
                        static_cast<uint8_t>(message[1]) < 0x80 &&
                        static_cast<uint8_t>(message[1]) == message.size() - 2;
  if (is_plain) return AppendPacked(message.substr(2), numbers);
  return wire::ReadMessage(message, Each<field::Tuple::int64_values>([=](std::string_view packed) {
                             return AppendPacked(packed, numbers);
                           }),
                           EachNumber<field::Tuple::int64_values>([=](uint64_t number) {
                             numbers->push_back(static_cast<int64_t>(number));
                           }));
}

}  // namespace tfprof
