// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/rules.h"

#include <string>
#include <unordered_map>

#include "analysis/op_flops/fused.h"
#include "analysis/op_flops/rule_functions.h"

namespace tfprof {

// The table is in the namespace of the functions that it names.
namespace flop_rule {
namespace {

constexpr RuleSource kTf = RuleSource::tensorflow;

// clang-format off
constexpr FlopRule kRules[] = {
    // ---- what TensorFlow registers
    {"Reciprocal Square Log Neg AssignSub AssignAdd", PerInput, 1, "in", kTf},
    {"Rsqrt", PerInput, 2, "2 in", kTf},
    {"L2Loss", SquaredSum, 0, "3 in - 1", kTf},
    {"Softmax", PerInput, 5, "5 in: maximum, difference, exponential, sum, quotient", kTf},
    {"Add AddV2 Sub Mul RealDiv Maximum Minimum Pow GreaterEqual Greater LessEqual Less Equal "
     "NotEqual", PerOutput, 1, "out", kTf},
    {"SquaredDifference", PerOutput, 2, "2 out", kTf},
    {"RsqrtGrad", PerOutput, 4, "4 out", kTf},
    {"Mean", Reduction, 0, "in", kTf},
    {"Sum ArgMax ArgMin BiasAddGrad", Reduction, -1, "in - out", kTf},
    {"AvgPool MaxPool", Pool, 1, "window out", kTf},
    {"AvgPoolGrad", PoolGradient, 2, "2 window in2", kTf},
    {"MaxPoolGrad", MaxPoolGradient, 1, "(window + 1) in2", kTf},
    {"Conv2D Conv3D", Convolution, 0, "2 out kernel channels of an input group", kTf},
    {"DepthwiseConv2dNative", DepthwiseConvolution, 2, "2 out kernel", kTf},
    {"Dilation2D", DepthwiseConvolution, 1, "2 out kernel", kTf},
    {"Conv2DBackpropInput", ConvolutionInputGradient, 0,
     "2 out filter / (channels of the image, stride)", kTf},
    {"Conv2DBackpropFilter", ConvolutionFilterGradient, 0,
     "2 in filter / (channels of the image, stride)", kTf},
    {"BiasAdd", PerInput, 1, "in", kTf},
    {"AddN", SumOfInputs, 0, "in (inputs - 1)", kTf},
    {"MatMul BatchMatMul BatchMatMulV2 BatchMatMulV3", MatrixProduct, 0,
     "2 out columns of the first operand", kTf},

    // ---- products and convolutions
    {"SparseMatMul", MatrixProduct, 0, "2 out columns of the first operand, as if dense"},
    {"_FusedMatMul _FusedBatchMatMulV2", FusedMatrixProduct, 0,
     "the product, then each fused operation"},
    {"Einsum XlaEinsum", Einsum, 0, "2 per combination of all indices; without a sum 1; a sum of "
     "one operand: in - out"},
    {"_FusedConv2D _FusedConv3D", FusedConvolution, 0, "the convolution, then each fused operation"},
    {"_FusedDepthwiseConv2dNative", FusedDepthwiseConvolution, 2,
     "the convolution, then each fused operation"},
    {"Conv", Convolution, 0, "2 out kernel channels of an input group"},
    {"DepthwiseConv2dNativeBackpropInput", DepthwiseGradient, 1, "2 in3 kernel"},
    {"DepthwiseConv2dNativeBackpropFilter", DepthwiseGradient, 9, "2 in3 kernel"},
    {"Conv3DBackpropInput Conv3DBackpropInputV2", Convolution3dInputGradient, 0,
     "2 in3 kernel channels of an input group"},
    {"Conv3DBackpropFilter Conv3DBackpropFilterV2", Convolution3dFilterGradient, 0,
     "2 in3 kernel channels of an input group"},
    {"MatrixTriangularSolve", TriangularSolve, 0, "rows in2"},
    {"Cholesky", Cube, 1, "matrices rows^3 / 3"},
    {"MatrixInverse", Cube, 6, "2 matrices rows^3"},
    {"MatrixDeterminant LogMatrixDeterminant", Cube, 2, "2/3 matrices rows^3"},
    {"FFT IFFT", Fourier, 11, "5 out log2(last dimension)"},
    {"FFT2D IFFT2D", Fourier, 21, "5 out log2(last two dimensions)"},
    {"FFT3D IFFT3D", Fourier, 31, "5 out log2(last three dimensions)"},
    {"RFFT IRFFT", Fourier, 12, "2.5 reals log2(last dimension)"},
    {"RFFT2D IRFFT2D", Fourier, 22, "2.5 reals log2(last two dimensions)"},
    {"RFFT3D IRFFT3D", Fourier, 32, "2.5 reals log2(last three dimensions)"},

    // ---- layers
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx", BatchNorm, 84,
     "inference 4 in; training 8 in: mean, variance 3, scale and shift 4"},
    {"FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 _FusedBatchNormGradEx",
     BatchNorm, 99, "9 in: normalize 2, gradients of scale and shift 3, of the input 4"},
    {"LayerNorm", PerInput, 8, "8 in: mean, variance 3, scale and shift 4"},
    {"LogSoftmax", PerInput, 5, "5 in"},
    {"SoftmaxCrossEntropyWithLogits", PerInput, 9, "9 in: softmax 5, loss 2, gradient 2"},
    {"SparseSoftmaxCrossEntropyWithLogits", SparseCrossEntropy, 0, "5 in + 3 rows"},
    {"LSTMBlockCell", LstmCell, 0, "2 batch weights + 23 batch units"},
    {"BlockLSTM BlockLSTMV2", LstmBlock, 1, "steps (2 batch weights + 23 batch units)"},
    {"BlockLSTMGrad BlockLSTMGradV2", LstmBlock, 2, "twice the forward"},
    {"GRUBlockCell", GruCell, 0, "2 batch weights + 17 batch units"},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3", CudnnRnn, 1, "the products with its weights: 2 steps batch "
     "directions gates units (inputs + units), further layers (directions + 1) units"},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3", CudnnRnn, 2, "twice the forward"},

