// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/export/page_answers.h"
#include "cli/shell/commands.h"
#include "core/query/options.h"

namespace tfprof::filters_in_force_test {
namespace {

struct Asker {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{&in, &out, &err};
  Session session{io};

  // Returns what `filters` prints afterwards.
  std::string After(const std::string& line) {
    REQUIRE(Execute(session, line, "") == 0);
    out.str("");
    REQUIRE(Execute(session, "filters", "") == 0);
    return out.str();
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("filters in force: the prompt, `filters` and pages have the same ones") {
  Asker asker;
  CHECK(asker.After("set -step 3 -max_depth 10") == "filters:  -step 3\n");
  CHECK(PromptOf(asker.session) == "tfprof [1 filter]> ");
  const std::string head = "the page has only what these select:";
  CHECK(NewPage(asker.session).left_out == Texts{head + " -max_depth 10 -step 3"});
  CHECK(asker.After("set -step -1") == "no filters\n");  // as by default: it selects everything
  CHECK(NewPage(asker.session).left_out == Texts{head + " -max_depth 10"});
  CHECK(asker.After("reset") == "no filters\n");
  CHECK(NewPage(asker.session).left_out.empty());
}

}  // namespace tfprof::filters_in_force_test
