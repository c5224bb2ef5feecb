// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

// The inputs of one call of an operation, as a recorder of shapes writes them
// (AttributeKey::input_shapes, AttributeKey::input_values).

namespace tfprof {

struct CallInput {
  std::vector<int64_t> dims;  // none of a list of tensors
};

// "[[64, 32], [], [[2], [3]]]": a matrix, something without dimensions, a list of two tensors.
// Empty: the text is malformed.
std::vector<CallInput> ParseInputs(std::string_view shapes);

// The texts of `["", "[1, 1]", "False"]`.
std::vector<std::string_view> ParseValues(std::string_view values);

// The numbers of "[1, 1]", or of "1". Empty: there are none, or others are there.
std::vector<int64_t> ParseNumbers(std::string_view text);

}  // namespace tfprof
