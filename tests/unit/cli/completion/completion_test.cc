// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completion.h"

#include <catch2/catch.hpp>

#include "cli/shell/session.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/view.h"

namespace tfprof::completion_test {
namespace {

using Strings = std::vector<std::string>;

TEST_CASE("completion offers commands at the start of a line") {
  CHECK(Complete("sco").candidates == Strings{"scope"});
  CHECK(Complete("sco").from == 0);
  CHECK(Complete("time sco").candidates == Strings{"scope"});
  CHECK(Complete("zzz").candidates.empty());
  CHECK(Complete("").candidates.size() > 8);
}

TEST_CASE("completion offers options after a command, with the typed dashes") {
  CHECK(Complete("scope -max").candidates == Strings{"-max_depth"});
  CHECK(Complete("scope --max").candidates == Strings{"--max_depth"});
  CHECK(Complete("scope -max").from == 6);
  CHECK(Complete("set -acc").candidates ==
        Strings{"-account_displayed_op_only", "-account_type_regexes"});
  CHECK(Complete("echo -max").candidates.empty());
}

TEST_CASE("completion offers values of an option") {
  CHECK(Complete("scope -order_by accel").candidates == Strings{"accelerator_micros"});
  CHECK(Complete("scope -order_by=accel").candidates == Strings{"accelerator_micros"});
  CHECK(Complete("scope -order_by=accel").from == 16);
  CHECK(Complete("scope -format js").candidates == Strings{"json", "jsonl"});
  CHECK(Complete("scope -account_displayed_op_only -sel").candidates == Strings{"-select"});
}

TEST_CASE("completion offers the words that an option accepts with the command") {
  CHECK(Complete("kernels -by ").candidates == Strings{"launch", "name", "op"});
  CHECK(Complete("hlo -by ").candidates == Strings{"category", "program"});
  CHECK(Complete("kernels -names f").candidates == Strings{"full"});
  CHECK(Complete("code -frames a").candidates == Strings{"all"});
  CHECK(Complete("memory -at t").candidates == Strings{"times"});
}

TEST_CASE("completion continues a list after each comma, without the names already in it") {
  const Completion completion = Complete("scope -select micros,p");
  CHECK(completion.candidates == Strings{"params", "peak_bytes"});
  CHECK(completion.from == 21);
  CHECK(completion.after.empty());
  const Strings left = Complete("scope -select micros,").candidates;
  CHECK(left.size() == 13);
  CHECK(Complete("advise -checker JobChecker,Fi").candidates == Strings{"FirstStepChecker"});
  CHECK(Complete("advise -fail-if hi").candidates == Strings{"high"});
}

TEST_CASE("completion offers file names where a path is expected") {
  CHECK(Complete("load tests/unit/cli/completion/completion_t").candidates ==
        Strings{"tests/unit/cli/completion/completion_test.cc"});
  const Completion folder = Complete("source tests/uni");
  CHECK(folder.candidates == Strings{"tests/unit/"});
  CHECK(folder.after.empty());
  const Completion output = Complete("scope -output file:outfile=tests/uni");
  CHECK(output.candidates == Strings{"tests/unit/"});
  CHECK(output.from == 27);
  CHECK(Complete("load no/such/folder/").candidates.empty());
}

struct Open {
  Io io;
  Session session{io};

