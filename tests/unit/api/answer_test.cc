// SPDX-License-Identifier: Apache-2.0
#include <tfprof/tfprof.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/api/messages.h"

namespace {

using tfprof::Answer;
using tfprof::Emit;
using tfprof::Profile;
using tfprof::testing::Node;
using tfprof::testing::RunMetadata;

// a runs 10 us, b 30 us and 50 us.
Profile Opened() {
  const std::string graph = Node("a", "Const") + Node("s/b", "MatMul", {"a"});
  auto profile = tfprof::OpenBytes(
      {{"graph", graph},
       {"run", RunMetadata("/cpu:0", {{"a", 1000, 10}, {"s/b", 1010, 30}, {"s/b", 1050, 50}})}});
  REQUIRE(profile.ok());
  return *profile;
}

}  // namespace

TEST_CASE("a table has typed columns with units") {
  const auto report = Answer(Opened(), {.view = "op", .options = {{"order_by", "micros"}}});
  REQUIRE(report.ok());
  CHECK(report->view() == "op");
  const tfprof::Table& table = report->tables()[0];
  REQUIRE(table.rows == 2);
  const tfprof::Column& name = *table.Find("name");
  const tfprof::Column& time = *table.Find("time_us");
  CHECK(name.type == tfprof::CellType::text);
  CHECK(name.texts[0] == "MatMul");
  CHECK(name.texts[1] == "Const");
  CHECK(time.type == tfprof::CellType::integer);
  CHECK(time.unit == "us");
  CHECK(time.Real(0) == 80);
  CHECK(time.Real(1) == 10);
  CHECK(time.integers[0] == 80 * time.divisor);
  CHECK(time.Text(0) == "80");
  // There is no accelerator: its time is not 0.
  const tfprof::Column& device = *table.Find("device_us");
  CHECK(device.IsAbsent(0));
  CHECK(std::isnan(device.Real(0)));
  CHECK(device.Text(0).empty());
}

TEST_CASE("properties and notes are beside the tables") {
  const auto report = Answer(Opened(), "op -select micros");
  REQUIRE(report.ok());
  const tfprof::Property* total = report->FindProperty("total_time_us");
  REQUIRE(total != nullptr);
  CHECK(total->unit == "us");
  CHECK(total->real == 90);
  CHECK(report->FindProperty("no_such") == nullptr);
}

TEST_CASE("times that views keep in another unit are written in microseconds") {
  // A step: from the start of a at 1000 us to the end of b at 1100 us.
  const auto report = Answer(Opened(), {.view = "steps"});
  REQUIRE(report.ok());
  CHECK(report->tables()[0].Find("duration_us")->Real(0) == 100);
  CHECK(report->tables()[0].Find("duration_us")->Text(0) == "100");
}

TEST_CASE("every number is what the formats write") {
  const Profile profile = Opened();
  for (const tfprof::ViewInfo& view : tfprof::Views()) {
    const auto report = Answer(profile, {.view = view.name});
    if (!report) continue;
    for (const tfprof::Table& table : report->tables()) {
      for (const tfprof::Column& column : table.columns) {
        const bool is_number =
            column.type == tfprof::CellType::integer || column.type == tfprof::CellType::real;
        for (size_t row = 0; is_number && row < table.rows; ++row) {
          INFO(view.name << "." << table.name << "." << column.id);
          if (column.IsAbsent(row)) {
            CHECK(std::isnan(column.Real(row)));
          } else {
            CHECK(column.Real(row) == Approx(std::stod(column.Text(row))));
          }
        }
      }
    }
  }
}

TEST_CASE("a tree has parents and depths") {
  const auto report = Answer(Opened(), {.view = "scope"});
  REQUIRE(report.ok());
  const tfprof::Table& table = *report->FindTable("scope");
  REQUIRE(table.is_tree);
  const tfprof::Column& name = *table.Find("name");
  for (size_t row = 0; row < table.rows; ++row) {
    if (name.texts[row] != "s/b") continue;
    CHECK(table.depth[row] == 2);
    CHECK(name.texts[table.parent[row]] == "s");
  }
}

