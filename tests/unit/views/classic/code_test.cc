// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/nodes/code_tree.h"

#include "tests/support/report_lines.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/on_nodes.h"

namespace tfprof::code_test {
namespace {

using Lines = std::vector<std::string>;

const TestFrame kMain{"main.py", 1, "main"};
const TestFrame kNet{"net.py", 2, "net"};
const TestFrame kLoss{"loss.py", 3, "loss"};

// main / (net: a Mul 5, b Add 2; loss: c Mul 4), d Neg 1 of main itself.
StorePtr Small() {
  return StoreOf({{.name = "a", .type = "Mul", .stack = {{kMain, kNet}}},
                  {.name = "b", .type = "Add", .stack = {{kMain, kNet}}},
                  {.name = "c", .type = "Mul", .stack = {{kMain, kLoss}}},
                  {.name = "d", .type = "Neg", .stack = {{kMain}}},
                  {.name = "e", .type = "Mul"}},
                 {{.node = "a", .us = 5},
                  {.node = "b", .us = 2},
                  {.node = "c", .us = 4},
                  {.node = "d", .us = 1},
                  {.node = "e", .us = 100}});
}

Report Ask(const StorePtr& store, const Query& query) {
  Context context;
  const Indexes indexes(store);
  return Code(store, indexes, query, context).value();
}

Lines Us(const Report& report) { return TreeLines(report, Measure::micros); }

// "row node us" of every sample, pulled two at a time; "(outer)" behind what is not innermost, "x2"
// behind what counts twice.
Lines SamplesIn(Report report) {
  Lines lines;
  StackSample block[2];
  while (const size_t filled = report.samples(std::span(block).first(2))) {
    for (size_t i = 0; i < filled; ++i) {
      const Node& node = report.store->nodes[block[i].node.value];
      lines.push_back(std::string(report.tables[0].Find("name")->texts[block[i].row]) + " " +
                      std::string(report.store->Text(node.name)) + " " +
                      std::to_string(At(block[i].values, Measure::micros)) +
                      (block[i].times > 1 ? " x" + std::to_string(block[i].times) : "") +
                      (block[i].innermost ? "" : " (outer)"));
    }
  }
  return lines;
}

PatternList List(std::vector<std::string> patterns) { return PatternList(std::move(patterns)); }

}  // namespace

TEST_CASE("code: frames show the cost of their subtree; untraced nodes do not count") {
  CHECK(Us(Ask(Small(), {})) == Lines{"_TFProfRoot --/12", "  main.py:1:main 1/12",
                                      "    loss.py:3:loss 4/4", "    net.py:2:net 7/7"});
  CHECK(Ask(Small(), {}).Find("total_micros")->integer == 12);
}

TEST_CASE("code: a frame counts if one of its nodes does; two matches double it") {
  Query query;
  query.nodes.account_type_regexes = List({"Add", "A.*"});
  CHECK(Us(Ask(Small(), query)) ==
        Lines{"_TFProfRoot --/4", "  main.py:1:main --/4", "    net.py:2:net 4/4"});
}

TEST_CASE("code: occurrence orders by the number of nodes, ties by first insertion") {
  Query query;
  query.display.order_by = OrderBy::occurrence;
  CHECK(Us(Ask(Small(), query))[2] == "    net.py:2:net 7/7");
  const StorePtr tie =
      StoreOf({{.name = "a", .stack = {{kNet}}}, {.name = "b", .stack = {{kLoss}}}});
  CHECK(Us(Ask(tie, query)) ==
        Lines{"_TFProfRoot --/0", "  net.py:2:net 0/0", "  loss.py:3:loss 0/0"});
}

TEST_CASE("code: a trimmed or too deep frame is removed with its subtree") {
  Query query;
  query.tree.max_depth = 2;
  CHECK(Us(Ask(Small(), query)) == Lines{"_TFProfRoot --/12", "  main.py:1:main 1/12"});
  query.tree.max_depth = 10;
  query.tree.trim_name_regexes = List({"main.*"});
  CHECK(Us(Ask(Small(), query)) == Lines{"_TFProfRoot --/12"});
}

TEST_CASE("code: frames below the default depth are noted, below a requested depth they are not") {
  std::vector<TestFrame> frames;
  for (int line = 1; line <= 15; ++line) frames.push_back({"f.py", line, "f"});
  const StorePtr deep = StoreOf({{.name = "a", .stack = frames}}, {{.node = "a", .us = 1}});
  const Report report = Ask(deep, {});
  CHECK(report.tables[0].rows == 10);
  REQUIRE_FALSE(report.notes.empty());
  CHECK(report.notes[0].what.Text() ==
        "frames below depth 10 are hidden; -max_depth 100 shows them");
  CHECK(report.notes[0].count == 6);
  Query query;
  query.tree.max_depth = 5;
  CHECK(Ask(deep, query).notes.empty());
  query.tree.max_depth = 100;
  CHECK(Ask(deep, query).notes.empty());
}

TEST_CASE("code: only the root remains where the original crashes") {
  Query query;
  query.tree.max_depth = 0;
  CHECK(Us(Ask(Small(), query)) == Lines{"_TFProfRoot --/12"});
  query.tree.max_depth = 10;
  query.tree.trim_name_regexes = List({"_TFProfRoot"});
  CHECK(Us(Ask(Small(), query)) == Lines{"_TFProfRoot --/12"});
  const StorePtr only_gradients = StoreOf({{.name = "gradients/x_grad/y", .stack = {{kMain}}}});
  const Report report = Ask(only_gradients, {});
  CHECK(Us(report) == Lines{"_TFProfRoot --/0"});
  CHECK(report.notes.size() == 1);
}

TEST_CASE("code: thresholds apply to totals; min_occurrence and displayed_op_only do nothing") {
  Query query;
  query.tree.min_micros = 5;
  query.tree.min_occurrence = 100;
  query.tree.account_displayed_op_only = true;
  CHECK(Us(Ask(Small(), query)) ==
        Lines{"_TFProfRoot --/12", "  main.py:1:main 1/12", "    net.py:2:net 7/7"});
}

TEST_CASE("code: samples are the counting nodes, at the nearest shown row") {
  CHECK(SamplesIn(Ask(Small(), {})) == Lines{"main.py:1:main d 1 (outer)", "net.py:2:net a 5",
                                             "net.py:2:net b 2", "loss.py:3:loss c 4"});
  Query query;
  query.tree.max_depth = 2;  // main is the last row: d is its own, the others are below it
  query.nodes.account_type_regexes = List({"Mul", "Neg", "M.*"});
  CHECK(SamplesIn(Ask(Small(), query)) ==
        Lines{"main.py:1:main d 1 (outer)", "main.py:1:main a 5 x2", "main.py:1:main c 4 x2"});
  query.tree.max_depth = 1;
  CHECK(SamplesIn(Ask(Small(), query)) == Lines{"_TFProfRoot d 1 (outer)",
                                                "_TFProfRoot a 5 x2 (outer)",
                                                "_TFProfRoot c 4 x2 (outer)"});
}

TEST_CASE("code: samples of hidden rows belong to the parent row, which is then not innermost") {
  Query query;
  query.tree.hide_name_regexes = List({"net.*"});
  CHECK(SamplesIn(Ask(Small(), query)) ==
        Lines{"main.py:1:main d 1 (outer)", "main.py:1:main a 5 (outer)",
              "main.py:1:main b 2 (outer)", "loss.py:3:loss c 4"});
}

TEST_CASE("code: rows have frames, members and devices") {
  Query query;
  query.display.select = {Attribute::device, Attribute::occurrence};
  const Report report = Ask(Small(), query);
  const Table& table = report.tables[0];
  CHECK(table.Find("file")->texts[2] == "loss.py");
  CHECK(table.Find("line")->Integer(2) == 3);
  CHECK(table.Find("function")->texts[3] == "net");
  CHECK(table.Find("file")->texts[0].data() == nullptr);
  CHECK(table.first_member == std::vector<uint32_t>{0, 0, 1, 2, 4});
  CHECK(table.Find("device")->lists[0].empty());
  CHECK(table.Find("device")->lists[3] == std::vector<std::string_view>{"/device:cpu:0"});
  CHECK(!table.Find("occurrence_run")->spec.shown);
}

TEST_CASE("code: it is refused without code traces") {
  const StorePtr store = StoreOf({{.name = "a"}});
  Context context;
  const Result<Report> refused = Code(store, Indexes(store), {}, context);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::usage);
  CHECK(refused.error().what == "No code trace information");
}

