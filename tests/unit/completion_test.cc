// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <catch2/catch.hpp>

namespace tfprof {
namespace {

using Strings = std::vector<std::string>;

TEST_CASE("commands at the start of a line") {
  CHECK(Complete("sco").candidates == Strings{"scope"});
  CHECK(Complete("sco").from == 0);
  CHECK(Complete("time sco").candidates == Strings{"scope"});
  CHECK(Complete("zzz").candidates.empty());
  CHECK(Complete("").candidates.size() > 8);
}

TEST_CASE("options after a command, with the dashes that were typed") {
  CHECK(Complete("scope -max").candidates == Strings{"-max_depth"});
  CHECK(Complete("scope --max").candidates == Strings{"--max_depth"});
  CHECK(Complete("scope -max").from == 6);
  CHECK(Complete("set -acc").candidates ==
        Strings{"-account_displayed_op_only", "-account_type_regexes"});
  CHECK(Complete("echo -max").candidates.empty());
}

TEST_CASE("values of an option") {
  CHECK(Complete("scope -order_by accel").candidates == Strings{"accelerator_micros"});
  CHECK(Complete("scope -order_by=accel").candidates == Strings{"accelerator_micros"});
  CHECK(Complete("scope -order_by=accel").from == 16);
  CHECK(Complete("scope -format js").candidates == Strings{"json", "jsonl"});
  CHECK(Complete("scope -account_displayed_op_only -sel").candidates == Strings{"-select"});
}

TEST_CASE("lists are completed after each comma, without what is there already") {
  const Completion completion = Complete("scope -select micros,p");
  CHECK(completion.candidates == Strings{"params", "peak_bytes"});
  CHECK(completion.from == 21);
  CHECK(completion.after.empty());
  const Strings left = Complete("scope -select micros,").candidates;
  CHECK(left.size() == 13);
  CHECK(Complete("advise -checker JobChecker,Fi").candidates == Strings{"FirstStepChecker"});
  CHECK(Complete("advise -fail-if hi").candidates == Strings{"high"});
}

TEST_CASE("file names where a path is expected") {
  CHECK(Complete("load tests/unit/completion_t").candidates ==
        Strings{"tests/unit/completion_test.cc"});
  const Completion folder = Complete("source tests/uni");
  CHECK(folder.candidates == Strings{"tests/unit/"});
  CHECK(folder.after.empty());
  const Completion output = Complete("scope -output file:outfile=tests/uni");
  CHECK(output.candidates == Strings{"tests/unit/"});
  CHECK(output.from == 27);
  CHECK(Complete("load no/such/folder/").candidates.empty());
}

TEST_CASE("what all candidates begin with") {
  CHECK(CommonPrefix({"min_bytes", "min_micros"}) == "min_");
  CHECK(CommonPrefix({"one"}) == "one");
  CHECK(CommonPrefix({}).empty());
}

}  // namespace
}  // namespace tfprof
