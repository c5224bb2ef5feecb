// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/shapes.h"

#include <algorithm>

#include "core/base/arith.h"

namespace tfprof {
namespace {

// Counts the output positions whose tap at `at` (for the first one) lies in the undilated input.
double PositionsOfTap(__int128 at, __int128 stride, int64_t input, int64_t output) {
  const __int128 first = at >= 0 ? 0 : (stride - 1 - at) / stride;
  const __int128 end = at >= input ? 0 : (input - 1 - at) / stride + 1;
  return static_cast<double>(std::max<__int128>(0, std::min<__int128>(end, output) - first));
}

struct Convolution {
  const TensorType* input;
  const TensorType* kernel;
  const TensorType* output;
};

Convolution PartsOf(const Program& program, const Instruction& of, Convolves what) {
  const TensorType* first = OperandType(program, of, 0);
  const TensorType* second = OperandType(program, of, 1);
  const TensorType* result = &FirstPart(program, program.TypeOf(of));
  switch (what) {
    case Convolves::backward_input: return {result, second, first};
    case Convolves::backward_filter: return {first, result, second};
    case Convolves::forward: break;
  }
  return {first, second, result};
}

}  // namespace

double ValidPositions(const WindowDimension& window, int64_t input, int64_t kernel,
                      int64_t output) {
  constexpr int64_t kMaxPairs = int64_t{1} << 24;
  const int64_t dilation = std::max<int64_t>(1, window.base_dilation);
  const int64_t stride = std::max<int64_t>(1, window.stride);
  if (kernel <= 0 || output <= 0) return 0;
  if (kernel > kMaxPairs / (dilation == 1 ? 1 : output)) return kNoReal;
  double positions = 0;
  for (int64_t k = 0; k < kernel; ++k) {
    const __int128 at = static_cast<__int128>(k) * window.window_dilation - window.padding_low;
    if (dilation == 1) {
      positions += PositionsOfTap(at, stride, input, output);
      continue;
    }
    for (int64_t o = 0; o < output; ++o) {
      const __int128 undilated = at + static_cast<__int128>(o) * stride;
      if (undilated < 0) continue;
      if (undilated / dilation >= input) break;
      positions += undilated % dilation == 0;
    }
  }
  return positions;
}

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

int64_t Dimension(const Program& program, const TensorType& type, int64_t number) {
  const auto dims = program.Numbers(type.dims);
  if (number < 0 || static_cast<size_t>(number) >= dims.size()) return -1;
  return dims[static_cast<size_t>(number)];
}

double ConvolutionFlops(const Program& program, const Instruction& of, Convolves what) {
  const auto [input, kernel, output] = PartsOf(program, of, what);
  if (input == nullptr || kernel == nullptr || output == nullptr ||
      of.convolution == Instruction::kNone) {
    return kNoReal;
  }
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
        Dimension(program, *kernel, kernels[i]), Dimension(program, *output, outputs[i]));
  }
  const int64_t features = Dimension(program, *input, dims.input_feature);
  const int64_t batch = Dimension(program, *input, dims.input_batch);
  const int64_t made = Dimension(program, *output, dims.output_feature);
  if (features < 0 || batch < 0 || made < 0) return kNoReal;
  return kFlopsOfMultiplyAdd * positions * static_cast<double>(made) *
         static_cast<double>(features / std::max<int64_t>(1, of.feature_groups)) *
         static_cast<double>(batch / std::max<int64_t>(1, of.batch_groups));
}

}  // namespace tfprof
