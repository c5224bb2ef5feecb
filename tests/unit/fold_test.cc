// SPDX-License-Identifier: Apache-2.0
#include "core/fold.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>
#include <set>

#include "core/refine.h"

namespace tfprof {
namespace {

struct Row {
  std::string_view name;
  uint32_t depth = 0;
  int64_t micros = 0;
};

ReportColumn MadeColumn(std::string id, CellType type, Folds folds) {
  ReportColumn column;
  column.spec.id = std::move(id);
  column.spec.type = type;
  column.spec.folds = folds;
  return column;
}

// Columns name, micros.
Report ListOf(const std::vector<Row>& rows) {
  Report report;
  report.view = "list";
  Table& table = report.tables.emplace_back();
  table.rows = rows.size();
  table.ordered_by = "micros";
  table.columns.push_back(MadeColumn("name", CellType::text, Folds::names));
  table.columns.push_back(MadeColumn("micros", CellType::integer, Folds::sum));
  for (const Row& row : rows) {
    table.columns[0].texts.push_back(row.name);
    table.columns[1].integers.push_back(row.micros);
  }
  return report;
}

// The same as a tree; the micros are a measure of the table.
Report TreeOf(const std::vector<Row>& rows) {
  Report report = ListOf(rows);
  Table& table = report.tables[0];
  table.tree = true;
  std::vector<uint32_t> path;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    path.resize(rows[row].depth);
    table.parent.push_back(path.empty() ? Table::kNoRow : path.back());
    table.depth.push_back(rows[row].depth);
    table.node.push_back(NodeId(row));
    path.push_back(row);
    MeasureValues values{};
    At(values, Measure::micros) = rows[row].micros;
    At(values, Measure::bytes) = kNoInt;
    table.total_values.Push(values);
  }
  ReportColumn& micros = table.columns[1];
  micros.spec.role = ColumnRole::total;
  micros.integers.clear();
  micros.stride = kMeasures;
  micros.first = table.total_values[0].data() + static_cast<size_t>(Measure::micros);
  return report;
}

// "NAME xROWS MICROS" by line, indented.
std::string Text(const Table& table) {
  const ReportColumn* counts = table.Find("rows");
  std::string text = "\n";
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.tree) text.append(2 * table.depth[row], ' ');
    text.append(table.Find("name")->texts[row]);
    if (counts != nullptr && counts->Integer(row) > 1) {
      text += " x" + std::to_string(counts->Integer(row));
    }
    const int64_t micros = table.Find("micros")->Integer(row);
    text += micros == kNoInt ? " -\n" : " " + std::to_string(micros) + "\n";
  }
  return text;
}

std::string Folded(Report report) {
  Context context;
  const Result<void> done = Fold(&report, context);
  return done ? Text(report.tables[0]) : done.error().what;
}

