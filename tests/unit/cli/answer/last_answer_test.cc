// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/last_answer.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "cli/answer/answer.h"
#include "cli/shell/commands.h"
#include "tests/support/store_of.h"

namespace tfprof::last_answer_test {
namespace {

// More events than a table for people has rows; they take 1 to 100 us.
StorePtr ManyEvents() {
  std::vector<TestRun> records(10'100);
  for (size_t i = 0; i < records.size(); ++i) {
    records[i] = {.node = "a", .us = static_cast<int64_t>(i % 100) + 1};
  }
  return StoreOf({{.name = "a", .type = "MatMul"}}, records);
}

struct Open {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{.in = &in, .out = &out, .err = &err};
  Session session{io};

  Open() {
    session.profile.store = ManyEvents();
    session.profile.indexes = std::make_unique<Indexes>(session.profile.store);
  }
  std::string Answer(const std::string& command) {
    out.str("");
    CHECK(Execute(session, command, "") == 0);
    return out.str();
  }
};

TEST_CASE("hist reads one column of rows in blocks and leaves the rows in place") {
  Open open;
  open.Answer("events -n 1");
  const std::string spread = open.Answer("hist duration");
  CHECK(spread.find("duration of 10100 rows: min 1.00 us") != std::string::npos);
  CHECK(spread.find("median 50.5 us") != std::string::npos);

  Context context;
  const Result<Report> whole = UnlimitedLastAnswer(open.session, {"duration_us"}, context);
  REQUIRE(whole);
  CHECK(whole->blocks);
  CHECK(whole->tables[0].rows == 0);
  CHECK(whole->tables[0].columns.size() == 1);
}

TEST_CASE("a table with cut rows explains how to get all of them") {
  Open open;
  const std::string note = "`events -format csv > FILE` writes all";
  CHECK(open.Answer("events -n 1").find(note) == std::string::npos);
  const std::string last = open.Answer("last");
  CHECK(last.find("[100 others]") != std::string::npos);
  CHECK(last.find("a table has at most 10000 rows: " + note) != std::string::npos);
  const std::string more = open.Answer("events -n 20000");
  CHECK(more.find("others]") == std::string::npos);
  CHECK(more.find(note) == std::string::npos);
}

}  // namespace
}  // namespace tfprof::last_answer_test
