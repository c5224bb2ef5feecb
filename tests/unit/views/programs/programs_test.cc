// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/memory/program_peak.h"
#include "loaders/formats.h"
#include "tests/support/program_of.h"
#include "tests/support/source_of.h"
#include "views/programs/argument_changes.h"
#include "views/programs/neighbors.h"
#include "views/views.h"

namespace tfprof::programs_test {
namespace {

constexpr std::string_view kFirst = R"(HloModule jit_f

%fused (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  ROOT %mul = f32[4]{0} multiply(%p, %p)
}

ENTRY %main (x: f32[4], y: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  %y = f32[4]{0} parameter(1)
  %add.1 = f32[4]{0} add(%x, %y), metadata={op_name="f/add"}
  %fusion = f32[4]{0} fusion(%add.1), kind=kLoop, calls=%fused
  %neg = f32[4]{0} negate(%fusion), metadata={op_name="f/neg"}
  ROOT %sub = f32[4]{0} subtract(%neg, %y)
}
)";

// add.1 has another name, neg another type, sub another opcode; y is gone, exp is new.
constexpr std::string_view kSecond = R"(HloModule jit_f

%fused (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  ROOT %mul = f32[4]{0} multiply(%p, %p)
}

ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  %sum.7 = f32[4]{0} add(%x, %x), metadata={op_name="f/add"}
  %fusion = f32[4]{0} fusion(%sum.7), kind=kLoop, calls=%fused
  %neg = bf16[4]{0} negate(%fusion), metadata={op_name="f/neg"}
  %exp = bf16[4]{0} exponential(%neg)
  ROOT %sub = bf16[4]{0} add(%exp, %neg)
}
)";

void Load(std::string_view text, const std::string& path, StoreBuilder* builder) {
  Context context;
  REQUIRE(kHloLoader.load(SourceOf(text, path), {}, *builder, context));
}

StorePtr TwoStages() {
  StoreBuilder builder;
  Load(kFirst, "module_0003.jit_f.before_optimizations.txt", &builder);
  Load(kSecond, "module_0003.jit_f.after_optimizations.txt", &builder);
  return builder.Finish().value();
}

Result<Report> AnswerHlo(const ProgramOptions& options) {
  const StorePtr store = TwoStages();
  Query query;
  query.programs = options;
  Context context;
  return Hlo(store, Indexes(store), query, context);
}

using Texts = std::vector<std::string>;

Texts TextsOf(const Table& table, std::string_view id) {
  const auto& texts = table.Find(id)->texts;
  return {texts.begin(), texts.end()};
}

// Adds a buffer in the first allocation.
uint32_t AddBuffer(int64_t bytes, Program* program) {
  Buffer buffer;
  buffer.bytes = bytes;
  buffer.allocation = 0;
  program->buffers.push_back(buffer);
  return static_cast<uint32_t>(program->buffers.size() - 1);
}

}  // namespace

TEST_CASE("all instructions of the last stage are shown, and no times") {
  const Report report = AnswerHlo({}).value();
  const Table& table = report.tables.at(0);
  CHECK(table.name == "instructions");
  CHECK(TextsOf(table, "instruction") ==
        Texts{"p", "mul", "x", "sum.7", "fusion", "neg", "exp", "sub"});
  CHECK(TextsOf(table, "shape")[5] == "bf16[4]{0}");
  CHECK(TextsOf(table, "stage")[0] == "after_optimizations");
  CHECK(table.Find("time_us")->Integer(0) == kNoInt);
  CHECK(table.Find("runs")->Integer(0) == kNoInt);
  CHECK(table.Find("is_entry")->Integer(0) == 0);
  CHECK(table.Find("is_entry")->Integer(7) == 1);
  CHECK(table.Find("is_root")->Integer(1) == 1);
  CHECK(table.Find("is_root")->Integer(7) == 1);
  CHECK(std::ranges::count(report.notes, 1, &Note::count) >= 1);  // the other stage
}

TEST_CASE("a stage and a program are chosen by a part of their name") {
  const Report report = AnswerHlo({.program = "JIT", .stage = "before"}).value();
  CHECK(TextsOf(report.tables.at(0), "instruction").back() == "sub");
  CHECK(report.tables.at(0).rows == 8);
  CHECK(AnswerHlo({.program = "3"})->tables.at(0).rows == 8);
  CHECK(!AnswerHlo({.program = "g"}));
  CHECK(!AnswerHlo({.stage = "middle"}));
}

