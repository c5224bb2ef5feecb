// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/tree_totals.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace tfprof::tree_totals_test {
namespace {

// A tree of `rows` rows in depth-first order whose row i has the value 2^(i % 50) in micros.
struct RandomTree {
  std::vector<uint32_t> parent, end, depth;
  std::vector<MeasureValues> values;
  std::vector<uint8_t> present, accounted;

  RandomTree(uint32_t rows, std::mt19937* random) {
    std::vector<uint32_t> path;
    for (uint32_t row = 0; row < rows; ++row) {
      const size_t keep = path.empty() ? 0 : 1 + (*random)() % path.size();
      path.resize(keep);
      parent.push_back(path.empty() ? 0 : path.back());
      path.push_back(row);
      depth.push_back(static_cast<uint32_t>(path.size()));
      values.push_back({});
      At(values.back(), Measure::micros) = int64_t{1} << row % 50;
      present.push_back(static_cast<uint8_t>(1 << row % 6));
      accounted.push_back((*random)() % 4 == 0 ? 1 : 0);
    }
    end.resize(rows);
    for (uint32_t row = rows; row-- > 0;) {
      end[row] = std::max(end[row], row + 1);
      end[parent[row]] = std::max(end[parent[row]], end[row]);
    }
  }
  NamedTree tree() const {
    NamedTree named;
    named.parent = parent;
    named.end = end;
    return named;
  }
  OwnValues own() const { return {values, present, {}}; }
};

// "row:micros/present" of every kept row down to `depth`.
std::vector<std::string> Kept(const RandomTree& tree, const TreeTotals& totals, uint32_t depth) {
  std::vector<std::string> kept;
  TotalsCursor cursor(totals);
  for (uint32_t row = 0; row < tree.parent.size(); ++row) {
    const size_t at = cursor.Find(row);
    if (at == TotalsCursor::kNone || tree.depth[row] > depth) continue;
    kept.push_back(std::to_string(row) + ":" +
                   std::to_string(At(totals.values[at], Measure::micros)) + "/" +
                   std::to_string(totals.present[at]));
  }
  return kept;
}

}  // namespace

TEST_CASE("totals down to a depth equal those of the whole tree") {
  std::mt19937 random(7);
  Context context;
  for (const uint32_t rows : {1u, 2u, 3u, 10u, 40u, 300u}) {
    for (int round = 0; round < 30; ++round) {
      const RandomTree tree(rows, &random);
      const bool all = round % 5 == 0;
      const std::span<const uint8_t> accounted =
          all ? std::span<const uint8_t>() : std::span<const uint8_t>(tree.accounted);
      const TreeTotals whole = SumTree(tree.tree(), tree.own(), accounted, false, context).value();
      for (const uint32_t depth : {0u, 1u, 2u, 3u, 5u, 400u}) {
        INFO(rows << " rows, depth " << depth);
        const TreeTotals shallow =
            SumTreeTo(depth, tree.tree(), tree.own(), accounted, context).value();
        CHECK(shallow.rows.size() <= rows);
        const uint32_t shown = std::max(depth, 1u);
        CHECK(Kept(tree, shallow, shown) == Kept(tree, whole, shown));
      }
    }
  }
}

}  // namespace tfprof::tree_totals_test
