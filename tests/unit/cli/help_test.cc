// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/message.h"
#include "cli/shell/commands.h"
#include "core/query/options.h"
#include "tests/support/store_of.h"
#include "views/view.h"

namespace tfprof::help_test {
namespace {

Result<std::string> Help(const std::string& topic, int columns = 0) {
  return HelpAbout(JoinWords({"help", topic}), nullptr, columns);
}

TEST_CASE("every command, option and topic has help") {
  for (const std::string_view name : CommandNames()) CHECK(Help(std::string(name)));
  for (const std::string_view name : HelpTopics()) CHECK(Help(std::string(name)));
  for (const Option& option : Options()) {
    CHECK(Help(std::string(option.name)));
    CHECK(Help("--" + std::string(option.name)));
  }
  CHECK_FALSE(Help("nonsense"));
}

TEST_CASE("the help of a view lists exactly the options that it reads") {
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

TEST_CASE("the help of a view describes its argument") {
  CHECK(Help("op").value().find("\nuse: op [SCOPE] [options]\n") != std::string::npos);
  CHECK(Help("top").value().find("\nuse: top [N] [options]\n") != std::string::npos);
  CHECK(Help("peek").value().find("\nuse: peek NAME [options]\n") != std::string::npos);
  CHECK(Help("diff").value().find("\nuse: diff [FILE] [options]\n") != std::string::npos);
}

// The lines of `text` above its examples that have more than `columns` cells.
std::string TooLong(std::string text, size_t columns) {
  text = text.substr(0, text.find("\nexamples\n"));
  std::istringstream in(text);
  std::string found;
  for (std::string line; std::getline(in, line);) {
    if (line.size() > columns) found += line + "\n";
  }
  return found;
}

TEST_CASE("help is as wide as the terminal") {
  std::vector<std::string_view> topics = HelpTopics();
  for (const std::string_view name : CommandNames()) topics.push_back(name);
  for (const Option& option : Options()) topics.push_back(option.name);
  for (const int columns : {60, 80, 200}) {
    CHECK(TooLong(UsageText(columns), static_cast<size_t>(columns)).empty());
    CHECK(TooLong(HelpAbout(JoinWords({"help"}), nullptr, columns).value(),
                  static_cast<size_t>(columns))
              .empty());
    for (const std::string_view topic : topics) {
      INFO(topic);
      CHECK(TooLong(Help(std::string(topic), columns).value(), static_cast<size_t>(columns)) == "");
    }
  }
}

TEST_CASE("help keeps meanings in their column, fills paragraphs and keeps examples whole") {
  const std::string text =
      "A paragraph of two lines of help\nthat goes on.\n\nheading\n"
      "  name     a meaning of several words to break\n\nexamples\n"
      "  op -select micros,bytes -order_by micros -n 5\n";
  CHECK(FitHelp(text, 0) == text);
  CHECK(FitHelp(text, 35) ==
        "A paragraph of two lines of help\nthat goes on.\n\nheading\n"
        "  name     a meaning of several\n           words to break\n\nexamples\n"
        "  op -select micros,bytes -order_by micros -n 5\n");
  CHECK(FitHelp("A paragraph of two lines of help\nthat goes on.\n", 20) ==
        "A paragraph of two\nlines of help that\ngoes on.\n");
  CHECK(FitEntries("time: what it is that takes\n", 14) == "time: what it\n  is that\n  takes\n");
}

TEST_CASE("docs/options.md is what `help options -format md` prints") {
  std::ifstream in("docs/options.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == OptionsPage());
}

TEST_CASE("docs/columns.md is what `help columns -format md` prints") {
  std::ifstream in("docs/columns.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == ColumnsPage());
}

TEST_CASE("docs/notes.md is what `help notes -format md` prints") {
  std::ifstream in("docs/notes.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == NotesPage());
}

TEST_CASE("docs/flops.md is what `help flops -format md` prints") {
  std::ifstream in("docs/flops.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page == FlopsPage());
}

TEST_CASE("docs/filters.md has the rule and every filter") {
  std::ifstream in("docs/filters.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  CHECK(page.find(kFilterRule) != page.npos);
  CHECK(page.find(FiltersTable()) != page.npos);
  for (const Option& option : Options()) {
    INFO(option.name);
    const bool is_filter = Reads(kCountFilters | kRowFilters, option);
    const std::string row = fmt::format("| `-{} ", option.name);
    CHECK((page.find(row) != page.npos) == is_filter);
  }
  CHECK(Help("filters").value().find("A filter that leaves data out changes totals") !=
        std::string::npos);
}

TEST_CASE("help of an open profile lists views apart that cannot answer about it") {
  const StorePtr store = StoreOf({{.name = "a"}}, {{.node = "a"}});
  const std::string text = HelpAbout(JoinWords({"help"}), store.get(), 0).value();
  const size_t apart = text.find("\nnot for this profile\n");
  REQUIRE(apart != text.npos);
  CHECK(text.find("\n  kernels      needs a trace\n") > apart);
  CHECK(text.find("\n  op           cost by operation type\n") < apart);
  const std::string none = HelpAbout(JoinWords({"help"}), nullptr, 0).value();
  CHECK(none.find("not for this profile") == none.npos);
}

}  // namespace
}  // namespace tfprof::help_test