TEST_CASE("an instruction is shown with its operands, its users and what it fuses") {
  const ProgramOptions one{.stage = "before", .instruction = "fusion"};
  const Report near = AnswerHlo(one).value();
  CHECK(TextsOf(near.tables.at(0), "instruction") == Texts{"add.1", "fusion", "p", "mul", "neg"});
  CHECK(TextsOf(near.tables.at(0), "relation") ==
        Texts{"operand", "itself", "fused", "fused", "user"});
  ProgramOptions far = one;
  far.width = 2;
  const Report wide = AnswerHlo(far).value();
  const Table& table = wide.tables.at(0);
  CHECK(TextsOf(table, "instruction") ==
        Texts{"x", "y", "add.1", "fusion", "p", "mul", "neg", "sub"});
  CHECK(table.Find("distance")->Integer(0) == -2);
  CHECK(table.Find("distance")->Integer(7) == 2);
  far.width = 0;
  CHECK(AnswerHlo(far)->tables.at(0).rows == 3);
  const auto wrong = AnswerHlo({.instruction = "fusoin"});
  REQUIRE(!wrong);
  CHECK(wrong.error().hint == "did you mean 'fusion'?");
}

TEST_CASE("stages differ in instructions that are new, gone, changed or renamed") {
  const StorePtr store = TwoStages();
  Query query;
  query.view = "hlo";
  query.programs = {.stage = "before", .with_stage = "after"};
  Context context;
  const Report report = Diff(store, Indexes(store), query, context).value();
  const Table& table = report.tables.at(0);
  CHECK(TextsOf(table, "instruction") == Texts{"sum.7", "neg", "exp", "sub", "y"});
  CHECK(TextsOf(table, "status") == Texts{"renamed", "changed", "new", "changed", "gone"});
  CHECK(TextsOf(table, "base_instruction")[0] == "add.1");
  CHECK(TextsOf(table, "base_shape")[1] == "f32[4]{0}");
  CHECK(TextsOf(table, "shape")[1] == "bf16[4]{0}");
  CHECK(TextsOf(table, "base_opcode")[3] == "subtract");
  CHECK(TextsOf(table, "opcode")[3] == "add");
  CHECK(TextsOf(table, "opcode")[4].empty());
  CHECK(report.properties.at(0).integer == 4);  // p, mul, x, fusion
}

TEST_CASE("a program holds most where its buffers are largest in sum") {
  // Two buffers of 100 and 60 live together, then one of 120 alone; the block has 192 bytes. An
  // argument of 40 is held all the time; memory of threads is not in the program's blocks.
  ProgramWriter writer;
  writer.Computation();
  const uint32_t a = writer.Add("add", {25}), b = writer.Add("add", {15});
  const uint32_t c = writer.Add("add", {25}), d = writer.Add("add", {30});
  Program& program = writer.program;
  program.allocations = {{192, 0, 0, MemoryUse::temporary},
                         {40, 0, 0, MemoryUse::argument},
                         {1000, 0, 0, MemoryUse::thread_local_use}};
  const uint32_t hundred = AddBuffer(100, &program), sixty = AddBuffer(60, &program);
  const uint32_t large = AddBuffer(120, &program), again = AddBuffer(100, &program);
  using Event = HeapEvent;
  constexpr uint32_t kNone = Buffer::kNone;
  program.heap_events = {{Event::allocated, hundred, kNone, a}, {Event::allocated, sixty, kNone, b},
                         {Event::freed, sixty, kNone, b},       {Event::shares, again, hundred, c},
                         {Event::freed, hundred, kNone, a},     {Event::freed, again, kNone, c},
                         {Event::allocated, large, kNone, d},   {Event::freed, large, kNone, d}};
  program.heap_traces = {{0, {0, 8}}};
  const ProgramPeak peak = PeakOfProgram(program);
  CHECK(peak.Total() == 192 + 40);
  CHECK(peak.Of(MemoryUse::temporary) == 192);
  CHECK(peak.unused_bytes == 192 - 100 - 60);
  REQUIRE(peak.held.size() == 4);
  CHECK(peak.held[0].bytes == 100);
  CHECK(peak.held[0].born == a);
  CHECK(peak.held[0].freed == c);  // which shares its memory
  CHECK(peak.held[1].freed == b);
  CHECK(peak.held[1].bytes == 60);
  CHECK(peak.held[2].bytes + peak.held[3].bytes == 40 + 32);
  int64_t sum = 0;
  for (const HeldBuffer& held : peak.held) sum += held.bytes;
  CHECK(sum == peak.Total());
}

TEST_CASE("memory that is shared after its first buffer was freed is held on") {
  ProgramWriter writer;
  writer.Computation();
  writer.Add("add", {1});
  Program& program = writer.program;
  program.allocations = {{150, 0, 0, MemoryUse::temporary}};
  const uint32_t first = AddBuffer(100, &program), second = AddBuffer(100, &program);
  const uint32_t third = AddBuffer(100, &program), beside = AddBuffer(50, &program);
  using Event = HeapEvent;
  program.heap_events = {{Event::allocated, first}, {Event::shares, second, first},
                         {Event::freed, first},     {Event::shares, third, first},
                         {Event::freed, second},    {Event::allocated, beside},
                         {Event::freed, third},     {Event::freed, beside}};
  program.heap_traces = {{0, {0, 8}}};
  const ProgramPeak peak = PeakOfProgram(program);
  CHECK(peak.unused_bytes == 0);  // 100 and 50
  CHECK(peak.held.size() == 2);
}

