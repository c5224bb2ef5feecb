// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/wire/message.h"
#include "proto/tensor_shape_fields.h"

namespace tfprof {

// Reads a TensorShapeProto: appends its dimensions. Returns null, or the place where the wire
// format is invalid.
inline const char* ReadShape(std::string_view message, std::vector<int64_t>* dims,
                             bool* unknown_rank) {
  using Shape = field::TensorShapeProto;
  const auto read_dim = [=](std::string_view dim) {
    return wire::ReadMessage(
        dim, wire::Number<field::TensorShapeProto_Dim::size>(&dims->emplace_back()));
  };
  return wire::ReadMessage(message, wire::Each<Shape::dim>(read_dim),
                           wire::Number<Shape::unknown_rank>(unknown_rank));
}

}  // namespace tfprof
