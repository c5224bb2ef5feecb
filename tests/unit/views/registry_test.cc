// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "cli/export/writing.h"
#include "emitters/emitter.h"
#include "loaders/loader.h"
#include "views/advice/checker.h"
#include "views/view.h"

// Whatever is in a registry has its help, its page and its golden. Run from the repository root.

namespace tfprof::registry_test {
namespace {

std::string Contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first lines, that is the commands, of all goldens below tests/golden.
std::string GoldenCommands() {
  std::string commands;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("tests/golden")) {
    if (entry.path().extension() != ".test") continue;
    std::ifstream in(entry.path());
    std::string line;
    std::getline(in, line);
    commands += line + " \n";
  }
  return commands;
}

}  // namespace

TEST_CASE("every view has its help, its page and a golden") {
  const std::string commands = GoldenCommands();
  for (const View& view : Views()) {
    INFO(view.name);
    CHECK_FALSE(view.summary.empty());
    CHECK_FALSE(view.help.empty());
    CHECK_FALSE(view.example.empty());
    const std::string name(view.name);
    CHECK(Contents("docs/views/" + name + ".md").find("```console\n$ tfprof") != name.npos);
    CHECK(commands.find(" " + name + " ") != commands.npos);
  }
}

TEST_CASE("every output format has its section in docs/outputs.md and a golden") {
  const std::string page = Contents("docs/outputs.md"), commands = GoldenCommands();
  for (const Emitter& emitter : Emitters()) {
    INFO(emitter.name);
    CHECK_FALSE(emitter.summary.empty());
    const std::string name(emitter.name);
    CHECK(page.find("| `" + name + "` |") != page.npos);
    const bool is_default = name == "classic" || name == "table";  // of one of the doors
    CHECK((is_default || commands.find("-format " + name + " ") != commands.npos));
  }
}

TEST_CASE("every command that writes a file has its help, its page and a golden") {
  const std::string commands = GoldenCommands();
  for (const WritingCommand& command : WritingCommands()) {
    INFO(command.name);
    CHECK_FALSE(command.summary.empty());
    CHECK_FALSE(command.help.empty());
    CHECK_FALSE(command.example.empty());
    const std::string name(command.name);
    CHECK(Contents("docs/commands/" + name + ".md").find("```console\n$ tfprof") != name.npos);
    CHECK(commands.find(" " + name + " ") != commands.npos);
  }
}

TEST_CASE("every checker has its page, and the overview of advise links to it") {
  const std::string overview = Contents("docs/views/advise.md");
  for (const Checker& checker : Checkers()) {
    INFO(checker.name);
    CHECK_FALSE(checker.summary.empty());
    const std::string page = "checkers/" + std::string(checker.name) + ".md";
    CHECK(Contents("docs/" + page).find("**Fires**") != page.npos);
    CHECK(overview.find("](../" + page + ")") != overview.npos);
    for (const FindingText& text : FindingCatalogue()) {
      INFO(text.name);
      if (text.checker != checker.name) continue;
      CHECK(Contents("docs/" + page).find("`" + std::string(text.name) + "`") != page.npos);
    }
  }
}

TEST_CASE("every input format has its page") {
  std::set<std::string_view> names;
  for (const Loader& loader : Loaders()) {
    INFO(loader.name);
    CHECK_FALSE(loader.summary.empty());
    CHECK(names.insert(loader.name).second);
    std::string page(loader.name);
    if (page.ends_with("-text")) page.resize(page.size() - 5);  // one page for both forms
    CHECK(Contents("docs/formats/" + page + ".md").find(std::string(loader.name)) != page.npos);
  }
}

}  // namespace tfprof::registry_test
