// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <set>

#include "tests/support/folding.h"

namespace tfprof::fold_tree_test {
namespace {

TEST_CASE("Siblings of a tree fold together with their subtrees") {
  CHECK(Folded(TreeOf({{"root", 0, 100},
                       {"root/head", 1, 40},
                       {"root/l_1", 1, 21},
                       {"root/l_1/attn", 2, 10},
                       {"root/l_1/mlp", 2, 9},
                       {"root/l_0", 1, 20},
                       {"root/l_0/mlp", 2, 12},
                       {"root/l_0/attn", 2, 8},
                       {"root/l_2", 1, 19},
                       {"root/l_2/mlp", 2, 11},
                       {"root/l_2/attn", 2, 7}})) == R"(
root 100
  root/l_{0..2} x3 60
    root/l_{0..2}/mlp x3 32
    root/l_{0..2}/attn x3 25
  root/head 40
)");
}

TEST_CASE("Subtrees of another shape, and outliers, do not fold") {
  CHECK(Folded(TreeOf({{"r", 0, 100},
                       {"r/l_4", 1, 31},
                       {"r/l_4/mlp", 2, 9},
                       {"r/l_0", 1, 10},
                       {"r/l_0/mlp", 2, 9},
                       {"r/l_1", 1, 10},
                       {"r/l_1/mlp", 2, 9},
                       {"r/l_2", 1, 10},
                       {"r/l_2/moe", 2, 9},
                       {"r/l_3", 1, 10},
                       {"r/l_3/mlp", 2, 9},
                       {"r/l_5", 1, 9}})) == R"(
r 100
  r/l_4 31
    r/l_4/mlp 9
  r/l_{0,1,3} x3 30
    r/l_{0,1,3}/mlp x3 27
  r/l_2 10
    r/l_2/moe 9
  r/l_5 9
)");
}

TEST_CASE("A row with an outlier below it does not fold, nor do its ancestors") {
  std::vector<Row> rows = {{"r", 0, 100},       {"r/l_0", 1, 20},    {"r/l_0/a", 2, 10},
                           {"r/l_0/a/x", 3, 4}, {"r/l_0/b", 2, 8},   {"r/l_1", 1, 20},
                           {"r/l_1/a", 2, 10},  {"r/l_1/a/x", 3, 9}, {"r/l_1/b", 2, 8},
                           {"r/l_2", 1, 20},    {"r/l_2/b", 2, 8},   {"r/l_2/a", 2, 10},
                           {"r/l_2/a/x", 3, 4}, {"r/l_3", 1, 20},    {"r/l_3/a", 2, 10},
                           {"r/l_3/a/x", 3, 4}, {"r/l_3/b", 2, 8}};
  CHECK(Folded(TreeOf(rows)) == R"(
r 100
  r/l_{0,2,3} x3 60
    r/l_{0,2,3}/a x3 30
      r/l_{0,2,3}/a/x x3 12
    r/l_{0,2,3}/b x3 24
  r/l_1 20
    r/l_1/a 10
      r/l_1/a/x 9
    r/l_1/b 8
)");
  rows[0].micros = 1000;  // under a hundredth of it nothing stands out
  CHECK(Folded(TreeOf(rows)).find("r/l_{0..3}/a/x x4 21") != std::string::npos);
  rows.erase(rows.begin() + 13, rows.end());  // what would be left is a pair
  rows[0].micros = 100;
  CHECK(Folded(TreeOf(rows)).find(" x") == std::string::npos);
}

TEST_CASE("Folded rows fold again below, even if they repeat the number") {
  std::vector<std::string> names;
  std::vector<Row> rows = {{"r", 0, 90}};
  names.reserve(40);
  const auto add = [&](std::string name, uint32_t depth, int64_t micros) {
    rows.push_back({names.emplace_back(std::move(name)), depth, micros});
  };
  for (const std::string layer : {"0", "1", "2"}) {
    const std::string scope = "r/l_" + layer;
    add(scope, 1, 30);
    for (const std::string head : {"0", "1", "2", "3"}) add(scope + "/h_" + head, 2, 5);
    add(scope + "/l_" + layer + "_bias", 2, 1);
  }
  CHECK(Folded(TreeOf(rows)) == R"(
r 90
  r/l_{0..2} x3 90
    r/l_{0..2}/h_{0..3} x12 60
    r/l_{0..2}/l_{0..2}_bias x3 3
)");
}

TEST_CASE("A folded tree has consistent parents, measures and nodes") {
  Report report =
      TreeOf({{"r", 0, 100}, {"r/a", 1, 40}, {"r/l_0", 1, 20}, {"r/l_1", 1, 20}, {"r/l_2", 1, 20}});
  Context context;
  REQUIRE(Fold(&report, context));
  const Table& table = report.tables[0];
  CHECK(table.parent == std::vector<uint32_t>{Table::kNoRow, 0, 0});
  CHECK(table.node[0] == NodeId(0));
  CHECK_FALSE(table.node[1].some());
  CHECK(table.node[2] == NodeId(1));
  CHECK(At(table.total_values[1], Measure::micros) == 60);
  CHECK(At(table.total_values[1], Measure::bytes) == kNoInt);
}

struct RandomTree {
  std::deque<std::string> names;
  std::vector<Row> rows;
};

// Up to `max` children of few names that often differ in a number only.
void AddChildren(std::string_view above, uint32_t depth, uint32_t max, std::mt19937& random,
                 RandomTree* tree) {
  std::set<std::string> names;
  for (uint32_t i = random() % (max + 1); i > 0; --i) {
    names.insert(std::string(random() % 4 == 0 ? "b" : "a_") + std::to_string(random() % 6));
  }
  for (const std::string& name : names) {
    const std::string& full = tree->names.emplace_back(std::string(above) + "/" + name);
    tree->rows.push_back({full, depth, static_cast<int64_t>(10 + random() % 4)});
    if (depth < 4) AddChildren(full, depth + 1, max, random, tree);
  }
}

TEST_CASE("Folding loses no row and no time, and keeps depth-first order") {
  std::mt19937 random(7);
  size_t folded_rows = 0;
  for (int round = 0; round < 300; ++round) {
    RandomTree tree{.names = {}, .rows = {{"r", 0, 1}}};
    AddChildren("r", 1, 1 + random() % 6, random, &tree);
    Report report = TreeOf(tree.rows);
    Context context;
    REQUIRE(Fold(&report, context));
    const Table& table = report.tables[0];
    int64_t micros = 0;
    std::multiset<std::string_view> names;
    for (size_t row = 0; row < table.rows; ++row) {
      micros += table.Find("micros")->Integer(row);
      const auto folded = FoldedNames(table, row);
      names.insert(folded.begin(), folded.end());
      if (folded.empty()) names.insert(table.Find("name")->texts[row]);
      folded_rows += folded.size();
      if (row == 0) continue;
      REQUIRE(table.parent[row] < row);
      REQUIRE(table.depth[row] == table.depth[table.parent[row]] + 1);
      REQUIRE(table.depth[row] <= table.depth[row - 1] + 1);
    }
    int64_t micros_before = 0;
    std::multiset<std::string_view> names_before;
    for (const Row& row : tree.rows) {
      micros_before += row.micros;
      names_before.insert(row.name);
    }
    REQUIRE(micros == micros_before);
    REQUIRE(names == names_before);
  }
  CHECK(folded_rows > 1000);
}

// A chain of scopes as deep as a file may say, three times.
TEST_CASE("Folding handles any depth") {
  constexpr uint32_t kDepth = 20'000;
  std::string names[3];
  for (int i = 0; i < 3; ++i) {
    names[i] = "l_" + std::to_string(i);
    for (uint32_t depth = 1; depth < kDepth; ++depth) names[i] += "/a";
  }
  std::vector<Row> rows = {{"", 0, 1}};
  for (const std::string& name : names) {
    for (uint32_t depth = 0; depth < kDepth; ++depth) {
      rows.push_back({std::string_view(name).substr(0, 3 + 2 * depth), depth + 1, 1});
    }
  }
  // Names that nobody reads stay apart: each row has its own text.
  Report report = TreeOf(rows);
  Context context;
  REQUIRE(Fold(&report, context));
  CHECK(report.tables[0].rows == rows.size());
}

}  // namespace
}  // namespace tfprof::fold_tree_test
