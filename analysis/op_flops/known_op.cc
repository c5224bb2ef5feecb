// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/known_op.h"

namespace tfprof {

const OpAttribute* KnownOp::Find(GraphKey key) const {
  for (const uint32_t at : attributes) {
    if (graph.attributes[at].key == key) return &graph.attributes[at];
  }
  return nullptr;
}

Dims KnownOp::Numbers(GraphKey key) const {
  const OpAttribute* const found = Find(key);
  if (found == nullptr) return {};
  return Dims(graph.numbers).subspan(found->numbers.first, found->numbers.count);
}

int64_t KnownOp::Number(GraphKey key, int64_t otherwise) const {
  const Dims numbers = Numbers(key);
  return numbers.size() == 1 ? numbers[0] : otherwise;
}

std::string_view KnownOp::Text(GraphKey key) const {
  const OpAttribute* const found = Find(key);
  return found != nullptr && found->texts.count > 0 ? graph.texts[found->texts.first]
                                                    : std::string_view();
}

const KnownTensor& KnownOp::Input(size_t number) const {
  static const KnownTensor kUnknown;
  return number < inputs.size() ? inputs[number] : kUnknown;
}

ImageAxes AxesOf(const KnownOp& op, size_t rank) {
  const std::string_view format = op.Text(GraphKey::data_format);
  const bool first = format.starts_with("NC") || format == "CHANNELS_FIRST";
  return first ? ImageAxes{1, 2} : ImageAxes{rank - 1, 1};
}

}  // namespace tfprof
