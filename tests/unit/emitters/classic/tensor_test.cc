// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "emitters/classic/classic.h"

namespace tfprof::tensor_test {
namespace {

std::string TextOf(const TensorValue& tensor) {
  std::string text;
  AppendClassicTensor(tensor, &text);
  return text;
}

TensorValue Reals(std::vector<int64_t> shape, std::vector<double> values) {
  TensorValue tensor;
  tensor.kind = TensorValue::Kind::real;
  tensor.shape = std::move(shape);
  tensor.reals = std::move(values);
  return tensor;
}

// The text without any shortcut: everything is built, and cut at each closing bracket.
std::string SlowTensor(const TensorValue& tensor, size_t depth, size_t* at, std::string text) {
  text += "[";
  for (int64_t i = 0; i < tensor.shape[depth]; ++i) {
    if (depth + 1 == tensor.shape.size()) {
      text += std::to_string(tensor.integers[(*at)++]) + " ";
    } else {
      text = SlowTensor(tensor, depth + 1, at, text);
    }
  }
  if (text.size() > 10000) text.resize(10000);
  return text + "],\n";
}

}  // namespace

TEST_CASE("tensors have brackets, six digits and two decimals") {
  CHECK(TextOf(Reals({}, {0.125})) == "[0.12 ],\n");
  CHECK(TextOf(Reals({0}, {})) == "[],\n");
  CHECK(TextOf(Reals({2, 0}, {})) == "[[],\n[],\n],\n");
  CHECK(TextOf(Reals({3}, {123456.789, 2.675, NAN})) == "[123457.00 2.67 nan ],\n");
  CHECK(TextOf(Reals({2, 2}, {1, 2, 3, 4})) == "[[1.00 2.00 ],\n[3.00 4.00 ],\n],\n");
  TensorValue integers;
  integers.kind = TensorValue::Kind::integer;
  integers.shape = {1, 2};
  integers.integers = {-1, 5};
  CHECK(TextOf(integers) == "[[-1 5 ],\n],\n");
  integers.kind = TensorValue::Kind::unsupported;
  CHECK(TextOf(integers).empty());
}

TEST_CASE("tensors are cut at 10000 characters") {
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{{4998},
                                                                             {4999},
                                                                             {5000},
                                                                             {1, 4997},
                                                                             {1, 4998},
                                                                             {1, 4999},
                                                                             {3, 1665},
                                                                             {3, 1666},
                                                                             {100, 60},
                                                                             {60, 10, 10},
                                                                             {1, 1, 4996},
                                                                             {1, 1, 4997},
                                                                             {20000, 0},
                                                                             {2500, 0},
                                                                             {2499, 0},
                                                                             {2498, 0}}) {
    TensorValue tensor;
    tensor.kind = TensorValue::Kind::integer;
    tensor.shape = shape;
    size_t count = 1, at = 0;
    for (const int64_t dim : shape) count *= static_cast<size_t>(dim);
    tensor.integers.assign(count, 7);
    std::string expected = SlowTensor(tensor, 0, &at, "");
    if (expected.size() >= 10000) expected += "...omitted from display\n\n";
    INFO(shape.size() << " dimensions, " << count << " values, " << expected.size());
    CHECK(TextOf(tensor) == expected);
  }
  // As long as the universe, if it were built.
  CHECK(TextOf(Reals({int64_t{1} << 60, 0}, {})).size() == 10003 + 25);
}

}  // namespace tfprof::tensor_test
