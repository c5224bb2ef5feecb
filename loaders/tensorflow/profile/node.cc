// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/node.h"

#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Number;
using wire::Numbers;
using wire::Text;

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
  const auto push_dim = [=](uint64_t dim) { node->shape.push_back(static_cast<int64_t>(dim)); };
  const auto append_exec = [=](std::string_view entry) {
    if (end - entry.data() > kAheadBytes) wire::PrefetchAhead(entry.data(), kAheadBytes);
    return ReadEntry(entry, &node->execs.emplace_back());
  };
  using Of = field::ProfileNode;
  const char* bad = wire::ReadMessage(
      message, Text<Of::name>(&node->name), Each<Of::inputs>(AppendTo(&node->inputs)),
      Each<Of::outputs>(AppendTo(&node->absent_inputs)), Numbers<Of::shape>(push_dim),
      Each<Of::op_types>(wire::PushTo(&node->types)),
      Text<Of::canonical_device>(&node->canonical_device), Number<Of::float_ops>(&node->float_ops),
      Text<Of::op>(&node->op), Each<Of::trace>(wire::PushTo(&node->traces)),
      Each<Of::attrs>(wire::PushTo(&node->attributes)), Each<Of::execs>(append_exec),
      wire::Ignored<Of::id, wire::kVarint>(),
      Each<Of::src_output_index>(AppendTo(&node->source_slots)),
      Each<Of::output_shapes>(AppendTo(&node->output_shapes)));
  KeepLast(&node->inputs);
  KeepLast(&node->source_slots);
  KeepLast(&node->absent_inputs);
  KeepLast(&node->output_shapes);
  KeepLast(&node->execs);
  return bad;
}

const char* ReadTuple(std::string_view message, std::vector<int64_t>* numbers) {
  // Nearly all writers write one packed field of less than 128 bytes.
  const bool is_plain = message.size() >= 2 &&
                        message[0] == wire::TagByte(field::Tuple::int64_values, wire::kBytes) &&
                        static_cast<uint8_t>(message[1]) < 0x80 &&
                        static_cast<uint8_t>(message[1]) == message.size() - 2;
  const auto push = [=](uint64_t number) { numbers->push_back(static_cast<int64_t>(number)); };
  if (!is_plain) return wire::ReadMessage(message, Numbers<field::Tuple::int64_values>(push));
  return wire::EachPacked(message.substr(2), push) ? nullptr : message.data() + 2;
}

}  // namespace tfprof
