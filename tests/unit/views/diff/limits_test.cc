// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/arith.h"
#include "views/diff/limits.h"

namespace tfprof::limits_test {

TEST_CASE("limits: a share of the base applies to steps and to rows") {
  const DiffLimit step = ParseLimit("step>+5%").value();
  CHECK(step.view.empty());
  CHECK(ParseLimit("step > +5 %").value().amount == step.amount);
  CHECK_FALSE(step.Exceeded(100, 105));
  CHECK(step.Exceeded(100, 106));
  const DiffLimit op = ParseLimit("op:MatMul.bytes > +10%").value();
  CHECK(op.view == "op");
  CHECK(op.name == "MatMul");
  CHECK(op.measure == Measure::bytes);
  CHECK(op.Exceeded(kNoInt, 1));  // new
  CHECK_FALSE(op.Exceeded(5, kNoInt));
}

TEST_CASE(
    "limits: amounts are in the measure's unit; a dot that ends no measure is part of the name") {
  const DiffLimit time = ParseLimit("scope:a.b/c>+1ms").value();
  CHECK(time.name == "a.b/c");
  CHECK(time.measure == Measure::micros);
  CHECK(time.amount == 1000);
  CHECK_FALSE(time.Exceeded(500, 1500));
  CHECK(time.Exceeded(500, 1501));
  CHECK(ParseLimit("step>+1s").value().amount == 1e6);
  CHECK(ParseLimit("scope:a/b/>+1ms").value().name == "a/b");  // as ls and Tab show scopes
}

TEST_CASE("limits: a minimum can be set") {
  const DiffLimit runs = ParseLimit("op:Conv2D.occurrence_run<-1").value();
  CHECK_FALSE(runs.Exceeded(5, 4));
  CHECK(runs.Exceeded(5, 3));
}

TEST_CASE("limits: a condition on p follows the amount") {
  const DiffLimit limit = ParseLimit("op:a<b>+5% p<0.05").value();
  CHECK(limit.name == "a<b");
  CHECK(limit.amount == Approx(0.05));
  CHECK(limit.max_p == 0.05);
  CHECK(std::isnan(ParseLimit("step>+5%").value().max_p));
  CHECK(ParseLimit("step<-1ms p<1e-3").value().max_p == 1e-3);
}

TEST_CASE("limits: a meaningless limit is refused") {
  for (const char* text :
       {"", "step", "step>", "step>+", "step>+x%", "step<+5%", "step>-5%", "MatMul>+5%", "op:>+5%",
        "scope:/>+5%", "op:.micros>+5%", "op:A.bytes>+1ms", "step>+5% p<0", "step>+5% p<2",
        "step>+5% p<x", "step p<0.05"}) {
    CAPTURE(text);
    CHECK(ParseLimit(text).error().kind == ErrorKind::usage);
  }
}

TEST_CASE("limits: an error has the name of the option once, where there is one") {
  CHECK(ParseLimit("step").error().what == "'step': a limit needs > or <");
  Query query;
  query.fail_if = {"step>+5%", "step"};
  CHECK(LimitsOf(query).error().what == "-fail-if: 'step': a limit needs > or <");
  query.fail_if.pop_back();
  CHECK(LimitsOf(query).value().size() == 1);
}

}  // namespace tfprof::limits_test
