// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::slow_calls_test {

TEST_CASE("a call of 50 us is not slow, any longer one is") {
  const auto report_of = [](int64_t ps) {
    const StorePtr store =
        TraceOf({{.lanes = {{"main", {{"Iterator::Root", 0, ps, {{"iterator", int64_t{1}}}}}}}}});
    Context context;
    return TfData(store, Indexes(store), {}, context).value();
  };
  const Report quick = report_of(50 * kPsPerUs), slow = report_of(50 * kPsPerUs + 1);
  CHECK(quick.Find("is_input_bound")->integer == 0);
  CHECK(quick.tables.at(1).Find("slow_runs")->integers == std::vector<int64_t>{0});
  CHECK(slow.Find("is_input_bound")->integer == 1);
  CHECK(slow.tables.at(1).Find("slow_runs")->integers == std::vector<int64_t>{1});
}

}  // namespace tfprof::slow_calls_test
