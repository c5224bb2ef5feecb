// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/program_path.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/store/builder.h"
#include "loaders/formats.h"
#include "tests/support/source_of.h"

namespace tfprof::program_path_test {
namespace {

constexpr std::string_view kLoop = R"(HloModule jit_loop

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%body (s: (s32[], f32[4])) -> (s32[], f32[4]) {
  %s = (s32[], f32[4]{0}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %v = f32[4]{0} get-tuple-element(%s), index=1
  %next = s32[] add(%i, %i)
  %work = f32[4]{0} tanh(%v)
  ROOT %state = (s32[], f32[4]{0}) tuple(%next, %work)
}

%until (s: (s32[], f32[4])) -> pred[] {
  %c = (s32[], f32[4]{0}) parameter(0)
  %at = s32[] get-tuple-element(%c), index=0
  ROOT %less = pred[] compare(%at, %at), direction=LT
}

ENTRY %main (x: f32[4]) -> f32[] {
  %x = f32[4]{0} parameter(0)
  %zero = s32[] constant(0)
  %before = f32[4]{0} exponential(%x)
  %beside = f32[4]{0} negate(%x)
  %start = (s32[], f32[4]{0}) tuple(%zero, %before)
  %while = (s32[], f32[4]{0}) while(%start), condition=%until, body=%body
  %out = f32[4]{0} get-tuple-element(%while), index=1
  %init = f32[] constant(0)
  %first = f32[] reduce(%out, %init), dimensions={0}, to_apply=%add
  %second = f32[] reduce(%beside, %init), dimensions={0}, to_apply=%add
  ROOT %both = f32[] add(%first, %second)
}
)";

std::vector<std::string> PathWith(const std::map<std::string_view, int64_t>& times) {
  StoreBuilder builder;
  Context context;
  REQUIRE(kHloLoader.load(SourceOf(kLoop, "module_0001.jit_loop.after_optimizations.txt"), {},
                          builder, context));
  const StorePtr store = builder.Finish().value();
  const Program program = ReadProgram(*store, ModuleId(0)).value();
  const auto name = [&](uint32_t at) { return program.Text(program.instructions[at].name); };
  std::vector<std::string> names;
  const auto time = [&](uint32_t at) {
    const auto found = times.find(name(at));
    return found == times.end() ? int64_t{0} : found->second;
  };
  const std::vector<uint32_t> path = PathOfProgram(program, time, context).value();
  for (const uint32_t at : path) names.emplace_back(name(at));
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("a path leads into a loop and out again") {
  CHECK(PathWith({{"before", 5},
                  {"beside", 6},
                  {"work", 40},
                  {"next", 30},
                  {"less", 8},
                  {"first", 2},
                  {"second", 3},
                  {"both", 1}}) == Names{"before", "work", "first", "both"});
}

TEST_CASE("what runs beside the longest path is not on it") {
  CHECK(PathWith({{"before", 5}, {"beside", 60}, {"work", 40}, {"first", 2}, {"both", 1}}) ==
        Names{"beside", "both"});
}

TEST_CASE("a computation with several callers does not connect them") {
  // The sum, of both reductions, would lead into the second one, and the work of the first.
  CHECK(PathWith({{"work", 40}, {"sum", 9}, {"second", 3}}) == Names{"work"});
  CHECK(PathWith({{"sum", 9}, {"second", 3}}) == Names{"sum"});
}

}  // namespace
}  // namespace tfprof::program_path_test
