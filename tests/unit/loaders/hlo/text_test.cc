// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "loaders/formats.h"
#include "loaders/hlo/hlo.h"
#include "loaders/open.h"
#include "tests/support/facts/program_facts.h"
#include "tests/support/source_of.h"

namespace tfprof::hlo_text_test {
namespace {

constexpr std::string_view kText = R"(HloModule jit_f, is_scheduled=true, replica_count=2

FileNames
1 "model.py"

FunctionNames
1 "main"
2 "loss"

FileLocations
1 {file_name_id=1 function_name_id=1 line=30 end_line=30}
2 {file_name_id=1 function_name_id=2 line=12 end_line=12}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

%fused (p: f32[4,8], q: f32[8]) -> f32[4,8] {
  %p = f32[4,8]{1,0:T(8,128)(2,1)S(5)} parameter(0)
  %q = f32[8]{0} parameter(1)
  %half = f32[] constant(0.5), metadata={op_name="say \"x\"" source_file="a b.py" source_line=7}
  broadcast = f32[4,8]{1,0} broadcast(f32[8]{0} %q), dimensions={1}
  ROOT %add.1 = f32[4,8]{1,0} add(%p, /*index=1*/%broadcast)
}, execution_thread="main"

// The entry point.
ENTRY %main (x: f32[4,8], y: f32[8]) -> (f32[4,8], token[]) {
  %x = f32[4,8]{1,0} parameter(0)
  %y = f32[8]{0} parameter(1)
  %fusion = f32[4,8]{1,0} fusion(%x, %y), kind=kLoop, calls=%fused, metadata={op_name="f/add" stack_frame_id=2}
  %slice = bf16[<=2,8]{1,0} slice(%fusion), slice={[0:4:2], [0:8]}, sharding={devices=[2,1]<=[2]}
  %t = token[] after-all(), channel_id=3
  ROOT %out = (f32[4,8]{1,0}, (token[], ()), /*index=2*/s32[]) tuple(%fusion, %t)
}
)";

Program Read(std::string_view text) {
  Program program;
  const hlo::TextError error = hlo::ReadModuleText(text, &program);
  INFO(error.what);
  REQUIRE(error.at == nullptr);
  return program;
}

const Instruction& Named(const Program& program, std::string_view name) {
  for (const Instruction& of : program.instructions) {
    if (program.Text(of.name) == name) return of;
  }
  FAIL("no instruction " << name);
  return program.instructions.front();
}

std::string NameOf(const Program& program, uint32_t instruction) {
  return std::string(program.Text(program.instructions[instruction].name));
}

std::string TypeText(const Program& program, std::string_view name) {
  std::string text;
  AppendType(program, program.TypeOf(Named(program, name)), &text);
  return text;
}

// The text has instructions in the order of their schedule, and no flags of dimensions that are not
// dynamic.
std::vector<std::string> Comparable(std::vector<std::string> facts) {
  const std::string_view static_dims = " [0, 0]";
  for (std::string& fact : facts) {
    for (size_t at = 0; (at = fact.find(static_dims, at)) != fact.npos;) {
      fact.replace(at, static_dims.size(), " []");
    }
  }
  std::ranges::sort(facts);
  return facts;
}

std::string ReadUnzipped(const std::string& name) {
  Context context;
  return std::string(OpenSource("testdata/hlo/dumps/" + name, context)->bytes);
}

}  // namespace

TEST_CASE("the text of a program is read") {
  const Program program = Read(kText);
  CHECK(program.Text(program.name) == "jit_f");
  CHECK(program.Text(program.attributes) == ", is_scheduled=true, replica_count=2");
  REQUIRE(program.computations.size() == 2);
  CHECK(program.entry == 1);
  CHECK(program.dangling == 0);
  CHECK(program.computations[0].instructions.count == 5);
  CHECK(NameOf(program, program.computations[0].root) == "add.1");
  CHECK(NameOf(program, program.computations[1].root) == "out");

  const Instruction& add = Named(program, "add.1");
  const auto operands = program.References(add.operands);
  REQUIRE(operands.size() == 2);
  CHECK(NameOf(program, operands[0]) == "p");
  CHECK(NameOf(program, operands[1]) == "broadcast");

  const Instruction& fusion = Named(program, "fusion");
  CHECK(program.Text(fusion.fusion_kind) == "kLoop");
  REQUIRE(fusion.called.count == 1);
  CHECK(program.References(fusion.called)[0] == 0);
  CHECK(program.Text(fusion.op_name) == "f/add");
  const auto stack = CallStackOf(program, fusion);
  REQUIRE(stack.size() == 2);  // main calls loss
  CHECK(program.Text(stack[0]->function) == "main");
  CHECK(program.Text(stack[1]->function) == "loss");
  CHECK(stack[1]->line == 12);

  CHECK(Named(program, "q").index == 1);
  const Instruction& half = Named(program, "half");
  CHECK(program.Text(half.literal) == "0.5");
  CHECK(program.Text(half.op_name) == "say \"x\"");
  CHECK(program.Text(half.source_file) == "a b.py");
  CHECK(half.source_line == 7);
}

