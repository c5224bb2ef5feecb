// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/call_flops.h"

#include <catch2/catch.hpp>

namespace tfprof::call_flops_test {
namespace {

int64_t FlopsOf(std::string_view type, std::string_view shapes, std::string_view values = "") {
  const std::vector<CallInput> inputs = ParseInputs(shapes);
  const std::vector<std::string_view> texts = ParseValues(values);
  return CallFlops({type, inputs, texts});
}

}  // namespace

TEST_CASE("inputs are parsed as recorders write them") {
  const std::vector<CallInput> inputs = ParseInputs("[[64, 32], [], [[2], [3]]]");
  REQUIRE(inputs.size() == 3);
  CHECK(inputs[0].dims == std::vector<int64_t>{64, 32});
  CHECK(inputs[1].dims.empty());
  CHECK(inputs[2].dims.empty());
  CHECK(ParseInputs("[[1]").empty());
  CHECK(ParseInputs("[[-1]]").empty());
  CHECK(ParseValues(R"(["", "[1, 2]", "a\"b"])") ==
        std::vector<std::string_view>{"", "[1, 2]", "a\\\"b"});
  CHECK(ParseNumbers("[1, 2]") == std::vector<int64_t>{1, 2});
  CHECK(ParseNumbers("same").empty());
}

TEST_CASE("products of matrices: two for each multiply-add") {
  CHECK(FlopsOf("aten::mm", "[[64, 32], [32, 16]]") == 2 * 64 * 32 * 16);
  CHECK(FlopsOf("aten::bmm", "[[2, 3, 4], [2, 4, 5]]") == 2 * 2 * 3 * 4 * 5);
  CHECK(FlopsOf("aten::addmm", "[[5], [12, 4], [4, 5], [], []]") == 2 * 12 * 4 * 5);
  CHECK(FlopsOf("aten::baddbmm", "[[2, 3, 5], [2, 3, 4], [2, 4, 5]]") == 2 * 2 * 3 * 4 * 5);
  CHECK(FlopsOf("aten::mv", "[[4, 5], [5]]") == 2 * 4 * 5);
  CHECK(FlopsOf("aten::linear", "[[2, 6, 4], [5, 4], [5]]") == 2 * 12 * 4 * 5);
  CHECK(FlopsOf("aten::mm", "[[64, 32], [31, 16]]") == kNoInt);
  CHECK(FlopsOf("aten::mm", "") == kNoInt);
  CHECK(FlopsOf("aten::relu", "[[4]]") == kNoInt);
}

TEST_CASE("convolutions: the taps of the kernel that do not fall on padding") {
  // 8 positions per axis, the outer taps of 3 miss one of them: 22 * 22 taps of 3 * 4 channels.
  CHECK(FlopsOf("aten::convolution", "[[2, 3, 8, 8], [4, 3, 3, 3], [], [], [], [], [], [], []]",
                R"(["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"])") ==
        2 * 2 * 3 * 4 * 22 * 22);
  // Stride 2, padding 0, dilation 2: a window of 5, (9 - 5) / 2 + 1 = 3 positions.
  CHECK(FlopsOf("aten::cudnn_convolution", "[[1, 1, 9], [1, 1, 3]]",
                R"(["", "", "[0]", "[2]", "[2]", "1"])") == 2 * 3 * 3);
  // Two groups: each output channel meets one of the two input channels.
  CHECK(FlopsOf("aten::convolution", "[[1, 2, 4], [2, 1, 1]]",
                R"(["", "", "", "[1]", "[0]", "[1]", "False", "[0]", "2"])") == 2 * 8);
  // Transposed: each of 3 elements of 2 channels meets 5 channels of 3.
  CHECK(FlopsOf("aten::convolution", "[[1, 2, 3], [2, 5, 3]]",
                R"(["", "", "", "[1]", "[0]", "[1]", "True", "[0]", "1"])") == 2 * 3 * 2 * 5 * 3);
  // Its padding cuts the first and the last of the output: 7 taps of 9 remain. With one more
  // element at the end, 8.
  CHECK(FlopsOf("aten::convolution", "[[1, 2, 3], [2, 5, 3]]",
                R"(["", "", "", "[1]", "[1]", "[1]", "True", "[0]", "1"])") == 2 * 2 * 5 * 7);
  CHECK(FlopsOf("aten::cudnn_convolution_transpose", "[[1, 2, 3], [2, 5, 3]]",
                R"(["", "", "[1]", "[1]", "[1]", "[1]", "1"])") == 2 * 2 * 5 * 8);
  CHECK(FlopsOf("aten::convolution", "[[1, 2, 4], [2, 1, 1]]") == kNoInt);
  CHECK(FlopsOf("aten::convolution", "[[1, 1, 9223372036854775807], [1, 1, 3]]",
                R"(["", "", "", "[1]", "[1]", "[1]", "False", "[0]", "1"])") == kNoInt);
  CHECK(FlopsOf("aten::convolution", "[[1, 1, 2], [1, 1, 3]]",
                R"(["", "", "", "[1]", "[0]", "[1]", "False", "[0]", "1"])") == kNoInt);
}

TEST_CASE("gradients of a convolution cost as much as it, each") {
  const std::string_view shapes = "[[2, 4, 8, 8], [2, 3, 8, 8], [4, 3, 3, 3]]";
  const std::string before = R"(["", "", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "", "1", )";
  const int64_t forward = 2 * 2 * 3 * 4 * 22 * 22;
  CHECK(FlopsOf("aten::convolution_backward", shapes, before + R"("[True, True, True]"])") ==
        2 * forward);
  CHECK(FlopsOf("aten::convolution_backward", shapes, before + R"("[False, True, True]"])") ==
        forward);
}

TEST_CASE("attention: two products forward, five backward, half if it is causal") {
  const std::string_view shapes = "[[2, 4, 16, 8], [2, 4, 32, 8], [2, 4, 32, 6]]";
  const int64_t pairs = 2 * 4 * 16 * 32;
  CHECK(FlopsOf("aten::scaled_dot_product_attention", shapes,
                R"(["", "", "", "", "0.", "False"])") == 2 * pairs * (8 + 6));
  CHECK(FlopsOf("aten::scaled_dot_product_attention", shapes,
                R"(["", "", "", "", "0.", "True"])") == pairs * (8 + 6));
  CHECK(FlopsOf("aten::_scaled_dot_product_flash_attention_for_cpu_backward",
                "[[2, 4, 16, 8], [2, 4, 16, 8], [2, 4, 32, 8], [2, 4, 32, 8]]",
                R"(["", "", "", "", "", "", "0.", "False"])") == 5 * pairs * 2 * 8);
  CHECK(FlopsOf("aten::scaled_dot_product_attention", shapes) == kNoInt);
}

}  // namespace tfprof::call_flops_test