TEST_CASE("Rows of a list fold, in the place that their sum has") {
  CHECK(Folded(ListOf({{"head", 0, 50}, {"l_0", 0, 20}, {"l_1", 0, 20}, {"l_2", 0, 19}})) == R"(
l_{0..2} x3 59
head 50
)");
  Report unordered =
      ListOf({{"a", 0, 1}, {"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}, {"b", 0, 9}});
  unordered.tables[0].ordered_by.clear();
  const std::string folded = Folded(std::move(unordered));
  CHECK(folded == R"(
a 1
l_{0..2} x3 6
b 9
)");
}

TEST_CASE("Tables without names, lists of one kind of rows alone, and pairs stay as they are") {
  const std::string pairs = Folded(ListOf({{"conv1", 0, 2}, {"conv2", 0, 1}}));
  CHECK(pairs == "\nconv1 2\nconv2 1\n");
  const std::string alone = Folded(ListOf({{"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}}));
  CHECK(alone == "\nl_0 2\nl_1 2\nl_2 2\n");
  Report report = ListOf({{"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}, {"x", 0, 1}});
  report.tables[0].columns[0].spec.folds = Folds::alike;
  const std::string folded = Folded(std::move(report));
  CHECK(folded == "\nl_0 2\nl_1 2\nl_2 2\nx 1\n");
}

TEST_CASE("Tables in which nothing folds can have the column of those in which something does") {
  const std::vector<Row> pair = {{"conv1", 0, 2}, {"conv2", 0, 1}};
  const std::vector<Row> alike = {{"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}, {"x", 0, 1}};
  Report report;
  for (const std::vector<Row>& rows : {pair, {}, pair, alike}) {
    Report made = ListOf(rows);
    report.tables.push_back(std::move(made.tables[0]));
  }
  report.tables[2].columns[0].spec.folds = Folds::alike;
  Context context;
  REQUIRE(Fold(&report, context));
  CHECK(report.tables[0].Find("rows") == nullptr);
  CountUnfolded(&report);
  REQUIRE(report.tables[0].columns.size() == 3);
  CHECK(report.tables[0].columns[1].spec.id == "rows");
  CHECK(report.tables[0].columns[1].integers == std::vector<int64_t>{1, 1});
  CHECK(report.tables[1].columns[1].integers.empty());
  CHECK(report.tables[2].Find("rows") == nullptr);  // its rows are no things alike
  CHECK(report.tables[3].columns.size() == 3);
  CHECK(report.tables[3].columns[1].integers == std::vector<int64_t>{3, 1});
}

TEST_CASE("Cells of folded rows are combined as their columns say") {
  Report report = ListOf({{"l_0", 0, 5}, {"l_1", 0, kNoInt}, {"l_2", 0, 6}, {"x", 0, kNoInt}});
  Table& table = report.tables[0];
  ReportColumn share = MadeColumn("share", CellType::real, Folds::sum);
  share.reals = {0.25, std::nan(""), 0.5, 0.1};
  ReportColumn shape = MadeColumn("shape", CellType::text, Folds::alike);
  shape.texts = {"2x2", "2x2", "2x2", "3"};
  ReportColumn block = MadeColumn("block", CellType::integer, Folds::alike);
  block.integers = {7, 8, 7, 1};
  ReportColumn device = MadeColumn("device", CellType::texts, Folds::any);
  device.lists = {{"gpu"}, {"cpu", "gpu"}, {}, {}};
  for (ReportColumn* column : {&share, &shape, &block, &device}) table.columns.push_back(*column);
  Context context;
  REQUIRE(Fold(&report, context));
  CHECK(Text(table) == "\nl_{0..2} x3 11\nx -\n");
  CHECK(table.Find("share")->reals[0] == 0.75);
  CHECK(table.Find("shape")->texts[0] == "2x2");
  CHECK(table.Find("block")->integers[0] == kNoInt);
  CHECK(table.Find("block")->integers[1] == 1);
  CHECK(table.Find("device")->lists[0] == std::vector<std::string_view>{"cpu", "gpu"});
  CHECK(table.columns[1].spec.role == ColumnRole::folded_rows);
  const auto names = FoldedNames(table, 0);
  CHECK(std::vector<std::string_view>(names.begin(), names.end()) ==
        std::vector<std::string_view>{"l_0", "l_1", "l_2"});
  CHECK(FoldedNames(table, 1).empty());
}

TEST_CASE("Rows that differ in what they must have in common stay apart") {
  Report report = ListOf({{"l_0", 0, 5}, {"l_1", 0, 5}, {"l_2", 0, 5}, {"l_3", 0, 5}});
  ReportColumn type = MadeColumn("type", CellType::text, Folds::same);
  type.texts = {"Add", "Mul", "Add", "Add"};
  report.tables[0].columns.push_back(type);
  const std::string folded = Folded(std::move(report));
  CHECK(folded == "\nl_{0,2,3} x3 15\nl_1 5\n");
}

TEST_CASE("Siblings of a tree fold with what is below them") {
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

TEST_CASE("Subtrees of another shape, and those that stand out, stay apart") {
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

TEST_CASE("A row that hides one that stands out below it stays apart, with all above that") {
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

TEST_CASE("Of several that could be meant -unfold takes none") {
  const std::vector<Row> rows = {{"a", 0, 100},    {"a/l_0", 1, 20}, {"a/l_1", 1, 20},
                                 {"a/l_2", 1, 20}, {"b", 0, 60},     {"b/l_0", 1, 20},
                                 {"b/l_1", 1, 20}, {"b/l_2", 1, 20}};
  Context context;
  Report report = TreeOf(rows);
  const Result<void> done = Unfold("l_{0..2}", nullptr, &report, context);
  REQUIRE_FALSE(done);
  CHECK(done.error().what == "-unfold: several folded rows are called 'l_{0..2}'");
}

TEST_CASE("Folded rows fold again below, also where they repeat the number") {
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

TEST_CASE("A folded tree stays one: parents, measures and nodes follow") {
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

TEST_CASE("-order_by and -n take folded rows, which keep their names") {
  Report report = ListOf({{"z", 0, 30}, {"l_0", 0, 9}, {"l_1", 0, 9}, {"l_2", 0, 9}, {"a", 0, 1}});
  Context context;
  REQUIRE(Fold(&report, context));
  Query query;
  query.order_column = "name";
  query.rows = 2;
  REQUIRE(Refine(report, query));
  const Table& table = report.tables[0];
  CHECK(Text(table) == "\na 1\nl_{0..2} x3 27\n");
  CHECK(table.omitted_rows == 1);
  CHECK(FoldedNames(table, 0).empty());
  CHECK(FoldedNames(table, 1).size() == 3);
}

std::string Unfolded(Report report, const std::string& name, const Table* before = nullptr) {
  Context context;
  const Result<void> done = Unfold(name, before, &report, context);
  return done ? Text(report.tables[0]) : done.error().what + "; " + done.error().hint;
}

TEST_CASE("A row unfolds into those that it stands for") {
  const std::vector<Row> rows = {{"r", 0, 100},    {"r/l_0", 1, 20},  {"r/l_0/x", 2, 9},
                                 {"r/l_1", 1, 22}, {"r/l_1/x", 2, 9}, {"r/l_2", 1, 21},
                                 {"r/l_2/x", 2, 8}};
  CHECK(Unfolded(TreeOf(rows), "r/l_{0..2}") == "\nr/l_1 22\nr/l_2 21\nr/l_0 20\n");
  CHECK(Unfolded(TreeOf(rows), "l_{0..2}") == "\nr/l_1 22\nr/l_2 21\nr/l_0 20\n");
  CHECK(Unfolded(TreeOf(rows), "x") == "\nr/l_0/x 9\nr/l_1/x 9\nr/l_2/x 8\n");
  const std::vector<Row> list = {{"x", 0, 9}, {"a/l_0/", 0, 1}, {"a/l_1/", 0, 2}, {"a/l_2/", 0, 3}};
  CHECK(Unfolded(ListOf(list), "a/l_{0..2}") == "\na/l_2/ 3\na/l_1/ 2\na/l_0/ 1\n");
  CHECK(Unfolded(ListOf(list), "l_{0..2}/") == "\na/l_2/ 3\na/l_1/ 2\na/l_0/ 1\n");
  CHECK(Unfolded(TreeOf(rows), "y") ==
        "-unfold: no folded row is called 'y'; with its scope, as in r/l_{0..2}");
  CHECK(Unfolded(ListOf({{"a", 0, 1}}), "a") ==
        "-unfold: no folded row is called 'a'; no rows of this answer fold");
}

TEST_CASE("Where other rows stand out now a row unfolds into those that it stood for") {
  std::vector<Row> rows = {
      {"r", 0, 100}, {"r/l_0", 1, 20}, {"r/l_1", 1, 22}, {"r/l_2", 1, 21}, {"r/l_3", 1, 90}};
  Report before = TreeOf(rows);
  Context context;
  REQUIRE(Fold(&before, context));
  rows[2].micros = 200;  // in another order
  const std::string name = "r/l_{0..2}";
  CHECK(Unfolded(TreeOf(rows), name).starts_with("-unfold: no folded row is called"));
  const Table* table = before.tables.data();
  CHECK(Unfolded(TreeOf(rows), name, table) == "\nr/l_1 200\nr/l_2 21\nr/l_0 20\n");
  CHECK(Unfolded(TreeOf(rows), "l_{0..2}", table) == "\nr/l_1 200\nr/l_2 21\nr/l_0 20\n");
  CHECK(
      Unfolded(TreeOf(rows), "r/l_{0..3}", table).starts_with("-unfold: no folded row is called"));
  CHECK(
      Unfolded(ListOf({{"x", 0, 1}}), name, table).starts_with("-unfold: no folded row is called"));
}

struct RandomTree {
  std::deque<std::string> names;
  std::vector<Row> rows;
};

// Up to `most` children of few names that often differ in a number only.
void AddChildren(std::string_view above, uint32_t depth, uint32_t most, std::mt19937& random,
                 RandomTree* tree) {
  std::set<std::string> names;
  for (uint32_t i = random() % (most + 1); i > 0; --i) {
    names.insert(std::string(random() % 4 == 0 ? "b" : "a_") + std::to_string(random() % 6));
  }
  for (const std::string& name : names) {
    const std::string& full = tree->names.emplace_back(std::string(above) + "/" + name);
    tree->rows.push_back({full, depth, static_cast<int64_t>(10 + random() % 4)});
    if (depth < 4) AddChildren(full, depth + 1, most, random, tree);
  }
}

TEST_CASE("Folding loses no row and no time, and leaves a tree in depth-first order") {
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
TEST_CASE("Depth does not matter") {
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

TEST_CASE("Folding can be cancelled") {
  std::vector<std::string> names;
  for (int i = 0; i < 50'000; ++i) names.push_back("scope_" + std::string(i % 7, 'x'));
  std::vector<Row> rows;
  for (const std::string& name : names) rows.push_back({name, 0, 1});
  Report report = ListOf(rows);
  Context context;
  context.polls_until_cancel = 3;
  const Result<void> done = Fold(&report, context);
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::cancelled);
}

}  // namespace
}  // namespace tfprof
