// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace tfprof {

// What TensorFlow calls an element type, by the number of its DataType (framework/types.proto):
// "float", "half", "INVALID", ... Empty: a number that has no name. A reference type, whose number
// is that of the type + 100, is called like the type.
std::string_view ElementTypeName(int64_t number);

}  // namespace tfprof
