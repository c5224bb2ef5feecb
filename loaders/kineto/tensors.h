// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

// Tensors as the arguments of an event describe them: "Input Dims", "Input type", "dtype".

namespace tfprof::kineto {

struct ScalarType {
  std::string_view name;  // of c10::ScalarType
  std::string_view word;  // as C++ calls it, in lists of types
  int64_t bytes;
  int64_t number;  // TensorFlow's DataType number of the type
};
// null: no type of numbers.
const ScalarType* ScalarTypeOf(std::string_view name);

// The elements of all tensors in a list of shapes: 10 for [[2, 3], [4]]. A number has no shape: it
// counts for nothing. 0: there are none.
int64_t ElementsOf(std::string_view shapes);

// The first text of a list of texts, as written: float of ["float", "Scalar"].
std::string_view FirstText(std::string_view list);

// Returns true if a rank gives as many elements as it takes, by the name of the region.
bool GivesWhatItTakes(std::string_view region);

}  // namespace tfprof::kineto
