// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/query/options.h"
#include "tests/support/store_of.h"
#include "views/answer.h"
#include "views/view.h"

// The rule in docs/filters.md: the marks of options say what filters do to totals.

namespace tfprof::filters_test {
namespace {

// Two steps: `a/x` (MatMul, cpu:0) takes 2 and 3 us, `b/y` (Add, cpu:1) 4 and 5 us: 14 us.
StorePtr TwoSteps() {
  std::vector<TestRun> runs;
  for (const int64_t step : {0, 1}) {
    runs.push_back({.node = "a/x", .step = step, .device = "/device:cpu:0", .us = 2 + step});
    runs.push_back({.node = "b/y", .step = step, .device = "/device:cpu:1", .us = 4 + step});
  }
  return StoreOf({{.name = "a/x", .type = "MatMul"}, {.name = "b/y", .type = "Add"}}, runs);
}

struct Shown {
  int64_t total_us = 0;
  size_t rows = 0;
};

// The answer of scope in default mode, as the sum over the steps.
Shown ScopeWith(std::string_view option, std::string_view value) {
  const Profile profile(TwoSteps());
  Query query;
  query.place.exact = true;
  query.place.sum_steps = true;
  query.tree = HidesNone();
  REQUIRE(SetOption(*FindOption(option), value, query));
  Context context;
  const Result<Report> report = Answer(profile, ScopeView(), query, context);
  REQUIRE(report);
  for (const Property& property : report->properties) {
    if (property.id != "total_time_us") continue;
    CHECK(property.divisor == 1);
    return {property.integer / kPsPerUs, report->tables[0].rows};
  }
  FAIL("no total");
  return {};
}

}  // namespace

TEST_CASE("filters that leave data out change totals, filters of rows do not") {
  const std::map<std::string_view, std::pair<std::string_view, int64_t>> counting = {
      {"step", {"1", 8}},  // 3 + 5
      {"device", {"cpu:1", 9}}, {"account_type_regexes", {"MatMul", 5}},
      {"focus", {"a/x", 5}},    {"ignore", {"MatMul", 9}},
      {"under", {"b", 9}}};
  const std::map<std::string_view, std::string_view> hiding = {
      {"max_depth", "2"},          {"min_micros", "9us"},      {"min_cpu_micros", "9us"},
      {"start_name_regexes", "b"}, {"trim_name_regexes", "b"}, {"show_name_regexes", "b/.*"},
      {"hide_name_regexes", "b"},  {"where", "name ~ ^b"},     {"n", "2"}};
  // All rows: (total), a, a/x, b, b/y.
  for (const Option& option : Options()) {
    INFO(option.name);
    const auto counts = counting.find(option.name);
    if (counts != counting.end()) {
      CHECK(Reads(kCountFilters, option));
      CHECK(ScopeWith(option.name, counts->second.first).total_us == counts->second.second);
    }
    const auto hides = hiding.find(option.name);
    if (hides != hiding.end()) {
      CHECK(Reads(kRowFilters, option));
      const Shown shown = ScopeWith(option.name, hides->second);
      CHECK(shown.total_us == 14);
      CHECK(shown.rows < 5);
    }
  }
}

TEST_CASE("every option that narrows is a filter of one kind") {
  for (const Option& option : Options()) {
    INFO(option.name);
    const bool is_filter = Reads(kCountFilters | kRowFilters, option);
    if (Reads(kNarrowingOptions, option)) CHECK(is_filter);
    CHECK_FALSE((Reads(kCountFilters, option) && Reads(kRowFilters, option)));
  }
}

}  // namespace tfprof::filters_test
