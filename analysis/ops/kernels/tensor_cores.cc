// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/kernels/tensor_cores.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "analysis/flops/device_type.h"
#include "analysis/ops/links.h"
#include "analysis/place.h"
#include "core/base/ascii.h"
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

constexpr std::string_view kKernels[] = {"16816",
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
                                         "xmma_warp_specialized_implicit_gemm"};

// wgmma is the instruction of Hopper, tcgen05 that of Blackwell; nvjet are cuBLAS kernels for both.
constexpr std::string_view kNewerKernels[] = {"nvjet",    "wgmma",     "tcgen05",
                                              "tensorop", "sm90_xmma", "sm100_xmma"};

// The other lists are searched first: s1688gemm is none of these, cutlass_80_simt_sgemm is.
constexpr std::string_view kOtherKernels[] = {
    "Eigen::",      "EigenMetaKernel", "tensorflow::", "cub::",  "thrust::",
    "splitKreduce", "sgemm",           "dgemm",        "scudnn", "redzone_checker"};

// "fused multiply-add of float32", in names that the first list matches too.
constexpr std::string_view kFloat32Core = "ffma";

constexpr std::string_view kOpEndings[] = {"Conv2D",
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
                                           "XlaDotV2"};

constexpr std::string_view kOpParts[] = {"BatchMatMul", "CudnnRNNV", "CudnnRNNForward",
                                         "CudnnRNNBackprop"};

// Searches for several texts at once: two letters select the candidates at each position. There are
// many kernels, with long names.
class Parts {
 public:
  // At most 32 texts, each of at least two letters.
  template <size_t kSize>
  constexpr explicit Parts(const std::string_view (&parts)[kSize]) : parts_(parts) {
    static_assert(kSize <= 32);
    for (size_t i = 0; i < kSize; ++i) {
      first_[static_cast<uint8_t>(parts[i][0])] |= uint32_t{1} << i;
      second_[static_cast<uint8_t>(parts[i][1])] |= uint32_t{1} << i;
    }
  }

  bool AnyIn(std::string_view text) const {
    for (size_t at = 0; at + 1 < text.size(); ++at) {
      uint32_t may = first_[static_cast<uint8_t>(text[at])];
      may &= second_[static_cast<uint8_t>(text[at + 1])];
      for (; may != 0; may &= may - 1) {
        const auto part = static_cast<size_t>(std::countr_zero(may));
        if (text.substr(at).starts_with(parts_[part])) return true;
      }
    }
    return false;
  }

 private:
  const std::string_view* parts_;
  std::array<uint32_t, 256> first_{};  // by letter, one bit per text
  std::array<uint32_t, 256> second_{};
};

constexpr Parts kPartsOfKernels(kKernels), kPartsOfNewer(kNewerKernels),
    kPartsOfOthers(kOtherKernels), kPartsOfOps(kOpParts);

}  // namespace

bool NamesShowTensorCores(std::string_view vendor) {
  return vendor.empty() || ContainsAnyCase(vendor, "nvidia");
}

void NoteTensorCores(const Store& store, const PlaceFilter& place, std::vector<Note>* notes) {
  Note note{note::tensor_cores_not_known, 0, "", kNoInt};
  for (const Process& process : store.processes) {
    if (!process.device.some() || !MatchesPlace(store, process, place)) continue;
    const Device& device = store.devices[process.device.value];
    if (device.kind != DeviceKind::gpu || NamesShowTensorCores(store.Text(device.vendor))) continue;
    if (!WasActive(store, process, Measures::accelerator_time)) continue;
    if (note.count++ == 0) note.first_place = store.Text(process.name);
  }
  if (note.count > 0) notes->push_back(std::move(note));
}

bool UsesTensorCores(std::string_view kernel) { return kPartsOfKernels.AnyIn(kernel); }

bool UsesTensorCoresByAnyName(std::string_view kernel) {
  if (kernel.find(kFloat32Core) != kernel.npos) return false;
  return UsesTensorCores(kernel) || kPartsOfNewer.AnyIn(kernel);
}

bool MultipliesFloat32(std::string_view kernel) {
  constexpr std::string_view kNames[] = {kFloat32Core, "sgemm", "scudnn"};
  const bool is_named = std::ranges::any_of(
      kNames, [&](std::string_view name) { return kernel.find(name) != kernel.npos; });
  return is_named && !UsesTensorCoresByAnyName(kernel);
}

namespace {

// REQUIRES: the name is not one of a tensor-core kernel.
bool IsKnownOther(std::string_view kernel) {
  if (LinkOf(kernel) == Link::devices || kernel.starts_with("wrapped_")) return true;
  if (kernel.find(kFloat32Core) != kernel.npos) return true;
  const bool is_emitted = kernel.starts_with("loop_") || kernel.starts_with("input_");
  if (is_emitted && kernel.find("fusion") != kernel.npos) return true;
  return kPartsOfOthers.AnyIn(kernel);
}

}  // namespace

bool UsesNoTensorCores(std::string_view kernel) {
  return !UsesTensorCoresByAnyName(kernel) && IsKnownOther(kernel);
}

TensorCoreUse TensorCoreNames::Of(NameId name) {
  if (!name.some()) return {};
  Known& known = known_[name.value];
  if (known == Known::nothing) {
    const std::string_view text = store_->Text(name);
    const bool uses = UsesTensorCoresByAnyName(text);
    known = UsesTensorCores(text) ? (uses ? Known::old : Known::wrongly)
            : uses                ? Known::newer
            : IsKnownOther(text)  ? Known::no
                                  : Known::inconclusive;
  }
  return {known == Known::old || known == Known::wrongly,
          known == Known::old || known == Known::newer, known != Known::inconclusive};
}

bool CouldUseTensorCores(std::string_view op_name) {
  const bool ends = std::any_of(std::begin(kOpEndings), std::end(kOpEndings),
                                [&](std::string_view end) { return op_name.ends_with(end); });
  return ends || kPartsOfOps.AnyIn(op_name);
}

bool IsMatrixProduct(std::string_view equation) {
  const size_t arrow = equation.find("->");
  if (arrow == equation.npos || equation.find("->", arrow + 2) != equation.npos) return false;
  const std::string_view inputs = equation.substr(0, arrow);
  return std::count(inputs.begin(), inputs.end(), ',') == 1;
}

}  // namespace tfprof
