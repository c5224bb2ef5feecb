// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/program_inputs.h"

#include <catch2/catch.hpp>

#include "tests/support/program_of.h"

namespace tfprof::program_inputs_test {
namespace {

using Inputs = std::vector<uint32_t>;

}  // namespace

TEST_CASE("inputs are found behind bitcasts and tuple elements, each once; constants are omitted") {
  ProgramWriter writer;
  writer.Computation();
  const uint32_t x = writer.Add("parameter", {4});
  const uint32_t y = writer.Add("parameter", {4});
  const uint32_t one = writer.Add("constant", {});
  const uint32_t bitcast = writer.Add("bitcast", {4}, {x});
  const uint32_t pair = writer.Add("tuple", {}, {bitcast, y});
  const uint32_t second = writer.Add("get-tuple-element", {4}, {pair});
  writer.program.instructions[second].index = 1;
  const uint32_t call = writer.Add("custom-call", {4}, {pair});
  const uint32_t made = writer.Add("get-tuple-element", {4}, {call});
  const uint32_t add = writer.Add("add", {4}, {second, bitcast, one, made, bitcast});
  REQUIRE(InputsOf(writer.program, add) == Inputs{y, x, call});
  REQUIRE(InputsOf(writer.program, call) == Inputs{x, y});
  REQUIRE(InputsOf(writer.program, x).empty());
}

TEST_CASE("bitcasts in a cycle and missing operands end the walk") {
  ProgramWriter writer;
  writer.Computation();
  const uint32_t a = writer.Add("bitcast", {4}, {1});
  const uint32_t b = writer.Add("bitcast", {4}, {a});
  const uint32_t add = writer.Add("add", {4}, {b, Instruction::kNone});
  REQUIRE(InputsOf(writer.program, add).empty());
}

}  // namespace tfprof::program_inputs_test
