// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/report/table_def.h"
#include "emitters/emitter.h"
#include "emitters/flame/frames.h"
#include "emitters/printable.h"
#include "tests/support/sample_report.h"
#include "tests/support/store_of.h"

namespace tfprof::flame_test {
namespace {

using Lines = std::vector<std::string>;

Report Small(std::string_view odd = "net/odd") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 100},
                               {"net", 1, 10, 90},
                               {"net/conv", 2, 60, 60},
                               {odd, 2, 20, 20},
                               {"none", 1, 0, 0},
                               {"loss", 1, 4, 4}});
  static constexpr TableDef kScopes{.name = "scope", .row_names = RowNames::scopes};
  report.tables[0].def = &kScopes;
  report.store = StoreOf({});
  report.tables[0].node.resize(report.tables[0].rows);
  return report;
}

Flame FlameIn(const Report& report) {
  Context context;
  return FlameOf(report, context).value();
}

// "depth label total self" of every frame.
Lines Frames(const Report& report, const Flame& flame) {
  Lines lines;
  for (const FlameFrame& frame : flame.frames) {
    lines.push_back(std::to_string(frame.depth) + " " + FrameLabel(report, frame) + " " +
                    std::to_string(frame.total) + " " + std::to_string(frame.self));
  }
  return lines;
}

std::string FileOf(std::string_view format, const Report& report) {
  Sink sink;
  Context context;
  REQUIRE(FindFileEmitter(format)->emit(report, {}, {}, sink, context));
  return sink.buffer;
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("flame: frames are rows of the report, as wide as their totals") {
  const Report report = Small();
  const Flame flame = FlameIn(report);
  CHECK(Frames(report, flame) ==
        Lines{"0 all 100 6", "1 net 90 10", "2 conv 60 60", "2 odd 20 20", "1 loss 4 4"});
  CHECK(flame.frames[1].end == 4);
}

TEST_CASE("flame: a list is below one frame for the total") {
  const Report report = SampleOp({{"Mul", 0, 6, 6}, {"Add", 0, 2, 2}}, 8);
  CHECK(Frames(report, FlameIn(report)) == Lines{"0 all 8 0", "1 Mul 6 6", "1 Add 2 2"});
}

TEST_CASE("flame: time outside of all rows is part of the total") {
  const Report list = SampleOp({{"Mul", 0, 6, 6}}, 8);
  CHECK(Frames(list, FlameIn(list)) == Lines{"0 all 8 2", "1 Mul 6 6"});
  CHECK(FileOf("folded", list) == "[not shown] 2\nMul 6\n");

  Report tree = Small();
  Property untraced;
  untraced.id = "untraced_micros";
  untraced.integer = 50;
  tree.properties.push_back(untraced);
  const Flame flame = FlameIn(tree);
  CHECK(Frames(tree, flame).front() == "0 all 150 6");
  CHECK(Frames(tree, flame).back() == "1 [untraced] 50 50");
  CHECK(flame.frames.front().end == 6);
  CHECK(flame.frames[4].end == 5);
  CHECK(FileOf("folded", tree).ends_with("[untraced] 50\n"));
  for (const std::string_view format : {"speedscope", "flame_svg", "flame_html"}) {
    CHECK(Has(FileOf(format, tree), "[untraced]"));
  }
}

TEST_CASE("flame: negative rows are not shown, and a note reports them") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 5}, {"a", 1, 8, 8}, {"b", 1, -3, -3}});
  report.tables[0].node.resize(3);
  const Flame flame = FlameIn(report);
  CHECK(Frames(report, flame) == Lines{"0 all 8 0", "1 a 8 8"});
  CHECK(flame.negative == 1);
}

TEST_CASE("flame: absent rows and an absent total leave one empty frame") {
  Report report = SampleScope({{"_TFProfRoot", 0, kNoInt, kNoInt}, {"a", 1, kNoInt, kNoInt}});
  report.store = StoreOf({});
  report.tables[0].node.resize(2);
  CHECK(Frames(report, FlameIn(report)) == Lines{"0 all 0 0"});
  CHECK(FileOf("folded", report).empty());
  CHECK(Has(FileOf("flame_svg", report), "Not recorded"));
}

TEST_CASE("flame: narrow frames below one frame are merged") {
  const Report report = Small();
  Flame flame = FlameIn(report);
  CHECK(CutSmall(21, &flame) == 2);
  CHECK(Frames(report, flame) == Lines{"0 all 100 6", "1 net 90 10", "2 conv 60 60",
                                       "2 (1 small) 20 20", "1 (1 small) 4 4"});
  CHECK(flame.frames[0].end == 5);
  CHECK(flame.frames[1].end == 4);
  flame = FlameIn(report);
  CHECK(CutSmall(91, &flame) == 4);
  CHECK(Frames(report, flame) == Lines{"0 all 100 6", "1 (4 small) 94 94"});
}

