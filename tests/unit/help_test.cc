// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "core/options.h"
#include "views/view.h"

namespace tfprof {
namespace {

Result<std::string> Help(const std::string& topic) { return HelpAbout(JoinWords({"help", topic})); }

TEST_CASE("every command, option and topic has help") {
  for (const std::string_view name : CommandNames()) CHECK(Help(std::string(name)));
  for (const std::string_view name : HelpTopics()) CHECK(Help(std::string(name)));
  for (const Option& option : Options()) {
    CHECK(Help(std::string(option.name)));
    CHECK(Help("--" + std::string(option.name)));
  }
  CHECK_FALSE(Help("nonsense"));
}

TEST_CASE("the help of a view lists the options that it reads, and no other") {
  for (const View& view : Views()) {
    const std::string text = Help(std::string(view.name)).value();
    for (const Option& option : Options()) {
      const bool reads = Reads(view.options, option);
      INFO(view.name << " -" << option.name);
      const std::string row = "\n  -" + std::string(option.name) + " ";
      CHECK((text.find(row) != std::string::npos) == reads);
    }
  }
}

TEST_CASE("the help of a view says which word stands behind it") {
  CHECK(Help("op").value().find("\nuse: op [options]\n") != std::string::npos);
  CHECK(Help("top").value().find("\nuse: top [N] [options]\n") != std::string::npos);
  CHECK(Help("peek").value().find("\nuse: peek NAME [options]\n") != std::string::npos);
  CHECK(Help("diff").value().find("\nuse: diff [FILE] [options]\n") != std::string::npos);
}

TEST_CASE("docs/options.md is what `help options -format md` prints") {
  std::ifstream in("docs/options.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == OptionsPage());
}

}  // namespace
}  // namespace tfprof
