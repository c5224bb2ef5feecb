// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tfprof::arguments_test {
namespace {

using Strings = std::vector<std::string>;

Arguments Parsed(const Strings& args) {
  Result<Arguments> arguments = ParseArguments(args);
  INFO((arguments ? "" : arguments.error().what));
  REQUIRE(arguments);
  return *std::move(arguments);
}

Strings Words(const CommandLine& line) {
  Strings texts;
  for (const Word& word : line.words) texts.push_back(word.text);
  return texts;
}

TEST_CASE("the original's path flags select classic mode") {
  const Arguments arguments = Parsed({"--graph_path=g", "-run_meta_path", "a,b", "--run_log_path=o",
                                      "--checkpoint_path=c", "--max_depth=3"});
  CHECK(arguments.classic);
  CHECK(Words(arguments.options) == Strings{"--max_depth=3"});
  Strings paths, formats;
  for (const Input& input : Inputs(arguments)) {
    paths.push_back(input.path);
    formats.push_back(input.format);
    CHECK(input.empty_is_message);
  }
  CHECK(paths == Strings{"g", "o", "c", "a", "b"});
  CHECK(formats == Strings{"--graph_path", "--op_log_path", "--checkpoint_path", "--run_meta_path",
                           "--run_meta_path"});
}

TEST_CASE("a command and its options may appear anywhere") {
  for (const Strings& args :
       {Strings{"scope", "p.pb", "--max_depth", "3"}, Strings{"p.pb", "--max_depth", "3", "scope"},
        Strings{"-max_depth", "3", "p.pb", "scope"}}) {
    const Arguments arguments = Parsed(args);
    CHECK(arguments.files == Strings{"p.pb"});
    CHECK(Words(arguments.command).front() == "scope");
    CHECK(Words(arguments.command).back() == "3");
    CHECK_FALSE(arguments.classic);
  }
}

TEST_CASE("a word with / or . or with a file's name is a file") {
  CHECK(Parsed({"./op"}).files == Strings{"./op"});
  CHECK(Parsed({"op.pb"}).files == Strings{"op.pb"});
  // The tests run in the root of the sources, where there is no file `op`.
  CHECK(Parsed({"a", "op"}).files == Strings{"a"});
  // The second command is a file.
  CHECK(Parsed({"op", "scope"}).files == Strings{"scope"});
}

TEST_CASE("a command takes its own arguments") {
  const Arguments source = Parsed({"p.pb", "source", "script", "q.pb"});
  CHECK(Words(source.command) == Strings{"source", "script"});
  CHECK(source.files == Strings{"p.pb", "q.pb"});
  CHECK(Words(Parsed({"help", "-order_by"}).command) == Strings{"help", "-order_by"});
}

TEST_CASE("scripts keep their order") {
  const Arguments arguments = Parsed({"p", "-c", "op -n 3", "-f", "s", "-c=scope", "--keep-going"});
  REQUIRE(arguments.scripts.size() == 3);
  CHECK(arguments.scripts[0].text == "op -n 3");
  CHECK(arguments.scripts[1].is_file);
  CHECK(arguments.scripts[2].text == "scope");
  CHECK(arguments.keep_going);
}

TEST_CASE("a flag without value does not take a file as its value") {
  const Arguments arguments = Parsed({"scope", "-account_displayed_op_only", "p.pb"});
  CHECK(arguments.files == Strings{"p.pb"});
  CHECK(Parsed({"-max-bytes", "1GiB", "p"}).max_bytes == uint64_t{1} << 30);
}

TEST_CASE("conflicting and unknown flags are refused") {
  for (const Strings& args :
       {Strings{"--nosuch", "p"}, Strings{"--graph_path"}, Strings{"--graph_path=g", "p"},
        Strings{"--profile_path=p", "--graph_path=g"}, Strings{"p", "op", "-c", "scope"},
        Strings{"-"}, Strings{"-as", "nosuch", "p"}, Strings{"--help=1"},
        Strings{"--max-bytes", "x"}}) {
    INFO(args.front());
    const Result<Arguments> arguments = ParseArguments(args);
    REQUIRE_FALSE(arguments);
    CHECK(arguments.error().kind == ErrorKind::usage);
  }
  CHECK(ParseArguments({"--max_dept=3", "p"}).error().hint == "did you mean -max_depth?");
  CHECK(ParseArguments({"op", "p", "-qwertz"}).error().hint ==
        "tfprof help op lists those of the command");
  CHECK(ParseArguments({"p", "-qwertz"}).error().hint ==
        "tfprof --help lists those of the program");
}

TEST_CASE("patterns find files in natural order") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tfprof_arguments_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  for (const char* name : {"run_10", "run_2", "run_1", "other"})
    std::ofstream(folder / name) << "x";
  Strings names;
  for (const Input& input : FileInputs({(folder / "run_*").string()}, "")) {
    names.push_back(std::filesystem::path(input.path).filename());
  }
  std::filesystem::remove_all(folder);
  CHECK(names == Strings{"run_1", "run_2", "run_10"});
  CHECK(FileInputs({"no[such]*"}, "").front().path == "no[such]*");
}

}  // namespace
}  // namespace tfprof::arguments_test
