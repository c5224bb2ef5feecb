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

}  // namespace tfprof::kineto_keys_test
