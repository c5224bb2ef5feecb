// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/sample_report.h"

namespace tfprof {
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

TEST_CASE("names that differ look different: they are cut around that place") {
  CHECK(Shown({"void gemm_kernel_for_tiles_of_128x64_and_stages_32x6_aligned_at_8(Params)",
               "void gemm_kernel_for_tiles_of_128x32_and_stages_32x6_aligned_at_8(Params)", "short",
               "something that is much longer and like none of the others"},
              40) == Lines{"void gemm_…of_128x64_and_stages_32x6_al…",
                           "void gemm_…of_128x32_and_stages_32x6_al…", "short",
                           "something that is m…e none of the others"});
}

TEST_CASE("narrow columns have room for that place alone; the end is an end") {
  const std::string head(30, 'a'), tail(30, 'b');
  const std::string one = head + "1" + tail, two = head + "2" + tail;
  CHECK(Shown({one, two}, 14) == Lines{"…aaa1bbbbbbbb…", "…aaa2bbbbbbbb…"});
  CHECK(Shown({one, two}, 14, false) == Lines{"..aaa1bbbbbb..", "..aaa2bbbbbb.."});
  const std::string late = head + head + "1" + "tail", later = head + head + "2" + "tail";
  CHECK(Shown({late, later}, 14) == Lines{"aaaaaa…aa1tail", "aaaaaa…aa2tail"});  // by themselves
  const std::string early = "1" + head + tail, earlier = "2" + head + tail;
  CHECK(Shown({early, earlier}, 14) == Lines{"1aaaaa…bbbbbbb", "2aaaaa…bbbbbbb"});
}

TEST_CASE("several differ in several places; equal names stay alike") {
  const std::string a(20, 'a'), b(20, 'b'), c(20, 'c');
  const std::string names[] = {a + "1" + b + "1" + c, a + "1" + b + "2" + c, a + "2" + b + "1" + c,
                               a + "1" + b + "1" + c};
  const Lines lines = Shown({names[0], names[1], names[2], names[3]}, 14);
  CHECK(lines[0] == lines[3]);
  CHECK(lines[0] != lines[1]);
  CHECK(lines[0] != lines[2]);
  CHECK(lines[1] != lines[2]);
  CHECK(lines[2] == "…aaa2bbbbbbbb…");
}

TEST_CASE("letters of several bytes and of two cells are not cut in two") {
  std::string head, tail;
  for (int i = 0; i < 20; ++i) head += "é", tail += "語";
  const Lines lines = Shown({head + "本" + tail, head + "木" + tail}, 14);
  CHECK(lines == Lines{"…ééé本語語語…", "…ééé木語語語…"});
}

TEST_CASE("rows of a tree are cut behind their indentation") {
  const std::string head(40, 'a'), tail(40, 'b');
  const std::string root = "root", one = head + "1" + tail, two = head + "2" + tail;
  const std::vector<SampleRow> rows = {{root, 0}, {one, 1}, {two, 1}};
  Report report = SampleScope(rows);
  Query query;
  query.columns = {"name"};
  const std::string text = Emit("table", report, query, {.columns = 20});
  CHECK(text.find("\n  …aaaa1bbbbbbbbbbb…\n  …aaaa2bbbbbbbbbbb…\n") != std::string::npos);
}

}  // namespace
}  // namespace tfprof