  Open() {
    session.profile.store =
        StoreOf({{.name = "model/layer/a", .type = "MatMul"},
                 {.name = "model/b", .type = "init"},
                 {.name = "init", .type = "Sum"}},
                {{.node = "model/layer/a", .us = 2}, {.node = "model/b", .us = 7}});
    session.profile.indexes = std::make_unique<Indexes>(session.profile.store);
  }
  Strings At(std::string_view line) { return Complete(line, &session).candidates; }
};

TEST_CASE("completion of a subject offers source lines, costliest first, once one is typed") {
  Open open;
  using Frames = std::vector<TestFrame>;
  const TestFrame main{"/a/main.py", 9, "main"};
  open.session.profile.store =
      StoreOf({{.name = "a", .stack = Frames{main, {"/a/net.py", 5, "f"}}},
               {.name = "b", .stack = Frames{main, {"/a/net.py", 70, "g"}}}},
              {{.node = "a", .us = 2}, {.node = "b", .us = 7}});
  open.session.profile.indexes = std::make_unique<Indexes>(open.session.profile.store);
  Context context;
  const auto first = LikelyRest("why n", open.session, context);
  CHECK(first == "et.py:70");
  CHECK(open.At("peek net.py:") == Strings{"net.py:70", "net.py:5"});
  CHECK(open.At("find mai") == Strings{"main.py:9"});
  CHECK(open.At("focus net").empty());
  CHECK(open.At("why ") == Strings{"Op", "b", "a"});
}

TEST_CASE("completion offers names of the profile, costliest first, without duplicates") {
  Open open;
  CHECK(open.At("peek ") == Strings{"model/", "init", "MatMul", "Sum"});
  CHECK(open.At("peek model/") == Strings{"model/b", "model/layer/"});
  CHECK(open.At("cd model/") == Strings{"model/layer/"});  // nobody goes to a node
  open.session.options.nodes.under = "model";
  CHECK(open.At("cd l") == Strings{"layer/"});
  CHECK(open.At("peek in") == Strings{"init"});  // of the whole profile
}

TEST_CASE("completion offers nothing after the only argument of a command") {
  Open open;
  for (const char* line : {"why MatMul ", "why MatMul S", "peek MatMul -step 0 ", "ls model ",
                           "cd model ", "unfold MatMul ", "find x "}) {
    CAPTURE(line);
    CHECK(open.At(line).empty());
  }
  CHECK(open.At("why -step 0 M") == Strings{"MatMul"});
  CHECK(open.At("why MatMul -st") == Strings{"-step"});
  CHECK(open.At("focus MatMul S") == Strings{"Sum"});  // takes several
}

TEST_CASE("completion lists the costliest of many names, and their common prefix") {
  std::vector<TestNode> nodes(2500);
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i].name = "node_" + std::to_string(10000 + i);
  Open open;
  open.session.profile.store = StoreOf(nodes, {{.node = "node_12000", .us = 2}});
  open.session.profile.indexes = std::make_unique<Indexes>(open.session.profile.store);
  const Completion completion = Complete("peek n", &open.session);
  CHECK(completion.candidates.size() == 1000);
  CHECK(completion.candidates.front() == "node_12000");
  CHECK(completion.more == 1500);
  CHECK(completion.shared == "node_1");
  CHECK(Complete("peek node_120", &open.session).more == 0);
}

TEST_CASE("completion offers the scopes around the current one") {
  Open open;
  open.session.options.nodes.under = "model/layer";
  CHECK(open.At("cd ../") == Strings{"layer/"});
  CHECK(Complete("cd ../", &open.session).from == 6);
  CHECK(open.At("cd ../../mo") == Strings{"model/"});
  CHECK(open.At("cd /mo") == Strings{"model/"});
  CHECK(open.At("cd ../../../mo") == Strings{"model/"});
  CHECK(open.At("cd ../x/../la") == Strings{"layer/"});
  CHECK(open.At("cd /model//la").empty());
  CHECK(open.At("cd ..").empty());
}

TEST_CASE("completion offers steps of a profile, and the marked steps of a trace") {
  Open open;
  CHECK(open.At("op -step ") == Strings{"0"});
  std::vector<TestEvent> events;
  for (const int64_t group : {0, 1, 2}) {
    const TestDetails of_group{{"group", group}};
    events.push_back({"train " + std::to_string(group), 100 * group, 90, of_group});
    events.push_back({"x:X", 100 * group + 10, 5, of_group});
  }
  open.session.profile.store = TraceOf({{.lanes = {{.events = events}}}});
  open.session.profile.indexes = std::make_unique<Indexes>(open.session.profile.store);
  CHECK(open.At("op -step ") == Strings{"0", "1", "2"});
}

TEST_CASE("completion offers different limits for diff and advise") {
  Open open;
  CHECK(open.At("diff -fail-if ") == Strings{"code:", "graph:", "op:", "scope:", "step>+5%"});
  CHECK(open.At("diff -fail-if op:M") == Strings{"MatMul"});
  CHECK(open.At("diff -fail-if step>+5%,op:MatMul") == Strings{"MatMul>+5%"});
  CHECK(open.At("diff -fail-if scope:mo") == Strings{"model/"});
}

TEST_CASE("completion offers the columns that a view would have before its first query") {
  Open open;
  CHECK(open.At("steps -order_by re") == Strings{"records"});
  CHECK(open.At("steps -columns sta") == Strings{"stalled", "stalled_us", "start"});
  CHECK(open.At("explain re").empty());  // no answer is there yet to explain
  open.session.profile.store =
      TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {{"k", 0, 5}}}}}});
  open.session.profile.indexes = std::make_unique<Indexes>(open.session.profile.store);
  CHECK(open.At("kernels -order_by occ") == Strings{"'occupancy %'", "occupancy_pct"});
  for (const View& view : Views()) {
    INFO(view.name);
    CHECK_NOTHROW(open.At(std::string(view.name) + " -columns "));
  }
}

