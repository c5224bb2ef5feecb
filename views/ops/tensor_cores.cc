// SPDX-License-Identifier: Apache-2.0
#include "views/ops/tensor_cores.h"

#include <algorithm>
#include <iterator>

namespace tfprof {
namespace {

constexpr std::string_view kKernels[] = {
    "16816",
    "c1688",
    "conv1x1",
    "conv2d_c1_k1",
    "dgrad_1x1_stride_2x2",
    "direct_group",
    "first_layer_wgrad_kernel",
    "h1688",
    "h884",
    "hmma",
    "i16832",
    "i8816",
    "s884",
    "s1688",
    "xmma_gemm",
    "xmma_implicit_gemm",
    "xmma_sparse_conv",
    "xmma_sparse_gemm",
    "xmma_warp_specialized_implicit_gemm",
};

// wgmma is the instruction of Hopper, tcgen05 that of Blackwell; nvjet are the kernels of cuBLAS
// for both.
constexpr std::string_view kNewerKernels[] = {"nvjet",    "wgmma",     "tcgen05",
                                              "tensorop", "sm90_xmma", "sm100_xmma"};

constexpr std::string_view kOpEndings[] = {
    "Conv2D",
    "Conv2DBackpropFilter",
    "Conv2DBackpropInput",
    "Conv3D",
    "DepthwiseConv2dNative",
    "DepthwiseConv2dNativeBackpropFilter",
    "DepthwiseConv2dNativeBackpropInput",
    "/MatMul",
    "FusedMatMul",
    "/CudnnRNN",
    "XlaDot",
    "XlaDotV2",
};

constexpr std::string_view kOpParts[] = {"BatchMatMul", "CudnnRNNV", "CudnnRNNForward",
                                         "CudnnRNNBackprop"};

template <size_t kSize>
bool HasAnyOf(std::string_view text, const std::string_view (&parts)[kSize]) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return text.find(part) != text.npos; });
}

}  // namespace

bool UsesTensorCores(std::string_view kernel) { return HasAnyOf(kernel, kKernels); }

bool UsesTensorCoresByAnyName(std::string_view kernel) {
  return UsesTensorCores(kernel) || HasAnyOf(kernel, kNewerKernels);
}

TensorCoreUse TensorCoreNames::Of(NameId name) {
  if (!name.some()) return {};
  Known& known = known_[name.value];
  if (known == Known::nothing) {
    const std::string_view text = store_->Text(name);
    known = UsesTensorCores(text)            ? Known::old
            : UsesTensorCoresByAnyName(text) ? Known::newer
                                             : Known::no;
  }
  return {known == Known::old, known != Known::no};
}

bool CouldUseTensorCores(std::string_view op_name) {
  const bool ends = std::any_of(std::begin(kOpEndings), std::end(kOpEndings),
                                [&](std::string_view end) { return op_name.ends_with(end); });
  return ends || HasAnyOf(op_name, kOpParts);
}

bool IsMatrixProduct(std::string_view equation) {
  const size_t arrow = equation.find("->");
  if (arrow == equation.npos || equation.find("->", arrow + 2) != equation.npos) return false;
  const std::string_view inputs = equation.substr(0, arrow);
  return std::count(inputs.begin(), inputs.end(), ',') == 1;
}

}  // namespace tfprof
