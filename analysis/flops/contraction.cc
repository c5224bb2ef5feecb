// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/contraction.h"

#include <algorithm>

#include "core/base/arith.h"

namespace tfprof {
namespace {

constexpr double kFlopsOfMultiplyAdd = 2;

// The type of an operand, or of the first part of its tuple; null: there is none.
const TensorType* OperandType(const Program& program, const Instruction& of, size_t number) {
  const auto operands = program.References(of.operands);
  if (number >= operands.size() || operands[number] == Instruction::kNone) return nullptr;
  return &program.TypeOf(program.instructions[operands[number]]);
}

const TensorType& FirstPart(const Program& program, const TensorType& type) {
  const bool is_tuple = type.element == ElementType::tuple && type.parts.count > 0;
  return is_tuple ? program.Parts(type)[0] : type;
}

double Elements(const Program& program, const TensorType& type) {
  return static_cast<double>(ElementsOf(program, type));
}

// A dimension of a type; -1: it has no such one.
int64_t Dimension(const Program& program, const TensorType& type, int64_t number) {
  const auto dims = program.Numbers(type.dims);
  if (number < 0 || static_cast<size_t>(number) >= dims.size()) return -1;
  return dims[static_cast<size_t>(number)];
}

// Pairs of a place in the kernel and one in the output for which the window lies in the input. NaN
// where there are too many to look at each.
double ValidPositions(const WindowDimension& window, int64_t input, int64_t kernel,
                      int64_t output) {
  constexpr int64_t kMostPairs = int64_t{1} << 24;
  const int64_t dilation = std::max<int64_t>(1, window.base_dilation);
  const int64_t stride = std::max<int64_t>(1, window.stride);
  if (kernel <= 0 || output <= 0) return 0;
  if (kernel > kMostPairs / output) return kNoReal;
  double positions = 0;
  for (int64_t k = 0; k < kernel; ++k) {
    const __int128 at = static_cast<__int128>(k) * window.window_dilation - window.padding_low;
    for (int64_t o = 0; o < output; ++o) {
      const __int128 undilated = at + static_cast<__int128>(o) * stride;
      if (undilated < 0) continue;
      if (undilated / dilation >= input) break;
      positions += undilated % dilation == 0;
    }
  }
  return positions;
}

}  // namespace

double DotFlops(const Program& program, const Instruction& dot) {
  const TensorType* left = OperandType(program, dot, 0);
  if (left == nullptr || dot.dot == Instruction::kNone) return kNoReal;
  double summed = 1;
  for (const int64_t dim : program.Numbers(program.dots[dot.dot].lhs_contracting)) {
    const int64_t size = Dimension(program, *left, dim);
    if (size < 0) return kNoReal;
    summed *= static_cast<double>(size);
  }
  return kFlopsOfMultiplyAdd * Elements(program, program.TypeOf(dot)) * summed;
}

double ConvolutionFlops(const Program& program, const Instruction& of) {
  const TensorType* input = OperandType(program, of, 0);
  const TensorType* kernel = OperandType(program, of, 1);
  if (input == nullptr || kernel == nullptr || of.convolution == Instruction::kNone) {
    return kNoReal;
  }
  const TensorType& output = FirstPart(program, program.TypeOf(of));
  const ConvolutionDimensions& dims = program.convolutions[of.convolution];
  const auto inputs = program.Numbers(dims.input_spatial);
  const auto kernels = program.Numbers(dims.kernel_spatial);
  const auto outputs = program.Numbers(dims.output_spatial);
  const size_t spatial = of.window.count;
  if (inputs.size() < spatial || kernels.size() < spatial || outputs.size() < spatial) {
    return kNoReal;
  }
  double positions = 1;
  for (size_t i = 0; i < spatial; ++i) {
    positions *= ValidPositions(
        program.windows[of.window.first + i], Dimension(program, *input, inputs[i]),
        Dimension(program, *kernel, kernels[i]), Dimension(program, output, outputs[i]));
  }
  const int64_t features = Dimension(program, *input, dims.input_feature);
  const int64_t batch = Dimension(program, *input, dims.input_batch);
  const int64_t made = Dimension(program, output, dims.output_feature);
  if (features < 0 || batch < 0 || made < 0) return kNoReal;
  return kFlopsOfMultiplyAdd * positions * static_cast<double>(made) *
         static_cast<double>(features / std::max<int64_t>(1, of.feature_groups)) *
         static_cast<double>(batch / std::max<int64_t>(1, of.batch_groups));
}

double TimesCalled(const Program& program, const Instruction& of) {
  const std::string_view opcode = program.Text(of.opcode);
  const TensorType* input = OperandType(program, of, 0);
  const double made = Elements(program, FirstPart(program, program.TypeOf(of)));
  if (input == nullptr) return 0;
  if (opcode == "reduce") return std::max(0.0, Elements(program, *input) - made);
  if (opcode == "map" || opcode == "all-reduce" || opcode == "reduce-scatter") return made;
  if (opcode == "reduce-window") {
    double window = 1;
    for (uint32_t i = 0; i < of.window.count; ++i) {
      window *= static_cast<double>(program.windows[of.window.first + i].size);
    }
    return std::max(0.0, window - 1) * made;
  }
  if (opcode == "scatter") {
    const TensorType* updates = OperandType(program, of, 2);
    return updates == nullptr ? 0 : Elements(program, *updates);
  }
  return 0;
}

}  // namespace tfprof