TEST_CASE("flame: the smallest kept frame follows from the max number of frames") {
  const Flame flame = FlameIn(Small());
  CHECK(MinToKeep(flame, 5) == 0);
  CHECK(MinToKeep(flame, 3) == 21);
}

TEST_CASE("flame: folded stacks escape a ; in a name") {
  CHECK(FileOf("folded", Small("net/a;b")) ==
        "[not shown] 6\nnet 10\nnet;conv 60\nnet;a\\x3bb 20\nloss 4\n");
}

TEST_CASE("flame: folded stacks of picoseconds have integer nanoseconds") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 5'999}, {"a", 1, 5'999, 5'999}});
  report.store = StoreOf({});
  report.tables[0].node.resize(2);
  for (ReportColumn& column : report.tables[0].columns) column.spec.unit = Unit::ps_as_us;
  CHECK(FileOf("folded", report) == "a 6\n");
}

// net: 40 -> 90, net/conv: 30 -> 60, net/odd: new, loss: 8 -> 4; old (5) and its part old/x (2)
// are gone.
Report Changed() {
  Report base = SampleScope({{"_TFProfRoot", 0, 0, 53},
                             {"net", 1, 10, 40},
                             {"net/conv", 2, 30, 30},
                             {"loss", 1, 8, 8},
                             {"old", 1, 3, 5},
                             {"old/x", 2, 2, 2}});
  base.tables[0].def = Small().tables[0].def;
  base.store = StoreOf({});
  base.tables[0].node.resize(base.tables[0].rows);
  Report report = Small();
  report.base = std::make_shared<const Report>(std::move(base));
  return report;
}

TEST_CASE("flame: frames of changes have the values of the base") {
  const Report report = Changed();
  const Flame flame = FlameIn(report);
  REQUIRE(flame.frames.size() == 5);
  Lines lines;
  for (const FlameFrame& frame : flame.frames) {
    lines.push_back(FrameLabel(report, frame) + " " +
                    std::to_string(std::lround(frame.base_total)) + " " +
                    std::to_string(std::lround(frame.base_self)) + " " + ChangeText(flame, frame));
  }
  CHECK(lines == Lines{"all 53 0 +47 us, +88.7%", "net 40 10 +50 us, +125.0%",
                       "conv 30 30 +30 us, +100.0%", "odd 0 0 +20 us", "loss 8 8 -4 us, -50.0%"});
  CHECK(ChangeOf(flame.frames[2]) == 1);  // doubled
  CHECK(ChangeOf(flame.frames[3]) == 1);  // new
  CHECK(ChangeOf(flame.frames[4]) == -1);
  CHECK(ChangeOf({.total = 100, .base_total = 90}) == Approx(0.2));
  CHECK(FlameTitle(report, flame) == "Change of time by name scope");
}

TEST_CASE("flame: folded stacks of changes have the base first, and stacks that are gone") {
  CHECK(FileOf("folded", Changed()) ==
        "[not shown] 0 6\nnet 10 10\nnet;conv 30 60\nnet;odd 0 20\nloss 8 4\n"
        "old 3 0\nold;x 2 0\n");
  Report report = Changed();
  report.base_factor = 2;  // this profile has twice as many steps
  CHECK(Has(FileOf("folded", report), "net;conv 60 60\n"));
}

TEST_CASE("flame: what grew is red, what shrank is blue, what is gone is a note") {
  const std::string svg = FileOf("flame_svg", Changed());
  CHECK(Has(svg, "base 30 us\nchange +30 us, +100.0%"));
  CHECK(Has(svg, "2 frames only in the base, not drawn: 5 us"));
  CHECK(Has(FileOf("flame_html", Changed()), "\"base\":[53,40,30,0,8]"));
  Report same = Small();
  same.base = std::make_shared<const Report>(Small());
  CHECK(FlameIn(same).gone.empty());
  for (const FlameFrame& frame : FlameIn(same).frames) CHECK(ChangeOf(frame) == 0);
}

TEST_CASE("flame: speedscope opens and closes frames in order of time") {
  const std::string text = FileOf("speedscope", Small());
  CHECK(Has(text, "\"unit\":\"microseconds\",\"startValue\":0,\"endValue\":100"));
  CHECK(Has(text,
            "{\"type\":\"O\",\"frame\":1,\"at\":0},\n{\"type\":\"O\",\"frame\":2,\"at\":0},\n"
            "{\"type\":\"C\",\"frame\":2,\"at\":60},\n{\"type\":\"O\",\"frame\":3,\"at\":60},\n"
            "{\"type\":\"C\",\"frame\":3,\"at\":80},\n{\"type\":\"C\",\"frame\":1,\"at\":90}"));
}

