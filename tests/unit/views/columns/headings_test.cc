// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "loaders/open.h"
#include "tests/support/recorded_traces.h"
#include "views/view.h"

// -columns, -where, -order_by and people go by headings: on recorded profiles no table has two
// columns of one heading. What repeats another column for scripts is headed by its id.

namespace tfprof::headings_test {
namespace {

// Those of the table that stand there twice.
std::set<std::string> TwiceIn(const Table& table) {
  std::set<std::string> headings, twice;
  for (const ReportColumn& column : table.columns) {
    if (!column.spec.shown) continue;
    const std::string& title = column.spec.title.empty() ? column.spec.id : column.spec.title;
    if (!headings.insert(title).second) twice.insert(title);
  }
  return twice;
}

}  // namespace

TEST_CASE("no table has two columns with one heading") {
  std::vector<std::string> paths = RecordedTraces();
  paths.push_back("testdata/tensorflow/convnet/profile.pb");
  for (const std::string& path : paths) {
    Context context;
    const auto store = Load({{path, ""}}, context);
    if (!store) continue;  // a damaged one
    const Indexes indexes(*store);
    for (const View& view : Views()) {
      if (view.subject != Subject::none && view.subject != Subject::rows) continue;
      const Result<Report> report = view.make(*store, indexes, {}, context);
      if (!report) continue;
      for (const Table& table : report->tables) {
        INFO(path << ": " << view.name << ": " << table.name);
        CHECK(TwiceIn(table) == std::set<std::string>());
      }
    }
  }
}

}  // namespace tfprof::headings_test
