// SPDX-License-Identifier: Apache-2.0
#include "emitters/name_lists.h"

#include <catch2/catch.hpp>

#include "tests/support/sample_report.h"

namespace tfprof::name_lists_test {
namespace {

using List = std::vector<std::string_view>;

std::string DisplayName(const List& names, size_t cells, bool is_set = true, bool utf8 = true) {
  std::string text;
  AppendNameList(names, is_set, cells, utf8, &text);
  return text;
}

const List kDevices = {"/device:GPU:0", "/device:GPU:1", "/device:GPU:2", "/host:CPU"};

TEST_CASE("set names that differ only in a number are merged, list names are not") {
  CHECK(DisplayName(kDevices, 80) == "/device:GPU:{0..2}, /host:CPU");
  CHECK(DisplayName(kDevices, 80, false) ==
        "/device:GPU:0, /device:GPU:1, /device:GPU:2, /host:CPU");
  CHECK(DisplayName({"", "/host:CPU"}, 80) == "/host:CPU");  // of nodes that have no device
  CHECK(DisplayName({""}, 80).empty());
  CHECK(DisplayName({}, 80).empty());
}

TEST_CASE("a list is cut between its names and counts the omitted ones") {
  CHECK(DisplayName(kDevices, 29) == "/device:GPU:{0..2}, /host:CPU");
  CHECK(DisplayName(kDevices, 28) == "/device:GPU:{0..2}, +1");
  CHECK(DisplayName(kDevices, 21) == "/device:GPU:0, +3");
  CHECK(DisplayName(kDevices, 16) == "/host:CPU, +3");
  CHECK(DisplayName(kDevices, 12) == "/de…PU:0, +3");
  CHECK(DisplayName(kDevices, 12, true, false) == "/de..U:0, +3");
  CHECK(DisplayName({"/device:GPU:0"}, 10) == "/dev…GPU:0");
  CHECK(DisplayName({"0:3x3x3x8", "1:4", "2:1"}, 12, false) == "1:4, 2:1, +1");
  for (size_t cells = 1; cells < 40; ++cells) {
    CHECK(DisplayName(kDevices, cells).size() <=
          std::max<size_t>(cells + 2, 4));  // … has three bytes
  }
}

Report Lists(Folds folds) {
  Report report;
  report.view = "op";
  Table& table = report.tables.emplace_back();
  table.rows = 2;
  ReportColumn& device = table.columns.emplace_back();
  device.spec.id = device.spec.title = "device";
  device.spec.type = CellType::texts;
  device.spec.folds = folds;
  device.lists = {kDevices, {"/device:GPU:0", "/device:GPU:1"}};
  return report;
}

TEST_CASE("lists in tables are complete in a pipe, and cut between names on a screen") {
  CHECK(Emit("table", Lists(Folds::alike)) == R"(
device
/device:GPU:0, /device:GPU:1, /device:GPU:2, /host:CPU
/device:GPU:0, /device:GPU:1
)");
  CHECK(Emit("table", Lists(Folds::any)) == R"(
device
/device:GPU:{0..2}, /host:CPU
/device:GPU:{0,1}
)");
  CHECK(Emit("table", Lists(Folds::any), {}, {.columns = 24}) == R"(
device
/device:GPU:{0..2}, +1
/device:GPU:{0,1}
)");
  CHECK(Emit("md", Lists(Folds::any)).find("| /device:GPU:{0..2}, /host:CPU |") !=
        std::string::npos);
  CHECK(Emit("csv", Lists(Folds::any)).find("/device:GPU:1|/device:GPU:2") != std::string::npos);
}

}  // namespace
}  // namespace tfprof::name_lists_test