TEST_CASE("types and unknown attributes are printed as they were read") {
  const Program program = Read(kText);
  CHECK(TypeText(program, "p") == "f32[4,8]{1,0:T(8,128)(2,1)S(5)}");
  CHECK(TypeText(program, "slice") == "bf16[<=2,8]{1,0}");
  CHECK(TypeText(program, "out") == "(f32[4,8]{1,0}, (token[], ()), s32[])");
  CHECK(BytesOf(program, program.TypeOf(Named(program, "out"))) == 4 * 8 * 4 + 4);
  CHECK(BytesOf(program, program.TypeOf(Named(program, "slice"))) == 2 * 8 * 2);
  CHECK(InstructionText(program, Named(program, "slice")) ==
        "%slice = bf16[<=2,8]{1,0} slice(f32[4,8]{1,0} %fusion), slice={[0:4:2], [0:8:1]}, "
        "sharding={devices=[2,1]<=[2]}");
  CHECK(InstructionText(program, Named(program, "t")) == "%t = token[] after-all(), channel_id=3");
}

TEST_CASE("windows, dimension labels and dots are read from text") {
  const Program program = Read(
      "HloModule m\n\nENTRY e {\n  i = f32[1,3,8,8]{3,2,1,0} parameter(0)\n"
      "  k = f32[4,3,3,3]{3,2,1,0} parameter(1)\n"
      "  c = f32[1,4,4,4]{3,2,1,0} convolution(i, k), window={size=3x3 stride=2x2 pad=0_1x0_1}, "
      "dim_labels=bf01_oi01->bf01, feature_group_count=1\n"
      "  ROOT d = f32[8,8]{1,0} dot(i, k), lhs_batch_dims={}, lhs_contracting_dims={1,2}, "
      "rhs_contracting_dims={0}\n}\n");
  const Instruction& conv = Named(program, "c");
  REQUIRE(conv.window.count == 2);
  const WindowDimension& window = program.windows[conv.window.first];
  CHECK(window.size == 3);
  CHECK(window.stride == 2);
  CHECK(window.padding_low == 0);
  CHECK(window.padding_high == 1);
  CHECK(window.base_dilation == 1);
  REQUIRE(conv.convolution != Instruction::kNone);
  const ConvolutionDimensions& of = program.convolutions[conv.convolution];
  CHECK(of.kernel_output_feature == 0);
  CHECK(of.kernel_input_feature == 1);
  CHECK(program.Numbers(of.kernel_spatial)[1] == 3);
  const Instruction& dot = Named(program, "d");
  REQUIRE(dot.dot != Instruction::kNone);
  const auto numbers = program.Numbers(program.dots[dot.dot].lhs_contracting);
  CHECK(std::vector<int64_t>(numbers.begin(), numbers.end()) == std::vector<int64_t>{1, 2});
}

TEST_CASE("the body of a loop stands before its condition") {
  const Program program = Read(
      "HloModule m\nbody (a: s32[]) -> s32[] {\n  ROOT a = s32[] parameter(0)\n}\n"
      "cond (b: s32[]) -> pred[] {\n  b = s32[] parameter(0)\n  c = pred[] constant(true)\n}\n"
      "main (x: s32[]) -> s32[] {\n  x = s32[] parameter(0)\n"
      "  w = s32[] while(x), condition=cond, body=body\n}\n");
  const auto called = program.References(Named(program, "w").called);
  REQUIRE(called.size() == 2);
  CHECK(called[0] == 0);
  CHECK(called[1] == 1);
  // Without a mark, the last instruction is the result, and the last computation the entry.
  CHECK(NameOf(program, program.computations[1].root) == "c");
  CHECK(program.entry == 2);
}

TEST_CASE("what XLA dumps as text equals its serialized form") {
  for (const std::string stage : {"before_optimizations", "cpu_after_optimizations"}) {
    INFO(stage);
    const std::string name = "module_0008.jit_step." + stage;
    pb::HloProto proto;
    REQUIRE(proto.ParseFromString(ReadUnzipped(name + ".hlo.pb.gz")));
    const std::vector<std::string> facts = ProgramFacts(Read(ReadUnzipped(name + ".txt.gz")));
    CHECK(facts.size() > 70);
    CHECK(Comparable(facts) == Comparable(ProgramFacts(proto.hlo_module())));
  }
}

