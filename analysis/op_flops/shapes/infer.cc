// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/shapes/infer.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

#include "analysis/op_flops/rules.h"
#include "analysis/op_flops/shapes/infer_functions.h"

namespace tfprof {

// The table is in the namespace of the functions that it names.
namespace infer {
namespace {

struct ShapeRule {
  std::string_view types;  // separated by spaces
  KnownTensor (*infer)(const KnownOp& op, int32_t slot, NumberArena& arena);
};

constexpr ShapeRule kShapeRules[] = {
    {"Identity IdentityN Cast StopGradient PreventGradient Snapshot EnsureShape ReadVariableOp "
     "DisableCopyOnRead Switch RefSwitch Enter RefEnter Exit RefExit NextIteration "
     "RefNextIteration "
     "CheckNumerics PlaceholderWithDefault _Retval OptionalGetValue",
     Same},
    {"Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Digamma Elu Erf Erfc Erfinv Exp Expm1 "
     "Floor Gelu Inv IsFinite IsInf IsNan LeakyRelu Lgamma Log Log1p LogSoftmax LogicalNot Ndtri "
     "Neg Reciprocal Relu Relu6 Rint Round Rsqrt Selu Sigmoid Sign Sin Sinh Softmax Softplus "
     "Softsign Sqrt Square Tan Tanh ZerosLike OnesLike BiasAdd BiasAddV1 AddN AccumulateNV2 "
     "ClipByValue Cumsum Cumprod LRN Reverse ReverseV2 ReverseSequence Roll LayerNorm "
     "ReluGrad Relu6Grad LeakyReluGrad EluGrad SeluGrad SoftplusGrad SoftsignGrad SigmoidGrad "
     "TanhGrad SqrtGrad RsqrtGrad InvGrad ReciprocalGrad MaxPoolGrad MaxPoolGradV2 MaxPool3DGrad "
     "Conv3DBackpropInput TensorScatterUpdate TensorScatterAdd FFT IFFT FFT2D IFFT2D MatrixInverse "
     "Cholesky AssignAdd AssignSub ApplyGradientDescent ApplyMomentum ApplyAdam ApplyAdagrad "
     "ApplyRMSProp MatrixBandPart MatrixSetDiagV3",
     SameShape},
    {"Assign MatrixTriangularSolve Select", AsSecond},
    {"Add AddV2 Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Mod MulNoNan Maximum Minimum Pow "
     "Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd LogicalOr SquaredDifference "
     "Atan2 Xdivy Xlogy Xlog1py TruncateDiv TruncateMod NextAfter BitwiseAnd BitwiseOr SelectV2",
     Broadcast},
    {"Merge RefMerge", FirstKnown},
    {"Sum Mean Max Min Prod All Any EuclideanNorm", Reduced},
    {"ArgMax ArgMin", WithoutAxis},
    {"L2Loss", Scalar},
    {"BiasAddGrad", Channels},
    {"SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits", CrossEntropy},
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx FusedBatchNormGrad "
     "FusedBatchNormGradV2 FusedBatchNormGradV3",
     Normalized},
    {"Const", Constant},
    {"Placeholder PlaceholderV2 Variable VariableV2 AutoReloadVariable VarHandleOp "
     "TemporaryVariable IteratorGetNext",
     Declared},
    {"Fill RandomUniform RandomStandardNormal TruncatedNormal RandomUniformInt "
     "StatelessRandomUniformV2 StatelessRandomNormalV2 StatelessTruncatedNormalV2 "
     "StatelessTruncatedNormal ParameterizedTruncatedNormal StatelessRandomUniform "
     "StatelessRandomNormal Conv2DBackpropInput Conv3DBackpropInputV2 "
     "DepthwiseConv2dNativeBackpropInput AvgPoolGrad "
     "AvgPool3DGrad",
     Listed},
    {"BroadcastTo Conv2DBackpropFilter Conv3DBackpropFilterV2 DepthwiseConv2dNativeBackpropFilter "
     "StridedSliceGradV2",
     ListedSecond},
    {"Shape ShapeN VariableShape", ShapeOf},
    {"Size", SizeOf},
    {"Rank", RankOf},
    {"Range", RangeOf},
    {"Reshape", Reshaped},
    {"Transpose ConjugateTranspose", Transposed},
    {"ConcatV2", Joined},
    {"Concat", JoinedByFirst},
    {"Pack", Packed},
    {"Unpack", Unpacked},
    {"Split", SplitEvenly},
    {"SplitV", SplitBySizes},
    {"ExpandDims", Expanded},
    {"Squeeze", Squeezed},
    {"Slice", Sliced},
    {"StridedSlice", SlicedByStrides},
    {"StridedSliceGrad", Listed},
    {"Tile", Tiled},
    {"Pad PadV2 MirrorPad", Padded},
    {"Gather GatherV2 ResourceGather", Gathered},
    {"OneHot", OneHot},
    {"ResizeBilinear ResizeNearestNeighbor ResizeBicubic ResizeArea", Resized},
    {"TensorListReserve EmptyTensorList", ReservedList},
    {"TensorListFromTensor", SameShape},
    {"TensorListSetItem", ListWithItem},
    {"TensorListGetItem", ItemOfList},
    {"TensorListStack", StackedList},
    {"MatMul SparseMatMul BatchMatMul BatchMatMulV2 BatchMatMulV3 _FusedMatMul "
     "_FusedBatchMatMulV2",
     Product},
    {"Einsum XlaEinsum", SumOfProducts},
    {"Conv2D Conv3D Conv Dilation2D _FusedConv2D _FusedConv3D", Convolved},
    {"DepthwiseConv2dNative _FusedDepthwiseConv2dNative", ConvolvedByDepth},
    {"MaxPool AvgPool MaxPool3D AvgPool3D MaxPoolWithArgmax", Pooled},
};

}  // namespace
}  // namespace infer

