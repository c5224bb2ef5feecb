// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/tensors.h"

#include <algorithm>
#include <iterator>

#include "core/base/arith.h"
#include "core/store/number_lists.h"

namespace tfprof::kineto {
namespace {

// c10/core/ScalarType.h of pytorch.
constexpr ScalarType kScalarTypes[] = {
    {"Byte", "unsigned char", 1, 4},
    {"Char", "signed char", 1, 6},
    {"Bool", "bool", 1, 10},
    {"Short", "short", 2, 5},
    {"Half", "c10::Half", 2, 19},
    {"BFloat16", "c10::BFloat16", 2, 14},
    {"Int", "int", 4, 3},
    {"Float", "float", 4, 1},
    {"Long", "long int", 8, 9},
    {"Double", "double", 8, 2},
    {"ComplexFloat", "c10::complex<float>", 8, 8},
    {"ComplexDouble", "c10::complex<double>", 16, 18},
    {"UInt16", "unsigned short", 2, 17},
    {"UInt32", "unsigned int", 4, 22},
    {"UInt64", "unsigned long", 8, 23},
    {"Float8_e5m2", "c10::Float8_e5m2", 1, 24},
    {"Float8_e4m3fn", "c10::Float8_e4m3fn", 1, 25},
    {"Float8_e4m3fnuz", "c10::Float8_e4m3fnuz", 1, 26},
    {"Float8_e5m2fnuz", "c10::Float8_e5m2fnuz", 1, 28},
};

// Ends of the names of collectives.
constexpr std::string_view kGiveWhatTheyTake[] = {"all_reduce", "broadcast", "all_to_all", "send",
                                                  "recv"};

}  // namespace

const ScalarType* ScalarTypeOf(std::string_view name) {
  const auto* const found = std::ranges::find_if(kScalarTypes, [&](const ScalarType& type) {
    return !name.empty() && (type.name == name || type.word == name);
  });
  return found == std::end(kScalarTypes) ? nullptr : found;
}

int64_t ElementsOf(std::string_view shapes) {
  int64_t sum = 0, product = 1;
  bool clamped = false, has_dims = false;
  const auto open = [&](int) { product = 1, has_dims = false; };
  const auto close = [&](int) {
    if (has_dims) sum = SaturatingAdd(sum, product);
    has_dims = false;
  };
  const auto number = [&](int, int64_t size) {
    product = SaturatingMul(product, size, &clamped);
    has_dims = true;
  };
  return ReadNumberLists(shapes, open, close, number) ? sum : 0;
}

std::string_view FirstText(std::string_view list) {
  const size_t open = list.find('"');
  if (open == list.npos) return {};
  const size_t close = list.find('"', open + 1);
  return close == list.npos ? std::string_view() : list.substr(open + 1, close - open - 1);
}

bool GivesWhatItTakes(std::string_view region) {
  return std::ranges::any_of(kGiveWhatTheyTake,
                             [&](std::string_view end) { return region.ends_with(end); });
}

}  // namespace tfprof::kineto