TEST_CASE("errors of a text have a place") {
  struct Case {
    std::string text;
    std::string_view what;
    std::string_view rest;  // begins at the place
  };
  const Case cases[] = {
      {"HloModule m\nENTRY e {\n  a = f32[4 add()\n}", "a type is malformed", " add()"},
      {"HloModule m\nENTRY e {\n  a f32[4] add()\n}", "'=' must follow the name of an instruction",
       "f32[4] add()"},
      {"HloModule m\nENTRY e {\n  a = f32[4] add(b", "the operands do not end", ""},
      {"HloModule m\nENTRY e {\n  a = f32[4] add(), b\n}", "an attribute needs NAME=VALUE", "\n}"},
      {"HloModule m\nENTRY e {\n  a = f32[4] add()\n", "a computation does not end", ""},
      {"HloModule m\nStackFrames\n1 {x}", "a row of the table is malformed", "}"},
      {"HloModule m\n)", "a computation needs a name", ")"},
      {"HloModule", "a module needs a name", ""},
  };
  for (const Case& of : cases) {
    INFO(of.text);
    Program program;
    const hlo::TextError error = hlo::ReadModuleText(of.text, &program);
    REQUIRE(error.at != nullptr);
    CHECK(error.what == of.what);
    const auto left = static_cast<size_t>(of.text.data() + of.text.size() - error.at);
    CHECK(std::string_view(error.at, left).substr(0, of.rest.size()) == of.rest);
    if (of.rest.empty()) CHECK(left == 0);
  }
}

TEST_CASE("a folder of dumps is one profile with a program per stage") {
  Context context;
  const auto store = Load({{"testdata/hlo/dumps"}}, context);
  REQUIRE(store);
  REQUIRE((*store)->modules.size() == 4);  // two stages are there in both forms
  std::vector<std::string> stages;
  for (const Module& module : (*store)->modules) {
    CHECK(module.program_id == 8);
    CHECK((*store)->Text(module.name) == "jit_step");
    stages.emplace_back((*store)->Text(module.stage));
  }
  CHECK(stages[0] == "before_optimizations");
  CHECK(stages[1] == "0021.HLO_passes_after_layout_assignment.after_fusion.before_fusion-wrapper");
  CHECK(stages[3] == "cpu_after_optimizations");
  const auto program = ReadProgram(**store, ModuleId(3));
  REQUIRE(program);
  CHECK(program->computations.size() == 19);
}

TEST_CASE("the buffers of a dump add up to what XLA reports") {
  Context context;
  const auto store = Load(
      {{"testdata/hlo/dumps/module_0008.jit_step.cpu_after_optimizations.hlo.pb.gz"}}, context);
  REQUIRE(store);
  const Program program = ReadProgram(**store, ModuleId(0)).value();
  int64_t bytes = 0;
  for (const BufferAllocation& of : program.allocations) bytes += of.bytes;
  CHECK(bytes == 94'888);  // "Total bytes" in the memory usage report
  REQUIRE(program.allocations.size() == 12);
  CHECK(program.allocations[1].use == MemoryUse::argument);
  CHECK(program.allocations[5].use == MemoryUse::output);
  CHECK(program.allocations[6].use == MemoryUse::constant);
  CHECK(program.allocations[11].use == MemoryUse::temporary);
  REQUIRE(program.heap_traces.size() == 1);
  CHECK(program.heap_traces[0].allocation == 11);
  for (const Buffer& buffer : program.buffers) {
    REQUIRE(buffer.instruction != Instruction::kNone);
    REQUIRE(buffer.type != Buffer::kNone);
  }
}

TEST_CASE("a bare module and a module in an HloProto are told apart") {
  const std::string whole = ReadUnzipped("module_0008.jit_step.cpu_after_optimizations.hlo.pb.gz");
  pb::HloProto proto;
  REQUIRE(proto.ParseFromString(whole));
  const std::string bare = proto.hlo_module().SerializeAsString();
  for (const std::string& bytes : {whole, bare}) {
    const SourceFile file = SourceOf(bytes);
    CHECK(kHloLoader.score(file.bytes) > 90);
    StoreBuilder builder;
    Context context;
    REQUIRE(kHloLoader.load(file, {}, builder, context));
    const StorePtr store = builder.Finish().value();
    REQUIRE(store->modules.size() == 1);
    CHECK(store->modules[0].program_id == 8);
    CHECK(ReadProgram(*store, ModuleId(0))->instructions.size() == 104);
  }
}

}  // namespace tfprof::hlo_text_test