namespace {

using ShapeRulesByType = std::unordered_map<std::string_view, const infer::ShapeRule*>;

ShapeRulesByType MakeShapeRules() {
  ShapeRulesByType rules;
  for (const infer::ShapeRule& rule : infer::kShapeRules) {
    EachType(rule.types, [&](std::string_view type) { rules.emplace(type, &rule); });
  }
  return rules;
}

const infer::ShapeRule* FindRule(std::string_view type) {
  static const ShapeRulesByType kByType = MakeShapeRules();
  const auto find = [](std::string_view of) {
    const auto found = kByType.find(of);
    return found == kByType.end() ? nullptr : found->second;
  };
  return FindByType(type, find);
}

}  // namespace

KnownTensor InferOutput(const KnownOp& op, int32_t slot, NumberArena& arena) {
  const infer::ShapeRule* const rule = FindRule(op.type);
  return rule == nullptr ? KnownTensor() : rule->infer(op, slot, arena);
}

KnownTensor WithRecorded(const KnownTensor& inferred, const KnownTensor& recorded,
                         NumberArena& arena) {
  if (!inferred.has_rank) return recorded;
  if (!recorded.has_rank) return inferred;
  // The handle of a variable that is not known is a scalar; what is read from it is not.
  if (recorded.dims.size() != inferred.dims.size()) {
    return inferred.dims.empty() ? recorded : inferred;
  }
  const bool complete = std::ranges::all_of(inferred.dims, [](int64_t dim) { return dim >= 0; });
  if (complete) return inferred;
  KnownTensor both = inferred;
  const std::span<int64_t> dims = arena.Copy(inferred.dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) dims[i] = recorded.dims[i];
  }
  both.dims = dims;
  return both;
}

KnownTensor ShapeAt(const KnownOp& op, GraphKey key, size_t number) {
  const OpAttribute* const found = op.Find(key);
  if (found == nullptr || number >= found->shapes.count) return {};
  const OpShape shape = op.graph.shapes[found->shapes.first + number];
  const bool known = shape.rank >= 0 && shape.rank <= static_cast<int32_t>(kMostAxes);
  if (!known) return {};
  const Dims dims = Dims(op.graph.numbers).subspan(shape.first, static_cast<size_t>(shape.rank));
  return {true, false, dims, {}};
}

}  // namespace tfprof
