// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/keys.h"

#include <catch2/catch.hpp>

#include "core/store/details.h"
#include "tests/support/kineto_of.h"

namespace tfprof::kineto_keys_test {

TEST_CASE("0 and -1 are no correlations: such calls launched nothing") {
  const StorePtr store = KinetoOf({
      {"cuda_runtime", "cudaLaunchKernel", 10, 5, 1, R"("correlation": 4)"},
      {"cuda_runtime", "cudaMalloc", 20, 5, 1, R"("correlation": 0)"},
      {"cuda_runtime", "cudaFree", 30, 5, 1, R"("correlation": -1)"},
  });
  Context context;
  constexpr DetailKey kKeys[] = {AttributeKey::correlation, AttributeKey::launched};
  const auto columns = ReadColumns(*store, ProcessId(0), kKeys, context).value();
  CHECK(columns[0].Integer(0) == 4);
  CHECK(columns[1].Integer(0) == 1);
  for (const uint32_t row : {1u, 2u}) {
    CHECK_FALSE(columns[0].Has(row));
    CHECK_FALSE(columns[1].Has(row));
  }
}

TEST_CASE("a value belongs to its event alone, in any block of rows") {
  constexpr int64_t kRows = DetailBlock::kRows;
  std::vector<KinetoEvent> events;
  for (int64_t i = 0; i < 3 * kRows; ++i) events.push_back({"cpu_op", "aten::mm", i, 1});
  events[5].args = R"("Process Group Ranks": "[0]", "flops": 7)";
  events[6].args = R"("Process Group Name": "tp")";
  events[2 * kRows + 5].args = R"("flops": 8, "flops": 9)";
  const StorePtr store = KinetoOf(events);
  Context context;
  constexpr DetailKey kKeys[] = {AttributeKey::flops, AttributeKey::process_group,
                                 AttributeKey::copy_bytes};
  const auto columns = ReadColumns(*store, ProcessId(0), kKeys, context).value();
  for (uint32_t row = 0; row < events.size(); ++row) {
    const bool is_last = row == 2 * kRows + 5;
    CHECK(columns[0].Integer(row) == (row == 5 ? 7 : is_last ? 9 : kNoInt));
    CHECK(columns[1].Text(row) == (row == 5 ? "[0]" : row == 6 ? "tp" : ""));
  }
  CHECK(columns[2].rows.count == 0);
}

}  // namespace tfprof::kineto_keys_test
