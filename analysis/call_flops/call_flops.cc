// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/call_flops.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "analysis/flops/shapes.h"
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
  int more = -1;    // the output's padding, if transposed; which gradients are computed
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

constexpr int64_t kMaxSize = int64_t{1} << 30;  // products of two are in range

// One axis of a convolution: the kernel meets the larger side at every position of the smaller
// one, which is the input of a transposed convolution and the output of others.
struct Axis {
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t kernel = 0;
  int64_t larger = 0;
  int64_t smaller = 0;

  bool IsValid() const {
    for (const int64_t number : {stride, dilation, kernel}) {
      if (number < 1 || number > kMaxSize) return false;
    }
    return padding >= 0 && padding <= kMaxSize;
  }
  int64_t Span() const { return dilation * (kernel - 1) + 1; }
  void SetLarger(int64_t size) {
    larger = size;
    const int64_t room = size + 2 * padding - Span();
    smaller = room < 0 ? -1 : room / stride + 1;
  }
  void SetSmaller(int64_t size, int64_t more) {
    smaller = size;
    larger = (size - 1) * stride + Span() + more - 2 * padding;
  }
  int64_t TapsOnData() const {
    if (larger < 0 || smaller < 0) return kNoInt;
    WindowDimension window;
    window.stride = stride;
    window.padding_low = padding;
    window.window_dilation = dilation;
    const double taps = ValidPositions(window, larger, kernel, smaller);
    return taps < 0x1p62 ? static_cast<int64_t>(taps) : kNoInt;
  }
};

// The numbers of an input by axis: one number counts for all axes. An operation without such an
// input (-1) has `otherwise`. Returns false if they are not recorded.
bool NumbersOf(const OpCall& call, int input, int64_t otherwise, std::vector<Axis>* axes,
               int64_t Axis::*member) {
  const std::vector<int64_t> numbers =
      input < 0 ? std::vector<int64_t>{otherwise} : ParseNumbers(ValueOf(call, input));
  if (numbers.size() != 1 && numbers.size() != axes->size()) return false;
  for (size_t i = 0; i < axes->size(); ++i) {
    (*axes)[i].*member = numbers[numbers.size() == 1 ? 0 : i];
  }
  return true;
}

// The axes of a convolution with these weights, without the sizes of its sides. Empty: unknown.
std::vector<Axis> AxesOf(const OpCall& call, const CallRule& at, Dims weights) {
  if (weights.size() < 3) return {};
  std::vector<Axis> axes(weights.size() - 2);
  for (size_t i = 0; i < axes.size(); ++i) axes[i].kernel = weights[i + 2];
  const bool all = NumbersOf(call, at.stride, 1, &axes, &Axis::stride) &&
                   NumbersOf(call, at.padding, 0, &axes, &Axis::padding) &&
                   NumbersOf(call, at.dilation, 1, &axes, &Axis::dilation);
  return all && std::ranges::all_of(axes, &Axis::IsValid) ? axes : std::vector<Axis>();
}

// Each tap multiplies all channels of the weights' first two dimensions, for each image.
int64_t FlopsOfTaps(const std::vector<Axis>& axes, int64_t images, Dims weights) {
  int64_t taps = 1;
  for (const Axis& axis : axes) taps = Times({taps, axis.TapsOnData()});
  return Times({2, images, weights[0], weights[1], taps});
}

int64_t ConvolutionOf(const OpCall& call, const CallRule& at, bool transposed) {
  const Dims input = DimsOf(call, at.first), weights = DimsOf(call, at.first + 1);
  std::vector<Axis> axes = AxesOf(call, at, weights);
  std::vector<Axis> more(axes.size());  // the output's padding
  if (axes.empty() || input.size() != weights.size()) return kNoInt;
  if (transposed && !NumbersOf(call, at.more, 0, &more, &Axis::padding)) return kNoInt;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t size = input[i + 2];
    if (size > kMaxSize || more[i].padding > kMaxSize) return kNoInt;
    transposed ? axes[i].SetSmaller(size, more[i].padding) : axes[i].SetLarger(size);
  }
  return FlopsOfTaps(axes, input[0], weights);
}

int64_t TransposedConvolution(const OpCall& call, const CallRule& at) {
  return ConvolutionOf(call, at, true);
}

int64_t Convolution(const OpCall& call, const CallRule& at) {
  return ConvolutionOf(call, at, ValueOf(call, at.option) == "True");
}

// The gradient, the input, the weights; as much work as forward for each of the gradients of the
// input and of the weights that the mask selects.
int64_t ConvolutionBackward(const OpCall& call, const CallRule& at) {
  const bool transposed = ValueOf(call, at.option) == "True";
  const Dims larger = DimsOf(call, transposed ? 0 : 1), smaller = DimsOf(call, transposed ? 1 : 0);
  const Dims weights = DimsOf(call, 2);
  std::string_view mask = ValueOf(call, at.more);
  mask = mask.substr(0, mask.rfind(','));  // without that of the bias
  int64_t gradients = 0;
  for (size_t i = mask.find("True"); i != mask.npos; i = mask.find("True", i + 1)) ++gradients;
  std::vector<Axis> axes = AxesOf(call, at, weights);
  if (mask.empty() || axes.empty()) return kNoInt;
  if (larger.size() != weights.size() || smaller.size() != weights.size()) return kNoInt;
  for (size_t i = 0; i < axes.size(); ++i) {
    axes[i].larger = larger[i + 2];
    axes[i].smaller = smaller[i + 2];
  }
  return Times({gradients, FlopsOfTaps(axes, smaller[0], weights)});
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
    {"aten::convolution", Convolution, 0, 3, 4, 5, 6, 7},
    {"aten::_convolution", Convolution, 0, 3, 4, 5, 6, 7},
    {"aten::cudnn_convolution", Convolution, 0, 3, 2, 4},
    {"aten::cudnn_convolution_relu", Convolution, 0, 3, 4, 5},
    {"aten::cudnn_convolution_add_relu", Convolution, 0, 5, 6, 7},
    {"aten::cudnn_convolution_transpose", TransposedConvolution, 0, 4, 2, 5, -1, 3},
    {"aten::miopen_convolution", Convolution, 0, 4, 3, 5},
    {"aten::miopen_depthwise_convolution", Convolution, 0, 4, 3, 5},
    {"aten::miopen_convolution_transpose", TransposedConvolution, 0, 5, 3, 6, -1, 4},
    {"aten::mkldnn_convolution", Convolution, 0, 4, 3, 5},
    {"aten::thnn_conv2d", Convolution, 0, 4, 5},
    {"aten::_slow_conv2d_forward", Convolution, 0, 4, 5},
    {"aten::slow_conv3d_forward", Convolution, 0, 4, 5},
    {"aten::_conv_depthwise2d", Convolution, 0, 4, 5, 6},
    {"aten::conv_depthwise3d", Convolution, 0, 4, 5, 6},
    {"aten::slow_conv_transpose2d", TransposedConvolution, 0, 4, 5, 7, -1, 6},
    {"aten::slow_conv_transpose3d", TransposedConvolution, 0, 4, 5, 7, -1, 6},
    {"aten::convolution_backward", ConvolutionBackward, 0, 4, 5, 6, 7, 10},
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