TEST_CASE("memory that nothing holds any more is taken once by those that share it") {
  ProgramWriter writer;
  writer.Computation();
  writer.Add("add", {1});
  Program& program = writer.program;
  program.allocations = {{100, 0, 0, MemoryUse::temporary}};
  const uint32_t first = AddBuffer(100, &program), second = AddBuffer(100, &program);
  const uint32_t third = AddBuffer(100, &program);
  using Event = HeapEvent;
  program.heap_events = {{Event::allocated, first},      {Event::freed, first},
                         {Event::shares, second, first}, {Event::shares, third, first},
                         {Event::freed, second},         {Event::freed, third}};
  program.heap_traces = {{0, {0, 6}}};
  const ProgramPeak peak = PeakOfProgram(program);
  CHECK(peak.unused_bytes == 0);
  CHECK(peak.held.size() == 1);
}

// The peak of a program with one block of `bytes` for buffers of 100 bytes.
ProgramPeak PeakWith(int64_t bytes, uint32_t buffers, const std::vector<HeapEvent>& events) {
  ProgramWriter writer;
  writer.Computation();
  writer.Add("add", {1});
  Program& program = writer.program;
  program.allocations = {{bytes, 0, 0, MemoryUse::temporary}};
  for (uint32_t i = 0; i < buffers; ++i) AddBuffer(100, &program);
  program.heap_events = events;
  program.heap_traces = {{0, {0, static_cast<uint32_t>(events.size())}}};
  return PeakOfProgram(program);
}

TEST_CASE("memory is held until every buffer in it is freed") {
  using Event = HeapEvent;
  // Nothing frees 1, which shares the memory of 0; 2 lives beside it.
  const ProgramPeak kept = PeakWith(200, 3,
                                    {{Event::allocated, 0},
                                     {Event::shares, 1, 0},
                                     {Event::freed, 0},
                                     {Event::allocated, 2},
                                     {Event::freed, 2}});
  CHECK(kept.unused_bytes == 0);
  CHECK(kept.held.size() == 2);
  // 1 lives between two lives of the memory of 0.
  const ProgramPeak again = PeakWith(100, 3,
                                     {{Event::allocated, 0},
                                      {Event::freed, 0},
                                      {Event::allocated, 1},
                                      {Event::freed, 1},
                                      {Event::shares, 2, 0},
                                      {Event::freed, 2}});
  CHECK(again.unused_bytes == 0);
  CHECK(again.held.size() == 1);
}

TEST_CASE("buffers that share the memory of unknown ones do not share it with each other") {
  using Event = HeapEvent;
  const ProgramPeak peak = PeakWith(
      200, 2, {{Event::shares, 0}, {Event::shares, 1}, {Event::freed, 0}, {Event::freed, 1}});
  CHECK(peak.unused_bytes == 0);
  CHECK(peak.held.size() == 2);
}

std::string ProgramWith(const std::string& x, const std::string& y) {
  return "HloModule jit_f\n\nENTRY %main (x: " + x + ", y: " + y + ") -> " + x + " {\n  %x = " + x +
         "{0} parameter(0), metadata={op_name=\"x\"}\n  %y = " + y +
         "{0} parameter(1)\n  ROOT %neg = " + x + "{0} negate(%x)\n}\n";
}

std::string ChangesOf(const std::vector<std::string>& texts) {
  StoreBuilder builder;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string path = "module_000" + std::to_string(i) + ".jit_f.after_optimizations.txt";
    Load(texts[i], path, &builder);
  }
  const StorePtr store = builder.Finish().value();
  Context context;
  const CompiledPrograms compiled = CompiledPrograms::Build(*store, context).value();
  CHECK(ProgramsOf(*store, "g").empty());
  CHECK(ProgramsOf(*store, "").empty());
  return DescribeArgumentChanges(compiled, ProgramsOf(*store, "f"));
}

TEST_CASE("programs of a function differ in the types of arguments, their number, or neither") {
  const std::string four = ProgramWith("f32[4]", "f32[2]");
  CHECK(ChangesOf({four, ProgramWith("f32[5]", "f32[2]"), four}) == "x: f32[4], f32[5]");
  CHECK(ChangesOf({four, ProgramWith("bf16[4]", "f32[3]")}) ==
        "x: f32[4], bf16[4]; argument 1: f32[2], f32[3]");
  CHECK(ChangesOf({four, std::string(kSecond)}) == "the number of arguments");
  CHECK(ChangesOf({four, four}).starts_with("no argument type"));
  CHECK(ChangesOf({four}).empty());
}

}  // namespace tfprof::programs_test