TEST_CASE("flame: no name can end the script, a tag or an attribute") {
  const Report report = Small("net/</script><b>\"'&\xff\x01\xef\xbf\xbf]]>");
  const std::string html = FileOf("flame_html", report);
  CHECK(!Has(html, "</script><b>"));
  CHECK(Has(html, "\\u003c/script>"));
  CHECK(Has(html, "\\\\xff\\\\x01"));
  const std::string svg = FileOf("flame_svg", report);
  CHECK(Has(svg, "&lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;\\xff\\x01\\xef\\xbf\\xbf]]&gt;"));
  CHECK(!Has(svg, "\xef\xbf\xbf"));
}

TEST_CASE("flame: for any names, files are UTF-8 without control characters") {
  uint64_t random = 1;
  for (int round = 0; round < 200; ++round) {
    std::string name = "net/";
    for (int i = 0; i < 12; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      name += static_cast<char>(random >> 56);
    }
    const Report report = Small(name);
    for (const std::string_view format : {"flame_html", "flame_svg", "folded", "speedscope"}) {
      const std::string text = FileOf(format, report);
      size_t at = 0;
      for (size_t length = 0; at < text.size(); at += length) {
        length = Utf8Length(std::string_view(text).substr(at));
        const auto c = static_cast<unsigned char>(text[at]);
        if (length == 0 || (c < 0x20 && c != '\n') || c == 0x7f) break;
      }
      INFO(format);
      CHECK(at == text.size());
    }
  }
}

TEST_CASE("flame: the title names the steps; a trace shows a sum, not an average") {
  const auto title = [](std::string_view step, int64_t steps) {
    Report report = Small();
    report.properties.push_back({.id = "step", .type = CellType::text, .text = std::string(step)});
    report.properties.push_back({.id = "steps", .unit = Unit::count, .integer = steps});
    return FlameTitle(report, FlameIn(report));
  };
  const std::string whole = FlameTitle(Small(), FlameIn(Small()));
  CHECK(Has(whole, " by name scope"));
  CHECK(title("all", kNoInt) == whole);
  CHECK(title("1:2", kNoInt) == whole + ", steps 1:2");
  CHECK(title("mean of 3 steps", 3) == whole + ", mean of 3 steps");
  CHECK(title("sum of 3 steps", 3) == whole + ", sum of 3 steps");
  CHECK(title("all", 1) == whole);
}

TEST_CASE("flame: a frame is mostly of the type with the largest sum below it, as in the legend") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 16},
                               {"a", 1, 0, 11},
                               {"a/x", 2, 6, 6},
                               {"a/y", 2, 5, 5},
                               {"b", 1, 0, 5},
                               {"b/z", 2, 3, 3},
                               {"b/u", 2, 2, 2}});
  static constexpr TableDef kScopes{.name = "scope", .row_names = RowNames::scopes};
  report.tables[0].def = &kScopes;
  report.store = StoreOf({{.name = "a/x", .type = "Mul"},
                          {.name = "a/y", .type = "Add"},
                          {.name = "b/z", .type = "Add"},
                          {.name = "b/u", .type = "Sub"}});
  report.tables[0].node = {{}, {}, NodeId(0), NodeId(1), {}, NodeId(2), NodeId(3)};
  const Flame flame = FlameIn(report);
  const std::vector<std::string> dominant = DominantKinds(report, flame);
  std::map<std::string, std::string> of;
  for (size_t i = 0; i < flame.frames.size(); ++i) {
    of[FrameLabel(report, flame.frames[i])] = dominant[i];
  }
  CHECK(of["all"] == "Add");  // 8 of 16, although the largest frame is a Mul
  CHECK(of["a"] == "Mul");
  CHECK(of["b"] == "Add");
  CHECK(of["u"] == "Sub");
}

TEST_CASE("flame: the title of a trace says over what its times are summed") {
  const auto title = [](Property step) {
    Report report = Small();
    step.id = "step";
    report.properties.push_back(std::move(step));
    report.properties.push_back({.id = "steps", .unit = Unit::count, .integer = kNoInt});
    return FlameTitle(report, FlameIn(report));
  };
  const std::string whole = FlameTitle(Small(), FlameIn(Small()));
  Property all{.type = CellType::text, .text = "all"};
  all.display_text = "sum of 2 devices, 6 steps";
  CHECK(title(all) == whole + ", sum of 2 devices, 6 steps");
  CHECK(title({.type = CellType::integer, .integer = 3}) == whole + ", step 3");
  Property one{.type = CellType::integer, .integer = 3};
  one.display_text = "step 3, sum of 2 devices";
  CHECK(title(one) == whole + ", step 3, sum of 2 devices");
}

TEST_CASE("flame: pages and pictures load nothing") {
  for (const std::string_view format : {"flame_html", "flame_svg"}) {
    std::string text = FileOf(format, Small());
    for (const std::string_view space : {"http://www.w3.org/2000/svg"}) {  // a name, no address
      for (size_t at = text.find(space); at != text.npos; at = text.find(space)) {
        text.erase(at, space.size());
      }
    }
    CHECK(!Has(text, "http:"));
    CHECK(!Has(text, "https:"));
    CHECK(!Has(text, "{{"));
  }
}

}  // namespace tfprof::flame_test
