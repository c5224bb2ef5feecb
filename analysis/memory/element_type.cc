// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory/element_type.h"

#include <iterator>

namespace tfprof {
namespace {

constexpr int64_t kReference = 100;

constexpr std::string_view kNames[] = {"INVALID",
                                       "float",
                                       "double",
                                       "int32",
                                       "uint8",
                                       "int16",
                                       "int8",
                                       "string",
                                       "complex64",
                                       "int64",
                                       "bool",
                                       "qint8",
                                       "quint8",
                                       "qint32",
                                       "bfloat16",
                                       "qint16",
                                       "quint16",
                                       "uint16",
                                       "complex128",
                                       "half",
                                       "resource",
                                       "variant",
                                       "uint32",
                                       "uint64",
                                       "float8_e5m2",
                                       "float8_e4m3fn",
                                       "float8_e4m3fnuz",
                                       "float8_e4m3b11fnuz",
                                       "float8_e5m2fnuz",
                                       "int4",
                                       "uint4",
                                       "int2",
                                       "uint2"};

}  // namespace

std::string_view ElementTypeName(int64_t number) {
  if (number > kReference) number -= kReference;
  if (number < 0 || number >= static_cast<int64_t>(std::size(kNames))) return {};
  return kNames[number];
}

}  // namespace tfprof
