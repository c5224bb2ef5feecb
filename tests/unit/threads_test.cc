// SPDX-License-Identifier: Apache-2.0
// What threads share: the parts of a file that several read at once, one profile that several ask,
// and what a terminal shows meanwhile. The thread sanitizer runs these.
#include <catch2/catch.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/generators/generate.h"
#include "cli/export/writing.h"
#include "cli/shell/session.h"
#include "emitters/emitter.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"
#include "views/answer.h"

namespace tfprof::threads_test {
namespace {

constexpr size_t kThreads = 4;
using Paths = std::vector<std::string>;

std::vector<Input> InputsOf(const Paths& paths) {
  std::vector<Input> inputs;
  for (const std::string& path : paths) inputs.push_back({path, {}});
  return inputs;
}

Profile OpenProfile(const Paths& paths) {
  Context context;
  return Profile(Load(InputsOf(paths), context).value());
}

void AtOnce(const std::function<void(size_t thread)>& work) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

std::string AnswerAs(std::string_view format, const Profile& profile, const View& view) {
  Query query;
  query.display.format = format;
  query.subject = view.subject == Subject::name ? "MatMul" : "";
  Context context;
  Result<Report> report = Answer(profile, view, query, context);
  if (!report) return "error: " + report.error().what;
  Sink sink;
  const Result<void> emitted =
      Emit(*FindEmitter(format), std::move(*report), query, {}, sink, context);
  return emitted ? sink.buffer : "error: " + emitted.error().what;
}

// The answer of each view as JSON, `first` being asked first.
std::vector<std::string> AnswerAll(const Profile& profile, size_t first) {
  std::vector<std::string> answers(Views().size());
  for (size_t i = 0; i < answers.size(); ++i) {
    const size_t at = (first + i) % answers.size();
    answers[at] = AnswerAs("json", profile, Views()[at]);
  }
  return answers;
}

// Every thread begins with another view, and so with another index.
void CompareAnswers(const Paths& paths) {
  const std::vector<std::string> alone = AnswerAll(OpenProfile(paths), 0);
  const Profile shared = OpenProfile(paths);
  std::vector<std::vector<std::string>> answers(kThreads);
  AtOnce([&](size_t thread) { answers[thread] = AnswerAll(shared, thread * 7); });
  for (const std::vector<std::string>& some : answers) {
    for (size_t view = 0; view < alone.size(); ++view) {
      INFO(Views()[view].name);
      CHECK(some[view] == alone[view]);
    }
  }
}

const std::string kData = "testdata/";

// Large enough to be read by several threads.
void WriteLargeTrace(const std::string& path) {
  Sink sink;
  REQUIRE(WriteXSpace({.nodes = 4000, .steps = 25}, sink));
  REQUIRE(sink.buffer.size() > size_t{9} << 20);
  WriteFile(path, sink.buffer);
}

}  // namespace

TEST_CASE("threads: concurrent queries of one profile get the answers of sequential ones") {
  CompareAnswers({kData + "tensorflow/mnist_softmax/profile.pb"});
}

TEST_CASE("threads: concurrent queries of graph, log and run records agree") {
  const std::string folder = kData + "tensorflow/two_devices/";
  CompareAnswers(
      {folder + "graph.pb", folder + "run_meta_0", folder + "run_meta_1", folder + "op_log"});
}

TEST_CASE("threads: concurrent queries of traces agree") {
  for (const char* name : {"gpu_train", "jax_loop", "xla_train", "tpu_offload", "allocations"}) {
    INFO(name);
    CompareAnswers({kData + "xspace/" + name + ".xplane.pb"});
  }
}

TEST_CASE("threads: concurrent writers of one profile write the same") {
  const Profile profile = OpenProfile({kData + "tensorflow/convnet/profile.pb"});
  std::vector<std::string> written(kThreads);
  AtOnce([&](size_t thread) {
    Io io;
    Session session(io);
    session.profile = profile;
    for (const std::string_view name : {"save", "timeline", "pprof"}) {
      Sink sink;
      Context context;
      const Query query;
      const std::string out = "out", line(name);
      if (FindWritingCommand(name)->write({session, query, {}, out, line, sink, context})) {
        written[thread] += sink.buffer;
      }
    }
  });
  CHECK(!written[0].empty());
  for (const std::string& other : written) CHECK(other == written[0]);
}

TEST_CASE("threads: a large trace is opened and queried by several threads at once") {
  const TestFolder folder;
  const std::string path = folder / "large.xplane.pb";
  WriteLargeTrace(path);
  const View& view = *FindView("op_stats");
  std::vector<std::string> answers(kThreads);
  AtOnce([&](size_t thread) { answers[thread] = AnswerAs("csv", OpenProfile({path}), view); });
  for (const std::string& other : answers) CHECK(other == answers[0]);
  const Profile shared = OpenProfile({path});
  constexpr std::string_view kFromAll[] = {"kernels", "steps", "overview", "tfdata", "op"};
  AtOnce([&](size_t thread) {
    for (size_t i = 0; i < std::size(kFromAll); ++i) {
      const View* asked = FindView(kFromAll[(i + thread) % std::size(kFromAll)]);
      if (AnswerAs("json", shared, *asked).starts_with("error")) answers[thread] = "error";
    }
  });
  for (const std::string& other : answers) CHECK(other == answers[0]);
}

TEST_CASE("threads: run records are read in parallel, and a terminal shows the progress") {
  const TestFolder folder;
  std::vector<Input> inputs;
  for (int64_t step = 0; step < 4; ++step) {
    Sink sink;
    REQUIRE(WriteRunMetadata({.nodes = 12'000, .steps = 1}, step, sink));
    inputs.push_back({folder / ("run_meta_" + std::to_string(step)), {}});
    WriteFile(inputs.back().path, sink.buffer);
  }
  std::istringstream in;
  std::ostringstream out, err;
  Io io{.in = &in, .out = &out, .err = &err, .err_is_terminal = true, .columns = 80, .rows = 24};
  Session session(io);
  REQUIRE(OpenInputs(session, inputs));
  CHECK(session.profile.store->steps.size() == 4);
}

}  // namespace tfprof::threads_test
