// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/hlo/program.h"

// Sizes of operands and results, and the work that follows from them.

namespace tfprof {

constexpr double kFlopsOfMultiplyAdd = 2;

// Returns the type of an operand; null: there is none.
const TensorType* OperandType(const Program& program, const Instruction& of, size_t number);
// Returns the first element of a tuple, else the type itself.
const TensorType& FirstPart(const Program& program, const TensorType& type);
double Elements(const Program& program, const TensorType& type);
// Returns a dimension of a type; -1: the type has no such dimension.
int64_t Dimension(const Program& program, const TensorType& type, int64_t number);

// Counts the pairs of a kernel position and an output position whose tap lies in the input: others
// lie on padding, or between the elements of a dilated input. NaN if there are too many to check.
double ValidPositions(const WindowDimension& window, int64_t input, int64_t kernel, int64_t output);

// What a convolution computes; the dimension numbers are those of the forward one.
enum class Convolves : uint8_t {
  forward,          // the output from input and kernel
  backward_input,   // the input's gradient from that of the output, and the kernel
  backward_filter,  // the kernel's gradient from the input and the output's gradient
};
// FLOPs of a convolution without the taps that fall on padding. NaN if the dimensions in the file
// are inconsistent.
double ConvolutionFlops(const Program& program, const Instruction& of, Convolves what);

}  // namespace tfprof
