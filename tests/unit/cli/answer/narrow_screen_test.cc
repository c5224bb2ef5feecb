// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "analysis/indexes.h"
#include "emitters/emitter.h"
#include "tests/support/opening.h"
#include "views/views.h"

namespace tfprof::narrow_screen_test {

TEST_CASE("in 80 cells hlo has the operation of an instruction and gives up its rates") {
  const StorePtr store = Open({{"testdata/xspace/xla_train.xplane.pb"}}).value();
  Context context;
  Query query;
  query.place.exact = true;
  const Report report = Hlo(store, Indexes(store), query, context).value();
  const auto heads = [&](int columns) {
    Sink text;
    REQUIRE(FindEmitter("table")->emit(report, query, {.columns = columns}, text, context));
    const size_t begin = text.buffer.find("\ninstruction ") + 1;
    return text.buffer.substr(begin, text.buffer.find('\n', begin) - begin);
  };
  const std::string narrow = heads(80), wide = heads(0);
  for (const char* kept : {"instruction", "operation", "runs", "self time", "share"}) {
    INFO(narrow);
    CHECK(narrow.find(kept) != std::string::npos);
  }
  CHECK(wide.find("FLOP/s") != std::string::npos);
  CHECK(narrow.find("FLOP/s") == std::string::npos);
}

}  // namespace tfprof::narrow_screen_test