    // ---- elements
    {"Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Digamma Erf Erfc Erfinv Exp Expm1 Floor "
     "Inv IsFinite IsInf IsNan Lgamma Log1p Ndtri Relu Rint Round Sign Sin Sinh Sqrt Tan Tanh",
     PerInput, 1, "in; an elementary function counts as 1"},
    {"Relu6 Elu LeakyRelu ClipByValue", PerInput, 2, "2 in"},
    {"Selu Softplus Softsign", PerInput, 3, "3 in"},
    {"Sigmoid", PerInput, 4, "4 in: negation, exponential, sum, reciprocal"},
    {"_FusedGelu Gelu", PerInput, 5, "5 in"},
    {"ReluGrad Relu6Grad LeakyReluGrad", PerOutput, 1, "out"},
    {"SqrtGrad EluGrad SeluGrad", PerOutput, 2, "2 out"},
    {"SigmoidGrad TanhGrad InvGrad ReciprocalGrad SoftplusGrad SoftsignGrad", PerOutput, 3, "3 out"},
    {"Atan2 Div DivNoNan FloorDiv FloorMod Mod MulNoNan TruncateDiv TruncateMod ApproximateEqual "
     "NextAfter", PerOutput, 1, "out"},
    {"Xdivy Xlogy Xlog1py", PerOutput, 2, "2 out"},
    {"AccumulateNV2", SumOfInputs, 0, "in (inputs - 1)"},
    {"BiasAddV1", PerInput, 1, "in"},
    {"AssignAddVariableOp AssignSubVariableOp", Scatter, 1, "in2"},
    {"LinSpace", PerOutput, 2, "2 out"},
    {"RandomUniform StatelessRandomUniform StatelessRandomUniformV2", PerOutput, 1,
     "out: from bits to [0, 1)"},
    {"RandomStandardNormal TruncatedNormal StatelessRandomNormal StatelessRandomNormalV2 "
     "StatelessTruncatedNormal StatelessTruncatedNormalV2 ParameterizedTruncatedNormal",
     PerOutput, 5, "5 out: two uniform numbers make two by logarithm, root, sine and cosine"},
    {"ResizeBilinear", PerOutput, 9, "9 out: three interpolations of 3"},
    {"CropAndResize", PerOutput, 9, "9 out: three interpolations of 3"},

