// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <thread>

#include "emitters/emit.h"
#include "loaders/open.h"
#include "views/answer.h"

// Open, Answer, Emit: what every caller of the library goes through.

namespace tfprof {
namespace {

const std::string kProfile = "testdata/tensorflow/mnist_softmax/profile.pb";

Profile OpenProfile(const std::string& path) {
  Context context;
  Result<StorePtr> store = Load({{path, ""}}, context);
  REQUIRE(store.has_value());
  return Profile(std::move(*store));
}

// The answer of each view as JSON; the error of those that cannot answer.
std::vector<std::string> AnswerAll(const Profile& profile, size_t first) {
  std::vector<std::string> answers(Views().size());
  for (size_t i = 0; i < answers.size(); ++i) {
    const size_t at = (first + i) % answers.size();
    Query query;
    query.display.format = "json";
    query.subject = Views()[at].subject == Subject::name ? "MatMul" : "";
    Context context;
    Result<Report> report = Answer(profile, Views()[at], query, context);
    Sink sink;
    const Result<void> emitted =
        report ? Emit(*FindEmitter("json"), std::move(*report), query, {}, sink, context)
               : Failure(report.error());
    answers[at] = emitted ? sink.buffer : "error: " + emitted.error().what;
  }
  return answers;
}

}  // namespace

TEST_CASE("several threads that ask one profile at once get the answers of one") {
  const std::vector<std::string> alone = AnswerAll(OpenProfile(kProfile), 0);
  const Profile shared = OpenProfile(kProfile);
  std::vector<std::vector<std::string>> answers(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&, i] { answers[i] = AnswerAll(shared, i * 7); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<std::string>& some : answers) {
    for (size_t view = 0; view < alone.size(); ++view) {
      INFO(Views()[view].name);
      CHECK(some[view] == alone[view]);
    }
  }
}

TEST_CASE("an answer is folded, chosen and cut as the query says") {
  const Profile profile = OpenProfile(kProfile);
  Query query;
  query.display.format = "json";
  query.display.rows = 2;
  query.display.where = {{"name", "~", "Mul"}};
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

TEST_CASE("a view is refused an output that shows what it lacks") {
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

}  // namespace tfprof
