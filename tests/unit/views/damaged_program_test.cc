// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/opening.h"
#include "views/answer.h"
#include "views/view.h"

// A trace whose only compiled program is damaged: answers that need the program say so.

namespace tfprof::damaged_program_test {
namespace {

constexpr char kTrace[] = "testdata/xspace/xla_train.xplane.pb";

// The trace with zeros in the middle of its program.
StorePtr Damaged() {
  std::ifstream file(kTrace, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const size_t program = bytes.rfind("jit_train_step");
  REQUIRE(program != bytes.npos);
  bytes.replace(program + 460, 512, 512, '\0');
  const auto path = std::filesystem::temp_directory_path() /
                    ("damaged_program." + std::to_string(getpid()) + ".xplane.pb");
  std::ofstream(path, std::ios::binary) << bytes;
  const Result<StorePtr> store = Open({{path.string()}});
  std::filesystem::remove(path);
  return store.value();
}

Report Ask(const StorePtr& store, const std::string& view, Query query) {
  Context context;
  return Make(Profile(store), *FindView(view), query, context).value();
}

bool IsNoted(const Report& report) {
  return std::count_if(report.notes.begin(), report.notes.end(), [](const Note& note) {
           return note.what.Text().find("program jit_train_step(17) is damaged") !=
                  std::string::npos;
         }) == 1;
}

}  // namespace

TEST_CASE("a damaged program is noted by every view that reads programs, once") {
  const StorePtr store = Damaged();
  const Report ops = Ask(store, "op", {});
  const std::string type(ops.tables.at(0).Find("name")->texts.at(0));
  for (const View& view : Views()) {
    const std::string name(view.name);
    if (name == "memory" || name == "planes" || name == "events" || name == "steps" ||
        name == "pod" || name == "tfdata" || name == "sync" || name == "code" || name == "launch") {
      continue;
    }
    CAPTURE(name);
    Query query;
    query.subject = name == "ls" ? "" : type;
    query.diff.base = store;
    if (name == "diff") {
      query.diff.base = Open({{kTrace}}).value();
      query.subject.clear();
    }
    CHECK(IsNoted(Ask(store, name, query)));
  }
}

TEST_CASE("a damaged program was recorded: info does not tell how to record programs") {
  const Report report = Ask(Damaged(), "info", {});
  const auto contents = std::find_if(report.tables.begin(), report.tables.end(),
                                     [](const Table& table) { return table.name == "contents"; });
  const std::vector<std::string_view>& kinds = contents->Find("kind")->texts;
  const auto row = std::find(kinds.begin(), kinds.end(), "programs") - kinds.begin();
  CHECK(contents->Find("count")->Integer(row) == 0);
  CHECK(contents->Find("to_record")->texts[row].empty());
}

TEST_CASE("diff: limits on operations are not judged where a program is damaged") {
  Query query;
  query.diff.base = Open({{kTrace}}).value();
  query.fail_if = {"op:dot_general<-5%"};
  const Report report = Ask(Damaged(), "diff", query);
  CHECK(report.Find("exceeded")->texts.empty());
  REQUIRE(report.Find("not_judged_damaged") != nullptr);
  CHECK(report.Find("not_judged_damaged")->texts.size() == 1);
  query.diff.base = Open({{kTrace}}).value();
  const Report whole = Ask(query.diff.base, "diff", query);
  CHECK(whole.Find("not_judged_damaged") == nullptr);
  CHECK(whole.Find("kept")->texts.size() == 1);
}

}  // namespace tfprof::damaged_program_test
