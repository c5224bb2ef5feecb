// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace tfprof {

// Returns TensorFlow's name of an element type, by its DataType number (framework/types.proto):
// "float", "half", "INVALID", ... Empty: the number has no name. A reference type (number + 100)
// has the name of its type.
std::string_view ElementTypeName(int64_t number);

}  // namespace tfprof
