// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/rules.h"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof::rules_test {
namespace {

using Shape = std::vector<int64_t>;

// An operation with whole tensors and some attributes.
class Case {
 public:
  Case(std::string_view type, std::vector<Shape> inputs, Shape output)
      : type_(type), shapes_(std::move(inputs)), output_(std::move(output)) {}

  Case& Numbers(GraphKey key, std::initializer_list<int64_t> numbers) {
    graph_.attributes.push_back(
        {key,
         {static_cast<uint32_t>(graph_.numbers.size()), static_cast<uint32_t>(numbers.size())},
         {},
         {}});
    graph_.numbers.insert(graph_.numbers.end(), numbers);
    return *this;
  }
  Case& Texts(GraphKey key, std::initializer_list<std::string_view> texts) {
    graph_.attributes.push_back(
        {key,
         {},
         {static_cast<uint32_t>(graph_.texts.size()), static_cast<uint32_t>(texts.size())},
         {}});
    graph_.texts.insert(graph_.texts.end(), texts);
    return *this;
  }
  int64_t Flops() const {
    std::vector<KnownTensor> inputs;
    for (const Shape& shape : shapes_) inputs.push_back({true, false, shape, {}});
    const auto attributes = static_cast<uint32_t>(graph_.attributes.size());
    return FlopsOf({type_, graph_, {0, attributes}, inputs, {true, false, output_, {}}});
  }

