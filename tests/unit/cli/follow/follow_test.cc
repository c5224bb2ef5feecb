// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/follow.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "cli/follow/screen_block.h"
#include "emitters/printable.h"
#include "tests/support/source_of.h"

namespace tfprof::follow_test {
namespace {

struct Ran {
  int status = 0;
  std::string out, err;
};

// Runs the program on streams that are no terminal, unless it has columns.
Ran RunProgram(const std::vector<std::string>& args, int columns = 0) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io;
  io.in = &in;
  io.out = &out;
  io.err = &err;
  io.out_is_terminal = columns > 0;
  io.columns = columns;
  Ran ran;
  ran.status = Run(args, io);
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("a recording that has ended is shown once: the summary and the last steps") {
  const Ran ran = RunProgram({"--no-config", "testdata/capture/one_process", "--follow"});
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK(ran.out.find("testdata/capture/one_process: ") == 0);
  CHECK(CountOf(ran.out, "0 of 1 processes running\n") == 1);
  CHECK(CountOf(ran.out, "wall time") >= 1);
  size_t last = 0;
  for (const char* step : {"\n   5 ", "\n   4 ", "\n   3 ", "\n   2 ", "\n   1 ", "\n   0 "}) {
    CHECK(CountOf(ran.out, step) == 1);
    CHECK(ran.out.find(step) > last);
    last = ran.out.find(step);
  }
}

TEST_CASE("a command is answered instead; formats for programs have no header") {
  const Ran ran = RunProgram({"--no-config", "steps", "testdata/capture/one_process", "-format",
                              "csv", "-columns", "step", "--follow", "--every", "1s"});
  CHECK(ran.status == 0);
  CHECK(ran.out == "step\n0\n1\n2\n3\n4\n5\n");
  const Ran jobs = RunProgram(
      {"--no-config", "testdata/capture/one_process", "testdata/capture/two_ranks", "--follow"});
  CHECK(jobs.status == 0);
  CHECK(CountOf(jobs.out, "0 of 3 processes running\n") == 1);
  CHECK(CountOf(jobs.out, "\njob ") == 1);
}

TEST_CASE("the screen of watch is as wide as the terminal") {
  const Ran ran = RunProgram({"watch", "testdata/xspace/gpu_train.xplane.pb", "-times", "1"}, 60);
  CHECK(ran.status == 0);
  const std::string screen = ran.out.substr(0, ran.out.find("\033[J"));
  CHECK(CountOf(screen, "finding      ") == 3);
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.rfind("\033[H") == line.npos ? 0 : line.rfind("\033[H") + 3);
    if (line.ends_with("\033[K")) line.resize(line.size() - 3);
    CAPTURE(line);
    CHECK(CellWidth(line) <= 60);
  }
}

TEST_CASE("what cannot be followed") {
  const auto error_of = [](std::vector<std::string> args) {
    args.insert(args.begin(), {"--no-config", "--follow"});
    const Ran ran = RunProgram(args);
    CHECK(ran.status != 0);
    CHECK(ran.out.empty());
    return ran.err;
  };
  CHECK(error_of({}).find("--follow needs a FILE") != std::string::npos);
  CHECK(error_of({"--graph_path=testdata/models/linear.meta"}).find("--follow needs a FILE") !=
        std::string::npos);
  CHECK(error_of({"save", "/tmp/absent.pb", "testdata/capture/one_process"})
            .find("--follow repeats answers") != std::string::npos);
  CHECK(error_of({"testdata/capture/absent"}).find("cannot be read") != std::string::npos);
  CHECK(error_of({"testdata/capture/one_process", "-f", "x"}).find("-f") != std::string::npos);
  CHECK(error_of({"testdata/capture/one_process", "opp"}).find("opp") != std::string::npos);
}

TEST_CASE("a recording without a trace is waited for, until it has ended") {
  const TestFolder folder;
  WriteFile(folder / "manifest.json", "{\"format\": 1, \"exit_status\": 0, \"processes\": []}");
  const Ran ran = RunProgram({"--no-config", folder / "", "--follow"});
  CHECK(ran.status == 3);
  CHECK(ran.out.empty());
  CHECK(ran.err.find("waiting: ") == 0);
}

TEST_CASE("on a terminal a block is drawn over the last one, cut to the screen") {
  std::ostringstream out, err;
  Io io;
  io.out = &out;
  io.err = &err;
  io.out_is_terminal = true;
  io.rows = 3;
  {
    ScreenBlock block(io);
    *io.out << "one\ntwo\n";
    *io.err << "note\nbelow the screen\n";
    CHECK(out.str().empty());
    CHECK(block.RowsLeft(8) == 0);
    block.Draw(true);
  }
  CHECK(out.str() == "\033[2J\033[Hone\033[K\ntwo\033[K\n\033[J");
  CHECK(io.out == &out);
  CHECK(io.err == &err);
  out.str({});
  ScreenBlock again(io);
  *io.out << "x\n";
  CHECK(again.RowsLeft(8) == 1);
  io.rows = 100;
  CHECK(again.RowsLeft(8) == 8);
  again.Draw(false);
  CHECK(out.str() == "\033[Hx\033[K\n\033[J");
}

}  // namespace
}  // namespace tfprof::follow_test
