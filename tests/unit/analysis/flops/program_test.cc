// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/program.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/flops/fusion.h"
#include "tests/support/program_of.h"

namespace tfprof::program_test {
namespace {

Cost CostOf(const ProgramWriter& writer, uint32_t instruction) {
  return ProgramCost(writer.program, LibraryCalls::by_shape).Of(instruction);
}

}  // namespace

TEST_CASE("an elementwise operation costs its cycles per element and moves all elements") {
  ProgramWriter writer;
  writer.Computation();
  const uint32_t x = writer.Add("parameter", {16, 10});
  const uint32_t add = writer.Add("add", {16, 10}, {x, x});
  const uint32_t tanh = writer.Add("tanh", {16, 10}, {add});
  REQUIRE(CostOf(writer, add).flops == 3 * 160);
  REQUIRE(CostOf(writer, add).bytes == 3 * 640);
  REQUIRE(CostOf(writer, tanh).flops == 190 * 160);
  REQUIRE(CostOf(writer, x).bytes == 0);
}

TEST_CASE("a matrix product costs two FLOPs per summed element; narrow types count less") {
  ProgramWriter writer;
  writer.Computation();
  const uint32_t a = writer.Add("parameter", {8, 32}, {}, static_cast<ElementType>(2));  // s8
  const uint32_t b = writer.Add("parameter", {32, 4}, {}, static_cast<ElementType>(2));
  const uint32_t dot = writer.Add("dot", {8, 4}, {a, b});
  writer.program.instructions[dot].dot = 0;
  writer.program.dots.push_back({writer.Numbers({1}), writer.Numbers({0}), {}, {}});
  REQUIRE(CostOf(writer, dot).flops == 2 * 8 * 4 * 32);
  REQUIRE(CostOf(writer, dot).device_flops == 8 * 4 * 32);
  REQUIRE(CostOf(writer, dot).bytes == 8 * 32 + 32 * 4 + 8 * 4 * 4);
  writer.program.numbers[writer.program.dots[0].lhs_contracting.first] = 7;  // it has no such one
  REQUIRE(std::isnan(CostOf(writer, dot).flops));
}

TEST_CASE("window positions of a convolution in the padding cost nothing") {
  ProgramWriter writer;
  writer.Computation();
  const uint32_t image = writer.Add("parameter", {1, 3, 5});
  const uint32_t kernel = writer.Add("parameter", {7, 3, 3});
  const uint32_t made = writer.Add("convolution", {1, 7, 5}, {image, kernel});
  Instruction& of = writer.program.instructions[made];
  of.window = {0, 1};
  writer.program.windows.push_back({3, 1, 1, 1, 1, 1, false});
  of.convolution = 0;
  ConvolutionDimensions dims;
  dims.input_feature = dims.output_feature = dims.kernel_input_feature = 1;
  dims.input_spatial = dims.kernel_spatial = dims.output_spatial = writer.Numbers({2});
  writer.program.convolutions.push_back(dims);
  REQUIRE(CostOf(writer, made).flops == 2 * (3 * 5 - 2) * 3 * 7);
}

TEST_CASE("a filter of a grouped convolution reads only the features of its group") {
  ProgramWriter writer;
  writer.Computation();
  const uint32_t image = writer.Add("parameter", {1, 6, 5});
  const uint32_t kernel = writer.Add("parameter", {4, 3, 1});
  const uint32_t made = writer.Add("convolution", {1, 4, 5}, {image, kernel});
  Instruction& of = writer.program.instructions[made];
  of.window = {0, 1};
  of.feature_groups = 2;
  writer.program.windows.push_back({1, 1, 0, 0, 1, 1, false});
  of.convolution = 0;
  ConvolutionDimensions dims;
  dims.input_feature = dims.output_feature = dims.kernel_input_feature = 1;
  dims.input_spatial = dims.kernel_spatial = dims.output_spatial = writer.Numbers({2});
  writer.program.convolutions.push_back(dims);
  REQUIRE(CostOf(writer, made).flops == 2 * 5 * 4 * (6 / 2));
}

TEST_CASE("a fusion costs the needed share of its parts and moves its parameters and its result") {
  ProgramWriter writer;
  const uint32_t maximum = writer.Computation();
  const uint32_t left = writer.Add("parameter", {});
  const uint32_t right = writer.Add("parameter", {});
  writer.Add("maximum", {}, {left, right});
  const uint32_t fused = writer.Computation();
  const uint32_t x = writer.Add("parameter", {4, 100}, {}, ElementType::bf16);
  const uint32_t unused = writer.Add("parameter", {1000});
  writer.Add("exponential", {1000}, {unused});
  const uint32_t slice = writer.Add("slice", {4, 50}, {x}, ElementType::bf16);
  const uint32_t convert = writer.Add("convert", {4, 50}, {slice});
  const uint32_t start = writer.Add("parameter", {}, {}, ElementType::bf16);
  const uint32_t start32 = writer.Add("convert", {}, {start});
  writer.Add("reduce", {4}, {convert, start32}, ElementType::f32, {maximum});
  writer.Computation();
  const uint32_t fusion = writer.Add("fusion", {4}, {}, ElementType::f32, {fused});

  const Cost cost = CostOf(writer, fusion);
  // The reduction, the conversion of what it reduces, and of its start for every result.
  REQUIRE(cost.flops == 3 * (200 - 4) + 3 * 200 + 3 * 4);
  // Half of x, the start and the result.
  REQUIRE(cost.bytes == 400 + 2 + 16);
}

TEST_CASE("an in-place update moves only the update") {
  ProgramWriter writer;
  const uint32_t fused = writer.Computation();
  const uint32_t all = writer.Add("parameter", {16, 1024});
  const uint32_t update = writer.Add("parameter", {1, 1024});
  const uint32_t at = writer.Add("parameter", {}, {}, static_cast<ElementType>(4));  // s32
  writer.Add("dynamic-update-slice", {16, 1024}, {all, update, at});
  writer.Computation();
  const uint32_t fusion = writer.Add("fusion", {16, 1024}, {}, ElementType::f32, {fused});
  REQUIRE(CostOf(writer, fusion).bytes == 4096 + 4096 + 4);
}

TEST_CASE("the cost of library calls, recursion and inconsistent shapes is unknown") {
  ProgramWriter writer;
  const uint32_t self = writer.Computation();
  const uint32_t x = writer.Add("parameter", {4});
  const uint32_t call = writer.Add("fusion", {4}, {x}, ElementType::f32, {self});
  const uint32_t library = writer.Add("custom-call", {4}, {x});
  const uint32_t dangling = writer.Add("fusion", {4}, {x}, ElementType::f32, {Instruction::kNone});
  for (const uint32_t instruction : {call, library, dangling}) {
    REQUIRE(std::isnan(CostOf(writer, instruction).flops));
    REQUIRE(std::isnan(CostOf(writer, instruction).bytes));
  }
}

TEST_CASE("operands in a cycle end the walk") {
  ProgramWriter writer;
  const uint32_t fused = writer.Computation();
  const uint32_t a = writer.Add("add", {4});
  const uint32_t b = writer.Add("add", {4}, {a, a});
  writer.program.references.push_back(b);
  writer.program.instructions[a].operands = {
      static_cast<uint32_t>(writer.program.references.size() - 1), 1};
  REQUIRE(Utilizations(writer.program, fused) == std::vector<double>{1, 1});
}

}  // namespace tfprof::program_test
