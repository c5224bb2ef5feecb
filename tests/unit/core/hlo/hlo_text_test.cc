// SPDX-License-Identifier: Apache-2.0
#include "analysis/transfers/hlo_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/base/arith.h"

namespace tfprof::hlo_text_test {

TEST_CASE("an instruction is parsed as XLA prints it") {
  const PrintedInstruction read = ParseInstruction(
      "%copy-start.2 = (f32[4,8]{1,0:T(8,128)}, f32[4,8]{1,0:T(8,128)S(5)}, u32[]{:S(2)}) "
      "copy-start(f32[4,8]{1,0:T(8,128)S(5)} %param.1), attribute={}");
  CHECK(read.name == "copy-start.2");
  CHECK(read.opcode == "copy-start");
  CHECK(read.has_types);
  REQUIRE(read.made.size() == 3);
  CHECK(read.made[0].bytes == 128);
  CHECK(read.made[0].memory_space == PrintedTensor::kDeviceSpace);
  CHECK(read.made[1].memory_space == PrintedTensor::kHostSpace);
  CHECK(read.made[2].bytes == 4);
  CHECK(read.made[2].memory_space == 2);
  REQUIRE(read.operand_names.size() == 1);
  CHECK(read.operand_names[0] == "param.1");
  REQUIRE(read.operands.size() == 1);
  CHECK(read.operands[0].bytes == 128);
}

TEST_CASE("sizes of elements, dimensions and nested tuples are parsed") {
  const auto bytes = [](const char* type) {
    const std::string text = std::string("%x = ") + type + " y()";
    return ParseInstruction(text).made.at(0).bytes;
  };
  CHECK(bytes("bf16[3]{0}") == 6);
  CHECK(bytes("pred[]") == 1);
  CHECK(bytes("s4[3]{0}") == 2);
  CHECK(bytes("f8e4m3fn[10]") == 10);
  CHECK(bytes("c64[2]") == 16);
  CHECK(bytes("f32[<=5,2]") == 40);
  CHECK(bytes("f32[0,7]") == 0);
  CHECK(bytes("token[]") == 0);
  CHECK(bytes("f32[99999999999,99999999999]") == kMaxPs);
  const PrintedInstruction nested = ParseInstruction(
      "%infeed.1 = ((s32[2]{0}, f32[4]{0}), /*index=1*/token[]{:S(2)}) infeed(token[] %a), x=(1)");
  REQUIRE(nested.made.size() == 3);
  CHECK(nested.made[1].bytes == 16);
  CHECK(nested.operand_names.at(0) == "a");
}

TEST_CASE("a text that is no instruction is a name") {
  for (const char* text : {"infeed.1", "%infeed.1 = f32[4", "%infeed.1 = (f32[4]",
                           "%infeed.1 = ", "%infeed.1 = f32[4] infeed",
                           "%infeed.1 = f32[4] infeed(((", "infeed.1 = )) x()"}) {
    INFO(text);
    const PrintedInstruction read = ParseInstruction(text);
    CHECK(read.name == "infeed.1");
    CHECK((read.opcode == "infeed" || read.has_types));
  }
  CHECK(ParseInstruction("copy").opcode == "copy");
  CHECK(ParseInstruction("a12").opcode == "a12");
  CHECK(ParseInstruction("").name.empty());
}

}  // namespace tfprof::hlo_text_test
