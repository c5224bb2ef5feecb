// SPDX-License-Identifier: Apache-2.0
#include "emitters/pprof/file.h"

#include <catch2/catch.hpp>

#include "tests/support/sample_report.h"

namespace tfprof::types_test {

TEST_CASE("pprof has nanoseconds, for reports in us and in ps") {
  for (const auto& [unit, value] :
       {std::pair(Unit::us, int64_t{7}), std::pair(Unit::ps_as_us, int64_t{7'000'000})}) {
    Report report = SampleScope({{"_TFProfRoot", 0, 0, value}, {"a", 1, value, value}});
    for (ReportColumn& column : report.tables[0].columns) {
      if (column.spec.unit == Unit::us) column.spec.unit = unit;
    }
    const std::vector<PprofType> types = PprofTypesOf(report);
    REQUIRE_FALSE(types.empty());
    for (const PprofType& type : types) {
      CHECK(type.unit == "nanoseconds");
      CHECK(value * type.factor / type.divisor == 7000);
    }
  }
}

}  // namespace tfprof::types_test