TEST_CASE("code of a name without nodes starts at the frames that have it") {
  const StorePtr store = Small();
  const auto under = [&](const std::string& name) {
    Query query;
    query.nodes.under = name;
    return Us(Ask(store, query));
  };
  CHECK(under("net") == Lines{"_TFProfRoot --/12", "  net.py:2:net 7/7"});
  CHECK(under("loss.py:3") == Lines{"_TFProfRoot --/12", "  loss.py:3:loss 4/4"});
  CHECK(under("nothing").size() <= 1);
  // The name of a node is that of a scope, also if a frame has it: a of main.
  CHECK(under("a")[0] == "_TFProfRoot --/5");
  // A function wins over a file of that name. The original cuts long names, and so do the rows.
  const StorePtr alike =
      StoreOf({{.name = "x",
                .type = "Mul",
                .stack = {{{"train_step.py", 1, "main"}, {"b.py", 2, "train"}}}},
               {.name = "y", .type = "Mul", .stack = {{{"b.py", 3, "a_function_of_23_bytes"}}}}},
              {{.node = "x", .us = 5}, {.node = "y", .us = 2}});
  Context context;
  const auto tree = Indexes(alike).Get<CodeTree>(CodeFrames::all, context).value();
  CHECK(FramesNamed(*tree, "train") == ".*:train( .gradient.)?");
  CHECK(FramesNamed(*tree, "train_step.py") == ".*train_step.py.*");
  CHECK(FramesNamed(*tree, "a_function_of_23_bytes") == ".*:a_function_of_23_[.]{3}( .gradient.)?");
  CHECK(FramesNamed(*tree, "nothing").empty());
}

TEST_CASE("without code traces the hint depends on what the recorder was told to record") {
  const auto hint = [](int64_t python_level) {
    const StorePtr trace =
        TraceOf({{.lanes = {{.name = "main", .events = {{"a/Mul:Mul", 0, 10}}}}}},
                [&](StoreBuilder& builder, SourceId source) {
                  builder.source(source).recorder = RecorderOptions{.python_level = python_level};
                });
    Context context;
    const auto report =
        AnswerForNodes(Code, NodeGranularity::one_per_stack, trace, Indexes(trace), {}, context);
    REQUIRE_FALSE(report);
    return report.error().hint;
  };
  CHECK(hint(0).find("python_tracer_level=1") != std::string::npos);
  CHECK(hint(1).find("python_tracer_level=1") == std::string::npos);
  CHECK(hint(1).find("compile with XLA") != std::string::npos);
}

}  // namespace tfprof::code_test
