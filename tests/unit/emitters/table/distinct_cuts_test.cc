// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <sstream>

#include "emitters/printable.h"
#include "tests/support/sample_report.h"

namespace tfprof::distinct_cuts_test {
namespace {

using Lines = std::vector<std::string>;

// The lines of a table with one column of names, without its head.
Lines Shown(std::vector<std::string_view> names, int columns, bool utf8 = true) {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = names.size();
  table.columns.push_back(TextColumn("kernel", std::move(names)));
  std::istringstream text(Emit("table", report, {}, {.columns = columns, .utf8 = utf8}));
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  lines.erase(lines.begin(), lines.begin() + 2);
  return lines;
}

TEST_CASE("distinct names stay distinct: they are cut around the first difference") {
  CHECK(Shown({"void gemm_kernel_for_tiles_of_128x64_and_stages_32x6_aligned_at_8(Params)",
               "void gemm_kernel_for_tiles_of_128x32_and_stages_32x6_aligned_at_8(Params)", "short",
               "something that is much longer and like none of the others"},
              40) == Lines{"void gemm_…f_128x64_and_stages_32x6_ali…",
                           "void gemm_…f_128x32_and_stages_32x6_ali…", "short",
                           "something that is m…e none of the others"});
}

TEST_CASE("narrow columns show only the difference; a cut at the end is marked at the end") {
  const std::string prefix(30, 'a'), tail(30, 'b');
  const std::string one = prefix + "1" + tail, two = prefix + "2" + tail;
  CHECK(Shown({one, two}, 14) == Lines{"…aa1bbbbbbbbb…", "…aa2bbbbbbbbb…"});
  CHECK(Shown({one, two}, 14, false) == Lines{"..aa1bbbbbbb..", "..aa2bbbbbbb.."});
  const std::string late = prefix + prefix + "1" + "tail", later = prefix + prefix + "2" + "tail";
  CHECK(Shown({late, later}, 14) == Lines{"aaaaaa…aa1tail", "aaaaaa…aa2tail"});  // by themselves
  const std::string early = "1" + prefix + tail, earlier = "2" + prefix + tail;
  CHECK(Shown({early, earlier}, 14) == Lines{"1aaaaa…bbbbbbb", "2aaaaa…bbbbbbb"});
}

TEST_CASE("several names differ in several places; equal names stay equal") {
  const std::string a(20, 'a'), b(20, 'b'), c(20, 'c');
  const std::string names[] = {a + "1" + b + "1" + c, a + "1" + b + "2" + c, a + "2" + b + "1" + c,
                               a + "1" + b + "1" + c};
  const Lines lines = Shown({names[0], names[1], names[2], names[3]}, 14);
  CHECK(lines[0] == lines[3]);
  CHECK(lines[0] != lines[1]);
  CHECK(lines[0] != lines[2]);
  CHECK(lines[1] != lines[2]);
  CHECK(lines[2] == "…aa2bbbbbbbbb…");
}

TEST_CASE("the last path component is shown beside the difference") {
  std::vector<std::string> names;
  for (int layer = 0; layer < 12; ++layer) {
    names.push_back("model/transformer/layer_" + std::to_string(layer) + "/attention/dot_general");
  }
  const Lines lines = Shown({names.begin(), names.end()}, 24);
  CHECK(lines[2] == "…layer_2/at…/dot_general");
  CHECK(lines[11] == "…layer_11/a…/dot_general");
  CHECK(Shown({names[0]}, 24) == Lines{"model/trans…/dot_general"});
  CHECK(Shown({names[0]}, 16) == Lines{"mod…/dot_general"});
  CHECK(Shown({"threads_that_compute/4302474448806052610"}, 24) ==
        Lines{"threads_tha…448806052610"});
  CHECK(Shown({names[0]}, 12) == Lines{"model…eneral"});  // it does not fit whole
}

std::vector<std::string> NamesOfLayers(int layers) {
  std::vector<std::string> names;
  for (int layer = 0; layer < layers; ++layer) {
    for (const char* part : {"attention/query", "attention/key", "mlp/dense_1", "mlp/dense_2"}) {
      for (const char* end : {"kernel/read", "kernel/write", "bias/read", "bias/write"}) {
        names.push_back("jit(train_step)/transformer/layer_" + std::to_string(layer) + "/" + part +
                        "/" + end);
      }
    }
  }
  return names;
}

TEST_CASE("names with several differences stay distinct in two columns of 80 cells") {
  const std::vector<std::string> names = NamesOfLayers(30);
  for (const bool utf8 : {true, false}) {
    Report report;
    Table& table = report.tables.emplace_back();
    table.rows = names.size();
    table.columns.push_back(TextColumn("kernel", {names.begin(), names.end()}));
    table.columns.push_back(TextColumn("operation", {names.rbegin(), names.rend()}));
    std::istringstream text(Emit("table", report, {}, {.columns = 44, .utf8 = utf8}));
    std::set<std::string> kernels, operations;
    std::string kernel, operation;
    for (text >> kernel >> operation; text >> kernel >> operation;) {
      kernels.insert(kernel);
      operations.insert(operation);
    }
    CHECK(kernels.size() == names.size());
    CHECK(operations.size() == names.size());
  }
}

TEST_CASE("random names stay distinct") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::set<std::string> names;
    for (int i = 0; i < 20; ++i) {
      std::string name;
      for (int part = 0; part < 5; ++part) {
        const char* parts[] = {"aaaaaaaaaa", "aaaaabaaaa", "/aaaaaaaaa"};
        name += parts[random() % 3];
      }
      names.insert(name);
    }
    const size_t width = 16 + random() % 12;
    const Lines lines = Shown({names.begin(), names.end()}, static_cast<int>(width));
    const std::set<std::string> shown(lines.begin(), lines.end());
    CHECK(shown.size() == names.size());
    for (const std::string& line : lines) CHECK(CellWidth(line) <= width);
  }
}

TEST_CASE("multibyte and two-cell letters are never split") {
  std::string prefix, tail;
  for (int i = 0; i < 20; ++i) prefix += "é", tail += "語";
  const Lines lines = Shown({prefix + "本" + tail, prefix + "木" + tail}, 14);
  CHECK(lines == Lines{"…éé本語語語語…", "…éé木語語語語…"});
}

TEST_CASE("rows of a tree are cut after their indentation") {
  const std::string prefix(40, 'a'), tail(40, 'b');
  const std::string root = "root", one = prefix + "1" + tail, two = prefix + "2" + tail;
  const std::vector<SampleRow> rows = {{root, 0}, {one, 1}, {two, 1}};
  Report report = SampleScope(rows);
  Query query;
  query.display.columns = {"name"};
  const std::string text = Emit("table", report, query, {.columns = 20});
  CHECK(text.find("\n  …aaa1bbbbbbbbbbbb…\n  …aaa2bbbbbbbbbbbb…\n") != std::string::npos);
}

}  // namespace
}  // namespace tfprof::distinct_cuts_test
