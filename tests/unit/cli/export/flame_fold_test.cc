// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "core/report/fold.h"
#include "emitters/flame/frames.h"
#include "tests/support/store_of.h"
#include "views/views.h"

namespace tfprof::flame_fold_test {

TEST_CASE("flame: folded rows are one frame with the type of their first node") {
  const StorePtr store = StoreOf({{.name = "net/layer_0/mul", .type = "Mul"},
                                  {.name = "net/layer_1/mul", .type = "Mul"},
                                  {.name = "net/layer_2/mul", .type = "Mul"}},
                                 {{.node = "net/layer_0/mul", .us = 5},
                                  {.node = "net/layer_1/mul", .us = 6},
                                  {.node = "net/layer_2/mul", .us = 7}});
  Query query;
  query.place.exact = true;
  Context context;
  Report report = Scope(store, Indexes(store), query, context).value();
  REQUIRE(Fold(&report, context));
  const Flame flame = FlameOf(report, context).value();
  REQUIRE(flame.frames.size() == 4);
  CHECK(FrameLabel(report, flame.frames[2]) == "layer_{0..2}");
  CHECK(FrameLabel(report, flame.frames[3]) == "mul");
  CHECK(flame.frames[3].total == 18 * kPsPerUs);
  CHECK(FrameKind(report, flame.frames[3]) == "Mul");
  const std::vector<std::string> notes = FlameNotes(report, flame, 0, 0);
  CHECK(std::ranges::find(notes, "folded 6 rows into 2: -fold=false") != notes.end());
}

}  // namespace tfprof::flame_fold_test