 private:
  std::string_view type_;
  std::vector<Shape> shapes_;
  Shape output_;
  GraphOps graph_;
};

TEST_CASE("flop rules: products") {
  // 4 x 6 results, each of 5 multiply-adds.
  CHECK(Case("MatMul", {{4, 5}, {5, 6}}, {4, 6}).Flops() == 240);
  CHECK(Case("MatMul", {{5, 4}, {5, 6}}, {4, 6}).Numbers(GraphKey::transpose_a, {1}).Flops() ==
        240);
  CHECK(Case("BatchMatMulV2", {{3, 4, 5}, {3, 5, 6}}, {3, 4, 6}).Flops() == 720);
  CHECK(Case("BatchMatMulV3", {{3, 5, 4}, {3, 5, 6}}, {3, 4, 6})
            .Numbers(GraphKey::transpose_a, {1})
            .Flops() == 720);
  // Each of the 24 results also gets a bias and a maximum.
  CHECK(Case("_FusedMatMul", {{4, 5}, {5, 6}, {6}}, {4, 6})
            .Texts(GraphKey::fused, {"BiasAdd", "Relu"})
            .Flops() == 240 + 24 + 24);
  CHECK(Case("_MklFusedMatMul", {{4, 5}, {5, 6}, {6}}, {4, 6})
            .Texts(GraphKey::fused, {"BiasAdd"})
            .Flops() == 240 + 24);
  CHECK(Case("_FusedMatMul", {{4, 5}, {5, 6}}, {4, 6}).Texts(GraphKey::fused, {"X"}).Flops() ==
        kNoInt);
  CHECK(Case("_MklMatMul", {{4, 5}, {5, 6}}, {4, 6}).Flops() == 240);
  CHECK(Case("Cholesky", {{2, 6, 6}}, {2, 6, 6}).Flops() == 2 * 216 / 3);
  CHECK(Case("MatrixTriangularSolve", {{4, 4}, {4, 3}}, {4, 3}).Flops() == 48);
  CHECK(Case("FFT", {{2, 8}}, {2, 8}).Flops() == 5 * 16 * 3);
  CHECK(Case("RFFT", {{2, 8}, {1}}, {2, 5}).Flops() == 5 * 16 * 3 / 2);
}

TEST_CASE("flop rules: einsum") {
  const auto flops = [](std::string_view equation, std::vector<Shape> inputs, Shape output) {
    return Case("Einsum", std::move(inputs), std::move(output))
        .Texts(GraphKey::equation, {equation})
        .Flops();
  };
  CHECK(flops("ab,bc->ac", {{4, 5}, {5, 6}}, {4, 6}) == 240);
  // A head of attention: 2 batches, 3 heads, 7 queries, 8 keys, depth 5.
  CHECK(flops("bqhd,bkhd->bhqk", {{2, 7, 3, 5}, {2, 8, 3, 5}}, {2, 3, 7, 8}) ==
        2 * 2 * 3 * 7 * 8 * 5);
  CHECK(flops("a,b->ab", {{4}, {5}}, {4, 5}) == 20);  // no sum: a product each
  CHECK(flops("ab->a", {{4, 5}}, {4}) == 16);
  CHECK(flops("ab->ba", {{4, 5}}, {5, 4}) == 0);
  CHECK(flops("...ab,bc->...ac", {{7, 4, 5}, {5, 6}}, {7, 4, 6}) == 7 * 240);
  CHECK(flops("...ab,...bc->...ac", {{7, 4, 5}, {1, 5, 6}}, {7, 4, 6}) == 7 * 240);
  CHECK(flops("ab,bc->ac", {{4, 5, 6}, {5, 6}}, {4, 6}) == kNoInt);  // of other ranks
  CHECK(flops("ab,bc", {{4, 5}, {5, 6}}, {4, 6}) == kNoInt);
}

TEST_CASE("flop rules: convolutions and pools") {
  // 2 images of 8 x 8 x 3, 16 filters of 3 x 5.
  CHECK(Case("Conv2D", {{2, 8, 8, 3}, {3, 5, 3, 16}}, {2, 8, 8, 16}).Flops() ==
        2 * (2 * 8 * 8 * 16) * 3 * 5 * 3);
  CHECK(Case("Conv3D", {{1, 4, 4, 4, 3}, {2, 2, 2, 3, 5}}, {1, 4, 4, 4, 5}).Flops() ==
        2 * 320 * 8 * 3);
  CHECK(Case("DepthwiseConv2dNative", {{1, 8, 8, 3}, {3, 3, 3, 2}}, {1, 8, 8, 6}).Flops() ==
        2 * 384 * 9);
  CHECK(Case("Dilation2D", {{1, 8, 8, 3}, {3, 3, 3}}, {1, 8, 8, 3}).Flops() == 2 * 192 * 9);
  CHECK(Case("Conv2DBackpropInput", {{4}, {3, 3, 4, 8}, {1, 5, 5, 8}}, {1, 10, 10, 4})
            .Numbers(GraphKey::strides, {1, 2, 2, 1})
            .Flops() == 2 * 400 * 288 / (4 * 4));
  CHECK(Case("Conv2DBackpropInput", {{4}, {3, 3, 4, 8}, {1, 8, 5, 5}}, {1, 4, 10, 10})
            .Numbers(GraphKey::strides, {1, 1, 2, 2})
            .Texts(GraphKey::data_format, {"NCHW"})
            .Flops() == 2 * 400 * 288 / (4 * 4));
  CHECK(Case("Conv2DBackpropFilter", {{1, 10, 10, 4}, {4}, {1, 5, 5, 8}}, {3, 3, 4, 8})
            .Numbers(GraphKey::strides, {1, 2, 2, 1})
            .Flops() == 2 * 400 * 288 / (4 * 4));
  CHECK(Case("Conv2DBackpropFilter", {{1, 10, 10, 4}, {4}, {1, 5, 5, 8}}, {3, 3, 4, 8})
            .Numbers(GraphKey::strides, {1, 0, 2, 1})
            .Flops() == kNoInt);
  CHECK(Case("Conv3DBackpropInputV2", {{5}, {2, 2, 2, 3, 5}, {1, 4, 4, 4, 5}}, {1, 4, 4, 4, 3})
            .Flops() == 2 * 320 * 8 * 3);
  CHECK(Case("DepthwiseConv2dNativeBackpropFilter", {{1, 8, 8, 3}, {4}, {1, 8, 8, 6}}, {3, 3, 3, 2})
            .Flops() == 2 * 384 * 9);
  CHECK(Case("_FusedConv2D", {{2, 8, 8, 3}, {3, 5, 3, 16}, {16}}, {2, 8, 8, 16})
            .Texts(GraphKey::fused, {"FusedBatchNorm", "Relu"})
            .Flops() == 2 * 2048 * 45 + 2048 * 5);
  CHECK(Case("MaxPool", {{1, 8, 8, 3}}, {1, 4, 4, 3})
            .Numbers(GraphKey::window, {1, 2, 3, 1})
            .Flops() == 6 * 48);
  CHECK(Case("AvgPoolGrad", {{4}, {1, 4, 4, 3}}, {1, 8, 8, 3})
            .Numbers(GraphKey::window, {1, 2, 2, 1})
            .Flops() == 4 * 48 * 2);
  CHECK(Case("MaxPoolGrad", {{1, 8, 8, 3}, {1, 4, 4, 3}, {1, 4, 4, 3}}, {1, 8, 8, 3})
            .Numbers(GraphKey::window, {1, 2, 2, 1})
            .Flops() == 4 * 48 + 48);
}

TEST_CASE("flop rules: elements and reductions") {
  CHECK(Case("AddV2", {{4, 1}, {5}}, {4, 5}).Flops() == 20);
  CHECK(Case("SquaredDifference", {{4, 5}, {5}}, {4, 5}).Flops() == 40);
  CHECK(Case("Rsqrt", {{4, 5}}, {4, 5}).Flops() == 40);
  CHECK(Case("L2Loss", {{4, 5}}, {}).Flops() == 59);
  CHECK(Case("Softmax", {{4, 5}}, {4, 5}).Flops() == 100);
  CHECK(Case("Mean", {{4, 5}, {1}}, {4}).Flops() == 20);
  CHECK(Case("Sum", {{4, 5}, {1}}, {4}).Flops() == 16);
  CHECK(Case("Max", {{4, 5}, {1}}, {4}).Flops() == 16);
  CHECK(Case("Sum", {{0, 5}, {1}}, {5}).Flops() == 0);
  CHECK(Case("AddN", {{4, 5}, {4, 5}, {4, 5}}, {4, 5}).Flops() == 40);
  CHECK(Case("Sigmoid", {{4, 5}}, {4, 5}).Flops() == 80);
  CHECK(Case("RandomUniform", {{2}}, {4, 5}).Flops() == 20);
  CHECK(Case("StatelessRandomNormalV2", {{2}, {1}, {2}, {}}, {4, 5}).Flops() == 100);
  CHECK(Case("RandomUniformInt", {{2}, {}, {}}, {4, 5}).Flops() == 0);
  CHECK(Case("Reshape", {{4, 5}, {1}}, {20}).Flops() == 0);
  CHECK(Case("AssignAddVariableOp", {{}, {7}}, {}).Flops() == 7);
  CHECK(Case("ResourceApplyGradientDescent", {{}, {}, {7}}, {}).Flops() == 14);
  CHECK(Case("ResourceApplyAdam", {{}, {}, {}, {}, {}, {}, {}, {}, {}, {7}}, {}).Flops() == 84);
  CHECK(Case("SparseSoftmaxCrossEntropyWithLogits", {{4, 10}, {4}}, {4}).Flops() == 200 + 12);
  CHECK(Case("NoSuchType", {{4, 5}}, {4, 5}).Flops() == kNoInt);
}

TEST_CASE("flop rules: layers") {
  CHECK(Case("FusedBatchNormV3", {{2, 4, 4, 3}, {3}, {3}, {3}, {3}}, {2, 4, 4, 3})
            .Numbers(GraphKey::training, {0})
            .Flops() == 96 * 4);
  CHECK(Case("FusedBatchNormV3", {{2, 4, 4, 3}, {3}, {3}, {3}, {3}}, {2, 4, 4, 3}).Flops() ==
        96 * 8);
  // Batch 2, 3 inputs, 4 units: weights of 7 x 16.
  CHECK(Case("LSTMBlockCell", {{2, 3}, {2, 4}, {2, 4}, {7, 16}}, {2, 4}).Flops() ==
        2 * 2 * 7 * 16 + 23 * 2 * 4);
  CHECK(Case("BlockLSTM", {{}, {5, 2, 3}, {2, 4}, {2, 4}, {7, 16}}, {5, 2, 4}).Flops() ==
        5 * (2 * 2 * 7 * 16 + 23 * 2 * 4));
  CHECK(Case("GRUBlockCell", {{2, 3}, {2, 4}, {7, 8}, {7, 4}}, {2, 4}).Flops() ==
        2 * 2 * 7 * 12 + 17 * 2 * 4);
  // Two layers: 3 + 4 inputs, then 4 + 4; 4 gates.
  CHECK(
      Case("CudnnRNN", {{5, 2, 3}, {2, 2, 4}}, {5, 2, 4}).Texts(GraphKey::cell, {"lstm"}).Flops() ==
      2 * 5 * 2 * 4 * 4 * (7 + 8));
  // Two directions: each unit of the second layer reads both.
  CHECK(Case("CudnnRNNV3", {{5, 2, 3}, {4, 2, 4}}, {5, 2, 8})
            .Texts(GraphKey::cell, {"gru"})
            .Numbers(GraphKey::bidirectional, {1})
            .Flops() == 2 * 5 * 2 * 2 * 3 * 4 * (7 + 8 + 4));
}

TEST_CASE("flop rules: unknown and hostile sizes") {
  CHECK(Case("MatMul", {{-1, 5}, {5, 6}}, {-1, 6}).Flops() == kNoInt);
  CHECK(Case("MatMul", {{-1, 5}, {5, 6}}, {4, 6}).Flops() == 240);  // only the depth is needed
  constexpr int64_t kBig = int64_t{1} << 40;
  CHECK(Case("MatMul", {{kBig, kBig}, {kBig, kBig}}, {kBig, kBig}).Flops() == INT64_MAX);
  CHECK(Case("Sum", {{kBig, kBig}, {1}}, {}).Flops() == INT64_MAX - 1);
  CHECK(Case("Add", {{kBig, kBig, 0}, {1}}, {kBig, kBig, 0}).Flops() == 0);
  CHECK(Case("AddV2", {}, Shape(5000, 2)).Flops() == INT64_MAX);
  for (const FlopRule& rule : FlopRules()) {  // no inputs, no attributes
    INFO(rule.types);
    const std::string type(rule.types.substr(0, rule.types.find(' ')));
    CHECK(FindFlopRule(type) == &rule);
    CHECK(Case(type, {}, {3}).Flops() >= kNoInt);
  }
}

TEST_CASE("flop rules: attention") {
  AttentionSizes sizes{2, 3, 7, 8, 5, 6, false};
  CHECK(AttentionFlops(sizes) == 2 * (2 * 3 * 7 * 8) * (5 + 6));
  sizes.causal = true;
  CHECK(AttentionFlops(sizes) == (2 * 3 * 7 * 8) * (5 + 6));
  sizes.keys = -1;
  CHECK(AttentionFlops(sizes) == kNoInt);
}

}  // namespace
}  // namespace tfprof::rules_test