TEST_CASE("every format of a report") {
  const auto report = Answer(Opened(), "op -select micros -order_by micros -columns name,time_us");
  REQUIRE(report.ok());
  CHECK(*Emit(*report, "csv") == "name,time_us\nMatMul,80\nConst,10\n");
  CHECK(Emit(*report, "table")->find("80.0 us") != std::string::npos);
  // An output does not change the report.
  CHECK(*Emit(*report, "csv") == "name,time_us\nMatMul,80\nConst,10\n");
  const auto none = Emit(*report, "xls");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == tfprof::ErrorKind::usage);
}

TEST_CASE("errors are values with a mark and a hint") {
  const Profile profile = Opened();
  const auto unknown = Answer(profile, {.view = "op", .options = {{"ordre_by", "name"}}});
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().kind == tfprof::ErrorKind::usage);
  CHECK(unknown.error().hint == "did you mean -order_by?");
  CHECK(unknown.error().where.find("^~~~") != std::string::npos);
  CHECK(Answer(profile, {.view = "opp"}).error().what == "no view 'opp'");
  CHECK(Answer(profile, "op | head").error().what == "a report is not redirected");
  CHECK(Answer(profile, {.view = "peek"}).error().kind == tfprof::ErrorKind::usage);
  const auto regex = Answer(profile, {.view = "op", .options = {{"show_name_regexes", "("}}});
  CHECK_FALSE(regex.ok());
  CHECK(tfprof::Open({"no_such_file"}).error().kind == tfprof::ErrorKind::unreadable);
  CHECK(tfprof::OpenBytes({{"text", "nothing"}}).error().kind == tfprof::ErrorKind::corrupt);
  CHECK(tfprof::OpenBytes({}).error().kind == tfprof::ErrorKind::usage);
  CHECK(tfprof::Open({}).error().kind == tfprof::ErrorKind::usage);
  const std::atomic<bool> stop{true};
  const auto stopped = Answer(profile, {.view = "graph", .stop = &stop});
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().kind == tfprof::ErrorKind::cancelled);
  CHECK(Answer(profile, {.view = "graph"}).ok());
}

TEST_CASE("an open profile is the base of diff") {
  const Profile profile = Opened();
  const auto same = Answer(profile, {.view = "diff", .base = &profile});
  REQUIRE(same.ok());
  const tfprof::Table& table = *same->FindTable("op");
  const tfprof::Column& status = *table.Find("status");
  REQUIRE(table.rows == 2);
  for (size_t row = 0; row < table.rows; ++row) CHECK(status.texts[row] == "same");
}

TEST_CASE("files are written whole or not at all") {
  const Profile profile = Opened();
  const std::string path = std::tmpnam(nullptr) + std::string("_api.pb");
  const auto written = tfprof::Write(profile, "save", path);
  REQUIRE(written.ok());
  CHECK(written->find("profile of 2 nodes and 1 step") != std::string::npos);
  CHECK(tfprof::Write(profile, "save", path).error().kind == tfprof::ErrorKind::usage);
  CHECK(tfprof::Write(profile, "save", path, {{"overwrite", "true"}}).ok());
  const auto again = tfprof::Open({path});
  REQUIRE(again.ok());
  CHECK(Answer(*again, "op")->FindProperty("total_time_us")->real == 90);
  std::remove(path.c_str());
  CHECK_FALSE(tfprof::Write(profile, "print", path).ok());
}

TEST_CASE("several threads ask about one profile") {
  const Profile profile = Opened();
  const std::string expected = *Emit(*Answer(profile, "scope"), "json");
  std::vector<std::string> texts(8);
  std::vector<std::thread> threads;
  for (std::string& text : texts) {
    threads.emplace_back([&] { text = *Emit(*Answer(profile, "scope"), "json"); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : texts) CHECK(text == expected);
}

TEST_CASE("the catalogue is that of the program") {
  size_t found = 0;
  for (const tfprof::ViewInfo& view : tfprof::Views()) {
    if (view.name != "peek") continue;
    ++found;
    CHECK(view.about == "name");
    CHECK(view.needs_about);
    CHECK_FALSE(view.tables.empty());
    CHECK_FALSE(view.options.empty());
  }
  CHECK(found == 1);
  CHECK(tfprof::FileCommands().size() == 5);
  CHECK(tfprof::Version() == "0.1.0");
}
