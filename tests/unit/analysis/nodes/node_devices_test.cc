// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <catch2/catch.hpp>

#include "core/store/store.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"
#include "views/on_nodes.h"
#include "views/views.h"

// On which devices a node of a trace ran, and what it did on each.

namespace tfprof::node_devices_test {
namespace {

using Lines = std::vector<std::string>;

constexpr int64_t Us(int64_t us) { return us * kPsPerUs; }

// x/MatMul runs on two GPUs and once on the host, x/Add on the second GPU.
StorePtr OnSeveral(const std::string& second_host = "host") {
  const TestDetails matmul = {{"op", "x/MatMul:MatMul"}}, add = {{"op", "x/Add:Add"}};
  return TraceOf(
      {{.lanes = {{.name = "main", .events = {{"x/MatMul:MatMul", 0, Us(1)}}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1",
                   .events = {{"k", Us(10), Us(5), matmul}, {"k", Us(20), Us(4), matmul}}}}},
       {.name = "/device:GPU:1",
        .lanes = {{.name = "Stream #1",
                   .events = {{"k", Us(10), Us(20), matmul}, {"a", Us(40), Us(2), add}}}},
        .host = second_host}});
}

Report Ask(MakeReport* make, const StorePtr& store, const Query& query) {
  Context context;
  return AnswerForNodes(make, NodeGranularity::one_per_name, store, Indexes(store), query, context)
      .value();
}

Query About(const std::string& subject) {
  Query query;
  query.subject = subject;
  return query;
}

// "DEVICE nodes time runs" of peek.
Lines Devices(const Report& report) {
  const auto table = std::find_if(report.tables.begin(), report.tables.end(),
                                  [](const Table& one) { return one.name == "devices"; });
  REQUIRE(table != report.tables.end());
  Lines lines;
  for (size_t row = 0; row < table->rows; ++row) {
    lines.push_back(fmt::format(
        "{} {} {} {}", table->Find("device")->texts[row], table->Find("nodes")->Integer(row),
        table->Find("micros")->Integer(row), table->Find("run_count")->Integer(row)));
  }
  return lines;
}

Lines Reasons(const Report& report, std::string_view id) {
  Lines lines;
  const Table& table = report.tables.at(0);
  for (size_t row = 0; row < table.rows; ++row) {
    const auto& what = table.Find("what")->texts[row];
    if (table.Find("reason")->texts[row] == id) lines.emplace_back(what);
  }
  return lines;
}

Lines ListOf(const Report& report, std::string_view name, std::string_view column) {
  const Table& table = report.tables.at(0);
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.Find("name")->texts[row] != name) continue;
    const auto& list = table.Find(column)->lists[row];
    return {list.begin(), list.end()};
  }
  return {};
}

}  // namespace

TEST_CASE("peek: a node of a trace lists every device that it ran on, with its time there") {
  const Report report = Ask(Peek, OnSeveral(), About("x/MatMul"));
  CHECK(Devices(report) ==
        Lines{"/device:GPU:1 1 20000000 1", "/device:GPU:0 1 9000000 2", "/host:CPU 1 1000000 1"});
  CHECK(report.Find("device")->texts ==
        std::vector<std::string>{"/host:CPU", "/device:GPU:0", "/device:GPU:1"});
  CHECK(Devices(Ask(Peek, OnSeveral(), About("x"))) ==
        Lines{"/device:GPU:1 2 22000000 2", "/device:GPU:0 1 9000000 2", "/host:CPU 1 1000000 1"});
}

TEST_CASE("peek: only the devices that -device selects are listed") {
  Query query = About("x/MatMul");
  query.place.device = "gpu:0";
  CHECK(Devices(Ask(Peek, OnSeveral(), query)) == Lines{"/device:GPU:0 1 9000000 2"});
}

TEST_CASE("peek: a node of a profile counts on its one device") {
  const StorePtr store =
      StoreOf({{.name = "a", .type = "Mul"}}, {{.node = "a", .device = "/device:gpu:0", .us = 7},
                                               {.node = "a", .device = "/device:cpu:0", .us = 9}});
  CHECK(Devices(Ask(Peek, store, About("a"))) == Lines{"/device:gpu:0 1 7 1"});
}

TEST_CASE("why: runs and time are listed for each of several devices") {
  const Report report = Ask(Why, OnSeveral(), About("x/MatMul"));
  CHECK(Reasons(report, "devices") == Lines{"runs on 3 devices:"});
  CHECK(Reasons(report, "device") == Lines{"/device:GPU:1, 20.0 us, 1 run",
                                           "/device:GPU:0, 9.00 us, 2 runs",
                                           "/host:CPU, 1.00 us, 1 run"});
  const Report one = Ask(Why, OnSeveral(), About("x/Add"));
  CHECK(Reasons(one, "devices") == Lines{"runs on /device:GPU:1"});
  CHECK(Reasons(one, "device").empty());
}

TEST_CASE("device and op_types list all devices of a node of a trace") {
  Query query;
  query.display.select = {Attribute::micros, Attribute::device, Attribute::op_types};
  const Report scope = Ask(Scope, OnSeveral(), query);
  const Lines all{"/host:CPU", "/device:GPU:0", "/device:GPU:1"};
  CHECK(ListOf(scope, "x/MatMul", "device") == all);
  CHECK(ListOf(scope, "x/Add", "device") == Lines{"/device:GPU:1"});
  CHECK(ListOf(scope, "x/MatMul", "op_types") ==
        Lines{"/device:GPU:0", "/device:GPU:1", "/host:CPU", "MatMul"});
  CHECK(ListOf(Ask(Op, OnSeveral(), query), "MatMul", "device") ==
        Lines{"/device:GPU:0", "/device:GPU:1", "/host:CPU"});
}

TEST_CASE("-account_type_regexes matches every device of a node of a trace") {
  const auto accounted = [](const std::string& regex) {
    Query query;
    query.nodes.account_type_regexes = PatternList({regex});
    const Report report = Ask(Op, OnSeveral(), query);
    const auto& texts = report.tables.at(0).Find("name")->texts;
    Lines names(texts.begin(), texts.end());
    std::sort(names.begin(), names.end());
    return names;
  };
  CHECK(accounted(".*GPU:1") == Lines{"Add", "MatMul"});
  CHECK(accounted(".*GPU:0") == Lines{"MatMul"});
}

TEST_CASE("devices of several hosts have distinct names, and -device accepts these names") {
  const Report report = Ask(Peek, OnSeveral("worker"), About("x/MatMul"));
  CHECK(Devices(report) == Lines{"worker /device:GPU:1 1 20000000 1",
                                 "host /device:GPU:0 1 9000000 2", "host /host:CPU 1 1000000 1"});
  Query query = About("x/MatMul");
  query.place.device = "worker /device:GPU:1";
  CHECK(Devices(Ask(Peek, OnSeveral("worker"), query)) ==
        Lines{"worker /device:GPU:1 1 20000000 1"});
}

}  // namespace tfprof::node_devices_test
