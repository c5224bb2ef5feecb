// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "emitters/emitter.h"
#include "loaders/open.h"
#include "views/answer.h"

// Open, Answer, Emit: what every caller of the library goes through.

namespace tfprof::pipeline_test {
namespace {

const std::string kProfile = "testdata/tensorflow/mnist_softmax/profile.pb";

Profile OpenProfile(const std::string& path) {
  Context context;
  Result<StorePtr> store = Load({{path, ""}}, context);
  REQUIRE(store.has_value());
  return Profile(std::move(*store));
}

}  // namespace

TEST_CASE("an answer is folded, filtered and cut by the query") {
  const Profile profile = OpenProfile(kProfile);
  Query query;
  query.display.format = "json";
  query.display.rows = 2;
  query.display.where = AllOf({{"name", "~", "Mul"}});
  Context context;
  const Result<Report> report = Answer(profile, *FindView("op"), query, context);
  REQUIRE(report.has_value());
  CHECK(report->tables[0].rows <= 2);
  for (const std::string_view name : report->tables[0].Find("name")->texts) {
    CHECK(name.find("Mul") != name.npos);
  }
}

TEST_CASE("diff without a base is refused") {
  Context context;
  const Result<Report> report = Answer(OpenProfile(kProfile), *FindView("diff"), {}, context);
  REQUIRE(!report.has_value());
  CHECK(report.error().kind == ErrorKind::usage);
}

TEST_CASE("a view refuses an output that needs data it does not have") {
  const Profile profile = OpenProfile(kProfile);
  Context context;
  Result<Report> report = Answer(profile, *FindView("summary"), {}, context);
  REQUIRE(report.has_value());
  Sink sink;
  const Emitter* timeline = FindFileEmitter("classic_timeline");
  REQUIRE(timeline != nullptr);
  const Result<void> emitted = Emit(*timeline, std::move(*report), {}, {}, sink, context);
  REQUIRE(!emitted.has_value());
  CHECK(emitted.error().kind == ErrorKind::usage);
}

}  // namespace tfprof::pipeline_test