    // ---- reductions, pools, scatters
    {"Max Min Prod", Reduction, -1, "in - out"},
    {"Cumsum Cumprod", PerInput, 1, "in"},
    {"EuclideanNorm", PerInput, 2, "2 in"},
    {"SegmentSum SegmentMax SegmentMin SegmentProd SegmentMean UnsortedSegmentSum "
     "UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd", PerInput, 1, "in"},
    {"SparseTensorDenseAdd TensorScatterAdd TensorScatterSub ScatterAdd ScatterSub ScatterMul "
     "ScatterDiv ScatterNdAdd ScatterNdSub ResourceScatterAdd ResourceScatterSub "
     "ResourceScatterMul ResourceScatterDiv ResourceScatterNdAdd", Scatter, 2, "in3"},
    {"AvgPool3D MaxPool3D MaxPoolWithArgmax", Pool, 1, "window out"},
    {"MaxPoolV2", PoolWithWindow, 1, "window out"},
    {"AvgPool3DGrad", PoolGradient, 2, "2 window in2"},
    {"MaxPool3DGrad", MaxPoolGradient, 1, "(window + 1) in2"},

    // ---- training
    {"ApplyGradientDescent ResourceApplyGradientDescent", PerLaterInput, 202, "2 in3"},
    {"ApplyMomentum ResourceApplyMomentum ResourceApplyKerasMomentum", PerLaterInput, 304, "4 in4"},
    {"ApplyAdagrad ResourceApplyAdagrad", PerLaterInput, 306, "6 in4"},
    {"ApplyAdagradV2 ResourceApplyAdagradV2", PerLaterInput, 406, "6 in5"},
    {"ApplyRMSProp ResourceApplyRMSProp", PerLaterInput, 711, "11 in8"},
    {"ApplyCenteredRMSProp ResourceApplyCenteredRMSProp", PerLaterInput, 816, "16 in9"},
    {"ApplyAdam ResourceApplyAdam", PerLaterInput, 912, "12 in10: moments 3 and 4, update 5"},
    {"ResourceApplyAdamWithAmsgrad", PerLaterInput, 1013, "13 in11"},