TEST_CASE("completion offers the columns of the last table of the same command") {
  Open open;
  auto table = std::make_shared<Report>();
  for (const char* id : {"name", "start_ps"}) {
    ReportColumn column;
    column.spec.id = id;
    if (column.spec.id == "start_ps") column.spec.title = "first start";
    table->tables.resize(1);
    table->tables[0].columns.push_back(column);
  }
  open.session.last = table;
  open.session.last_line = SplitClassic("steps -n 3");
  CHECK(open.At("steps -order_by ") == Strings{"'first start'", "name", "start_ps"});
  CHECK(open.At("steps -columns name,") == Strings{"'first start'", "start_ps"});
  CHECK(open.At("steps -where s") == Strings{"start_ps"});
  CHECK(open.At("hist s") == Strings{"start_ps"});
  CHECK(open.At("hist f") == Strings{"first start"});
  CHECK(open.At("explain first s") == Strings{"first start"});
  CHECK(Complete("explain first s", &open.session).from == 8);
  Context context;
  CHECK(LikelyRest("hist fir", open.session, context) == "st start");
  CHECK(open.At("op -order_by s") == Strings{"share", "share_pct"});
  CHECK(open.At("op -order_by p9") == Strings{"p95", "p95_us"});
  CHECK(open.At("scope -order_by p9").empty());         // trees are ordered by totals
  CHECK(open.At("op -columns na") == Strings{"name"});  // of the view itself
  CHECK(open.At("op -order_by na") == Strings{"name"});
}

TEST_CASE("completion quotes a heading of several words where one word is expected") {
  Open open;
  ReportColumn column;
  column.spec.id = "cpu_micros";
  column.spec.title = "cpu time";
  auto table = std::make_shared<Report>();
  table->tables.resize(1);
  table->tables[0].columns.push_back(column);
  open.session.last = table;
  open.session.last_line = SplitClassic("steps");
  const auto at = [&](std::string_view line) { return Complete(line, &open.session); };

  CHECK(at("steps -order_by cpu ").candidates.empty());  // that is another word
  CHECK(at("steps -order_by cpu t").candidates.empty());
  const Completion none_open = at("steps -order_by=cpu");
  CHECK(none_open.candidates == Strings{"'cpu time'", "cpu_micros"});
  CHECK(none_open.from == 16);
  const Completion single = at("steps -order_by 'cpu t");
  CHECK(single.candidates == Strings{"'cpu time"});
  CHECK(single.from == 16);
  CHECK(single.after == "' ");
  CHECK(at("steps -order_by \"cpu ").candidates == Strings{"\"cpu time"});
  CHECK(at("steps -order_by \"cpu ").after == "\" ");

  const Completion where = at("steps -where 'cpu t");
  CHECK(where.candidates == Strings{"'cpu time"});
  CHECK(where.after.empty());  // ` > 3ms'` is to come
  CHECK(at("steps -where cpu").candidates == Strings{"'cpu time", "cpu_micros"});

  const Completion list = at("steps -columns 'cpu_micros,c");
  CHECK(list.candidates == Strings{"cpu time"});
  CHECK(list.from == 27);
  CHECK(list.after.empty());
  CHECK(at("steps -columns cpu_micros,c").candidates == Strings{"'cpu time'"});

  const Completion closed = at("steps -columns 'cpu_micros,cpu'");
  CHECK(closed.candidates == Strings{"cpu time'"});
  CHECK(closed.from == 27);

  Context context;
  CHECK(LikelyRest("steps -order_by 'cpu ", open.session, context) == "time'");
  CHECK(LikelyRest("steps -where 'cpu ", open.session, context) == "time");
  CHECK(LikelyRest("steps -order_by cpu", open.session, context) == "_micros");  // no quote before
  open.session.classic = true;  // a quote is a letter there
  CHECK(at("steps -columns 'cpu").candidates.empty());
}

TEST_CASE("completion quotes names of the profile that contain blanks and quotes") {
  Open open;
  open.session.profile.store = StoreOf({{.name = "my scope/a b", .type = "Add"},
                                        {.name = "my scope/it's", .type = "Add"},
                                        {.name = "say \"x\"", .type = "Add"}});
  open.session.profile.indexes = std::make_unique<Indexes>(open.session.profile.store);
  CHECK(open.At("peek my") == Strings{"'my scope/"});
  CHECK(open.At("peek 'my scope/a") == Strings{"'my scope/a b"});
  CHECK(Complete("peek 'my scope/a", &open.session).after == "' ");
  CHECK(open.At("peek \"my scope/i") == Strings{"\"my scope/it's"});
  CHECK(open.At("peek 'my scope/i").empty());
  CHECK(open.At("peek sa") == Strings{"'say \"x\"'"});
  CHECK(open.At("peek \"sa") == Strings{"\"say \\\"x\\\""});
  open.session.classic = true;
  CHECK(open.At("scope -start_name_regexes my") == Strings{"my scope/"});
}

TEST_CASE("hints can be turned on and off") {
  CHECK(Complete("set h").candidates == Strings{"hints"});
  CHECK(Complete("set hints o").candidates == Strings{"off", "on"});
}

TEST_CASE("completion inserts the common prefix of all candidates") {
  CHECK(CommonPrefix({"min_bytes", "min_micros"}) == "min_");
  CHECK(CommonPrefix({"one"}) == "one");
  CHECK(CommonPrefix({}).empty());
}

}  // namespace
}  // namespace tfprof::completion_test
