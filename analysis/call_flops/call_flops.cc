// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/call_flops.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "analysis/op_flops/work.h"

namespace tfprof {
namespace call_rule {
namespace {

// Where a rule finds what it needs: indexes of inputs; -1: there is none.
struct CallRule {
  std::string_view type;
  int64_t (*flops)(const OpCall& call, const CallRule& at);
  int first = 0;  // the left matrix, the input of a convolution, the queries
  int stride = -1;
  int padding = -1;
  int dilation = -1;
  int option = -1;  // transposed, causal
};

Dims DimsOf(const OpCall& call, int input) {
  const auto at = static_cast<size_t>(input);
  return input < 0 || at >= call.inputs.size() ? Dims() : Dims(call.inputs[at].dims);
}

std::string_view ValueOf(const OpCall& call, int input) {
  const auto at = static_cast<size_t>(input);
  return input < 0 || at >= call.values.size() ? std::string_view() : call.values[at];
}

// ---- products

// [..., m, k] and [..., k, n].
int64_t Product(const OpCall& call, const CallRule& at) {
  const Dims left = DimsOf(call, at.first), right = DimsOf(call, at.first + 1);
  if (left.size() < 2 || right.size() < 2 || left.back() != right[right.size() - 2]) return kNoInt;
  return ProductFlops(Times({ElementsOf(left.first(left.size() - 1)), right.back()}), left.back());
}

// A matrix or a vector, and a vector.
int64_t VectorProduct(const OpCall& call, const CallRule& at) {
  const Dims left = DimsOf(call, at.first), right = DimsOf(call, at.first + 1);
  if (left.empty() || right.size() != 1 || left.back() != right[0]) return kNoInt;
  return ProductFlops(ElementsOf(left.first(left.size() - 1)), left.back());
}

// [..., k] and weights [n, k].
int64_t Linear(const OpCall& call, const CallRule& at) {
  const Dims input = DimsOf(call, at.first), weights = DimsOf(call, at.first + 1);
  if (input.empty() || weights.size() != 2 || input.back() != weights[1]) return kNoInt;
  return ProductFlops(Times({ElementsOf(input.first(input.size() - 1)), weights[0]}), input.back());
}

// ---- convolutions

// Each element of `from` meets what the weights hold for one channel of their first dimension.
int64_t MeetsWeights(Dims from, Dims weights) {
  if (from.size() < 3 || weights.size() < 3) return kNoInt;
  return KernelFlops(ElementsOf(from), ElementsOf(weights.subspan(2)), weights[1]);
}

// The number by axis: one number counts for all axes. `absent`: it is not recorded; without an
// index the operation has none.
bool NumbersOf(const OpCall& call, int input, size_t axes, int64_t without,
               std::vector<int64_t>* numbers) {
  if (input < 0) {
    numbers->assign(axes, without);
    return true;
  }
  *numbers = ParseNumbers(ValueOf(call, input));
  if (numbers->size() == 1) numbers->assign(axes, numbers->front());
  return numbers->size() == axes;
}

int64_t TransposedConvolution(const OpCall& call, const CallRule& at) {
  return MeetsWeights(DimsOf(call, at.first), DimsOf(call, at.first + 1));
}

int64_t Convolution(const OpCall& call, const CallRule& at) {
  if (ValueOf(call, at.option) == "True") return TransposedConvolution(call, at);
  const Dims input = DimsOf(call, at.first), weights = DimsOf(call, at.first + 1);
  if (input.size() < 3 || input.size() != weights.size()) return kNoInt;
  const size_t axes = input.size() - 2;
  std::vector<int64_t> stride, padding, dilation;
  const bool all = NumbersOf(call, at.stride, axes, 1, &stride) &&
                   NumbersOf(call, at.padding, axes, 0, &padding) &&
                   NumbersOf(call, at.dilation, axes, 1, &dilation);
  if (!all) return kNoInt;
  std::vector<int64_t> output{input[0], weights[0]};
  for (size_t i = 0; i < axes; ++i) {
    bool clamped = false;
    const int64_t window =
        SaturatingAdd(SaturatingMul(dilation[i], weights[i + 2] - 1, &clamped), 1);
    const int64_t room = SaturatingAdd(input[i + 2], SaturatingMul(2, padding[i], &clamped));
    if (stride[i] < 1 || window < 1 || room < window) return kNoInt;
    output.push_back((room - window) / stride[i] + 1);
  }
  return MeetsWeights(output, weights);
}

// The gradient, the input, the weights; as much work as forward for each of the gradients of the
// input and of the weights that the mask selects.
int64_t ConvolutionBackward(const OpCall& call, const CallRule& at) {
  const bool transposed = ValueOf(call, at.option) == "True";
  const Dims from = DimsOf(call, transposed ? 1 : 0), weights = DimsOf(call, 2);
  std::string_view mask = ValueOf(call, 10);
  mask = mask.substr(0, mask.rfind(','));  // without that of the bias
  int64_t gradients = 0;
  for (size_t i = mask.find("True"); i != mask.npos; i = mask.find("True", i + 1)) ++gradients;
  if (mask.empty()) return kNoInt;
  return Times({gradients, MeetsWeights(from, weights)});
}

// ---- attention

// Queries [..., positions, depth], keys and values likewise, in three inputs. An option that is
// not recorded may be that of causal attention.
int64_t Attention(const OpCall& call, const CallRule& at) {
  const Dims queries = DimsOf(call, at.first), keys = DimsOf(call, at.first + 1);
  const Dims values = DimsOf(call, at.first + 2);
  const std::string_view causal = ValueOf(call, at.option);
  if (queries.size() < 3 || keys.size() < 3 || values.size() < 3 || causal.empty()) return kNoInt;
  return AttentionFlops({.batch = ElementsOf(queries.first(queries.size() - 2)),
                         .heads = 1,
                         .queries = queries[queries.size() - 2],
                         .keys = keys[keys.size() - 2],
                         .key_depth = queries.back(),
                         .value_depth = values.back(),
                         .causal = causal == "True"});
}

// Five products instead of two: the scores again, and the gradients of both and of the values.
int64_t AttentionBackward(const OpCall& call, const CallRule& at) {
  const int64_t forward = Attention(call, at);
  return forward == kNoInt ? kNoInt : Times({forward / 2, 5});
}

// aten/src/ATen/native/native_functions.yaml of pytorch.
constexpr CallRule kRules[] = {
    {"aten::mm", Product},
    {"aten::bmm", Product},
    {"aten::matmul", Product},
    {"aten::_scaled_mm", Product},
    {"aten::_int_mm", Product},
    {"aten::addmm", Product, 1},
    {"aten::_addmm_activation", Product, 1},
    {"aten::baddbmm", Product, 1},
    {"aten::addbmm", Product, 1},
    {"aten::mv", VectorProduct},
    {"aten::addmv", VectorProduct, 1},
    {"aten::dot", VectorProduct},
    {"aten::vdot", VectorProduct},
    {"aten::linear", Linear},
    {"mkldnn::_linear_pointwise", Linear},
    {"aten::conv1d", Convolution, 0, 3, 4, 5},
    {"aten::conv2d", Convolution, 0, 3, 4, 5},
    {"aten::conv3d", Convolution, 0, 3, 4, 5},
    {"aten::convolution", Convolution, 0, 3, 4, 5, 6},
    {"aten::_convolution", Convolution, 0, 3, 4, 5, 6},
    {"aten::cudnn_convolution", Convolution, 0, 3, 2, 4},
    {"aten::cudnn_convolution_relu", Convolution, 0, 3, 4, 5},
    {"aten::cudnn_convolution_add_relu", Convolution, 0, 5, 6, 7},
    {"aten::cudnn_convolution_transpose", TransposedConvolution},
    {"aten::miopen_convolution", Convolution, 0, 4, 3, 5},
    {"aten::miopen_depthwise_convolution", Convolution, 0, 4, 3, 5},
    {"aten::miopen_convolution_transpose", TransposedConvolution},
    {"aten::mkldnn_convolution", Convolution, 0, 4, 3, 5},
    {"aten::thnn_conv2d", Convolution, 0, 4, 5},
    {"aten::_slow_conv2d_forward", Convolution, 0, 4, 5},
    {"aten::slow_conv3d_forward", Convolution, 0, 4, 5},
    {"aten::_conv_depthwise2d", Convolution, 0, 4, 5, 6},
    {"aten::conv_depthwise3d", Convolution, 0, 4, 5, 6},
    {"aten::slow_conv_transpose2d", TransposedConvolution},
    {"aten::slow_conv_transpose3d", TransposedConvolution},
    {"aten::convolution_backward", ConvolutionBackward, 0, -1, -1, -1, 7},
    {"aten::scaled_dot_product_attention", Attention, 0, -1, -1, -1, 5},
    {"aten::_scaled_dot_product_flash_attention", Attention, 0, -1, -1, -1, 4},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", Attention, 0, -1, -1, -1, 4},
    {"aten::_scaled_dot_product_efficient_attention", Attention, 0, -1, -1, -1, 6},
    {"aten::_scaled_dot_product_cudnn_attention", Attention, 0, -1, -1, -1, 6},
    {"aten::_scaled_dot_product_flash_attention_backward", AttentionBackward, 1, -1, -1, -1, 11},
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", AttentionBackward, 1, -1, -1, -1,
     7},
    {"aten::_scaled_dot_product_efficient_attention_backward", AttentionBackward, 1, -1, -1, -1,
     11},
    {"aten::_scaled_dot_product_cudnn_attention_backward", AttentionBackward, 1, -1, -1, -1, 14},
};

const CallRule* RuleOf(std::string_view type) {
  const auto* const found = std::ranges::find(kRules, type, &CallRule::type);
  return found == std::end(kRules) ? nullptr : found;
}

}  // namespace
}  // namespace call_rule

bool HasCallRule(std::string_view type) { return call_rule::RuleOf(type) != nullptr; }

int64_t CallFlops(const OpCall& call) {
  const call_rule::CallRule* const rule = call_rule::RuleOf(call.type);
  return rule == nullptr || call.inputs.empty() ? kNoInt : rule->flops(call, *rule);
}

}  // namespace tfprof