    // ---- no arithmetic on floating-point numbers
    {"Const Placeholder PlaceholderV2 PlaceholderWithDefault Identity IdentityN NoOp Reshape "
     "Squeeze ExpandDims Shape ShapeN Size Rank Transpose ConjugateTranspose Concat ConcatV2 Split "
     "SplitV Slice StridedSlice StridedSliceGrad Pack Unpack ParallelConcat Tile Pad PadV2 "
     "MirrorPad Gather GatherV2 GatherNd ResourceGather ResourceGatherNd Fill ZerosLike OnesLike "
     "Range Cast Bitcast StopGradient PreventGradient EnsureShape Snapshot DeepCopy OneHot Reverse "
     "ReverseV2 ReverseSequence Roll BroadcastTo BroadcastArgs BroadcastGradientArgs "
     "InvertPermutation ConcatOffset Diag DiagPart MatrixDiag MatrixDiagV2 MatrixDiagV3 "
     "MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3 MatrixSetDiag MatrixSetDiagV3 "
     "MatrixBandPart DepthToSpace SpaceToDepth SpaceToBatch SpaceToBatchND BatchToSpace "
     "BatchToSpaceND ExtractImagePatches ResizeNearestNeighbor DynamicStitch DynamicPartition "
     "Select SelectV2 Where LogicalAnd LogicalOr LogicalNot All Any TensorScatterUpdate "
     "ScatterUpdate ResourceScatterUpdate", Nothing, 0, "0: moves elements, or compares truth values"},
    {"Variable VariableV2 VarHandleOp AutoReloadVariable TemporaryVariable "
     "DestroyTemporaryVariable Assign AssignVariableOp ReadVariableOp DisableCopyOnRead "
     "VarIsInitializedOp VariableShape IsVariableInitialized SaveV2 RestoreV2 MergeV2Checkpoints "
     "ShardedFilename StringJoin StaticRegexFullMatch StringFormat HashTableV2 "
     "LookupTableFindV2 LookupTableImportV2 LookupTableSizeV2", Nothing, 0,
     "0: variables, files and tables"},
    {"RandomUniformInt StatelessRandomUniformInt StatelessRandomUniformIntV2 RandomShuffle "
     "StatelessRandomGetKeyCounter StatelessRandomGetAlg RngReadAndSkip", Nothing, 0,
     "0: whole numbers of generators"},
    {"Switch Merge Enter Exit NextIteration LoopCond RefSwitch RefMerge RefEnter RefExit "
     "RefNextIteration ControlTrigger Assert Print PrintV2 CheckNumerics _Arg _Retval _Send _Recv "
     "_HostSend _HostRecv FakeParam TensorListFromTensor TensorListGetItem TensorListReserve "
     "TensorListSetItem TensorListStack TensorListElementShape TensorListLength "
     "TensorListPushBack TensorListPopBack EmptyTensorList StackV2 StackPushV2 StackPopV2 "
     "TensorArrayV3 TensorArrayReadV3 TensorArrayWriteV3 TensorArrayScatterV3 "
     "TensorArrayGatherV3 TensorArraySizeV3 TensorArrayGradV3 TensorArrayCloseV3 IteratorV2 "
     "IteratorGetNext IteratorGetNextAsOptional OptionalGetValue OptionalHasValue "
     "AnonymousIteratorV3 MakeIterator DeleteIterator QueueDequeueV2 QueueEnqueueV2 "
     "QueueDequeueManyV2 FIFOQueueV2", Nothing, 0, "0: control flow, lists and queues"},
};
// clang-format on

}  // namespace
}  // namespace flop_rule

namespace {

using FlopRulesByType = std::unordered_map<std::string_view, const FlopRule*>;

FlopRulesByType MakeFlopRules() {
  FlopRulesByType rules;
  for (const FlopRule& rule : flop_rule::kRules) {
    EachType(rule.types, [&](std::string_view type) { rules.emplace(type, &rule); });
  }
  return rules;
}

}  // namespace

std::span<const FlopRule> FlopRules() { return flop_rule::kRules; }

const FlopRule* FindFlopRule(std::string_view type) {
  static const FlopRulesByType kByType = MakeFlopRules();
  const auto find = [](std::string_view of) {
    const auto found = kByType.find(of);
    return found == kByType.end() ? nullptr : found->second;
  };
  return FindByType(type, find);
}

int64_t FlopsOf(const KnownOp& op) {
  const FlopRule* const rule = FindFlopRule(op.type);
  return rule == nullptr ? kNoInt : rule->flops(op, rule->factor);
}

int64_t FusedFlops(const KnownOp& op) {
  const OpAttribute* const fused = op.Find(GraphKey::fused);
  int64_t per_output = 0;
  const Range names = fused == nullptr ? Range() : fused->texts;
  for (const uint32_t at : names) {
    const FlopRule* const rule = FindFlopRule(op.graph.texts[at]);
    if (op.graph.texts[at] == "FusedBatchNorm") {
      per_output += 4;
    } else if (rule != nullptr &&
               (rule->flops == flop_rule::PerInput || rule->flops == flop_rule::PerOutput)) {
      per_output += rule->factor;
    } else if (op.graph.texts[at].starts_with("Gelu")) {
      per_output += FindFlopRule("Gelu")->factor;
    } else {
      return kNoInt;
    }
  }
  return Times({op.output.Elements(), per_output});
}

}  // namespace tfprof
