// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>

#include "tests/support/store_of.h"
#include "views/subject.h"
#include "views/views.h"

// Questions about source lines, and the source lines of other things.

namespace tfprof::source_lines_test {
namespace {

using Lines = std::vector<std::string>;
using Frames = std::vector<TestFrame>;

const TestFrame kMain{"/a/main.py", 10, "main"};
const TestFrame kLayer{"/a/net.py", 5, "layer"};
const TestFrame kLibrary{"/usr/lib/python3/site-packages/nn.py", 100, "conv2d"};

// net.py:5 creates w, conv and, through it, the gradient of conv: 1 + 8 + 6 us. net.py:6 creates
// relu, which recurses: 2 us. Another main.py creates loss: 3 us.
StorePtr Small() {
  const TestFrame recursive{"/a/net.py", 6, "act"};
  return StoreOf({{.name = "w", .type = "Variable", .stack = Frames{kMain, kLayer}},
                  {.name = "conv", .type = "Conv2D", .stack = Frames{kMain, kLayer, kLibrary}},
                  {.name = "relu", .type = "Relu", .stack = Frames{kMain, recursive, recursive}},
                  {.name = "gradients/conv_grad/Back",
                   .type = "Conv2DBackpropInput",
                   .stack = Frames{{"/a/main.py", 20, "main"}}},
                  {.name = "loss", .type = "Sum", .stack = Frames{{"/b/main.py", 30, "main"}}}},
                 {{.node = "w", .us = 1},
                  {.node = "conv", .us = 8},
                  {.node = "relu", .us = 2},
                  {.node = "gradients/conv_grad/Back", .us = 6},
                  {.node = "loss", .us = 3}});
}

std::string Found(const std::string& name) {
  Context context;
  const StorePtr store = Small();
  const Indexes indexes(store);
  const auto entity = FindEntity(*store, indexes, name, "", context);
  if (!entity) return entity.error().what;
  return fmt::format("{} {} {}", KindName(entity->kind), entity->name, entity->nodes.size());
}

std::string CellText(const ReportColumn& column, size_t row) {
  if (column.spec.type == CellType::texts)
    return fmt::format("{}", fmt::join(column.lists[row], ","));
  if (column.spec.type == CellType::text) return std::string(column.texts[row]);
  return column.Integer(row) == kNoInt ? "-" : std::to_string(column.Integer(row));
}

// The named columns of a table.
Lines Rows(MakeReport* make, const std::string& subject, std::string_view table_name,
           const std::vector<std::string>& columns) {
  Context context;
  const StorePtr store = Small();
  const Indexes indexes(store);
  Query query;
  query.subject = subject;
  const Report report = make(store, indexes, query, context).value();
  Lines lines;
  for (const Table& table : report.tables) {
    if (table.name != table_name) continue;
    for (size_t row = 0; row < table.rows; ++row) {
      std::string line;
      for (const std::string& id : columns)
        line += (line.empty() ? "" : " ") + CellText(*table.Find(id), row);
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("a line has the nodes that it and what it calls created, and their gradients") {
  CHECK(Found("net.py:5") == "source line /a/net.py:5 3");
  CHECK(Found("a/net.py:5") == "source line /a/net.py:5 3");
  CHECK(Found("/a/net.py:6") == "source line /a/net.py:6 1");  // recursive: once
  CHECK(Found("main.py:10") == "source line /a/main.py:10 4");
  CHECK(Found("net.py") == "source line /a/net.py 4");
  CHECK(Found("nn.py:100") == "source line /usr/lib/python3/site-packages/nn.py:100 2");
}

TEST_CASE("a row of code means its line: the gradients are rows of their own") {
  CHECK(Found("net.py:5:layer") == "source line net.py:5:layer 2");
  CHECK(Found("net.py:5:layer (gradient)") == "source line net.py:5:layer (gradient) 1");
}

TEST_CASE("a line must exist, in one file") {
  CHECK(Found("net.py:7") == "no node, scope, type or source line named 'net.py:7'");
  CHECK(Found("et.py:5") == "no node, scope, type or source line named 'et.py:5'");
  CHECK(Found("main.py") == "'main.py' matches 2 files");
  CHECK(Found("b/main.py") == "source line /b/main.py 1");
}

TEST_CASE("why and peek have the lines of an operation and the operations of a line") {
  CHECK(Rows(Why, "Conv2D", "why", {"reason", "text"}).back() ==
        "lines source line net.py:5:layer");
  const Lines why = Rows(Why, "net.py:5", "why", {"reason", "text"});
  CHECK(std::count(why.begin(), why.end(), "operations 3 operations:") == 1);
  CHECK(std::count(why.begin(), why.end(), "operation Conv2D, 8 us") == 1);
  CHECK(std::count(why.begin(), why.end(), "lines 2 source lines:") == 1);
  CHECK(why.back() == "line net.py:5:layer (gradient), 6 us");

  const std::vector<std::string> columns{"name", "time_us", "nodes", "source_line"};
  CHECK(Rows(Peek, "Conv2D", "lines", columns) == Lines{"net.py:5:layer 8 1 5"});
  CHECK(Rows(Peek, "net.py:5", "operations", {"type", "time_us"}) ==
        Lines{"Conv2D 8", "Conv2DBackpropInput 6", "Variable 1"});
  CHECK(Rows(Peek, "net.py:5", "lines", {"name", "time_us", "nodes"}) ==
        Lines{"net.py:5:layer 9 2", "net.py:5:layer (gradient) 6 1"});
  CHECK(Rows(Peek, "net.py:5", "around", {"name"}) ==
        Lines{"conv", "gradients/conv_grad/Back", "w"});
}

TEST_CASE("find lists lines by a part of FILE:LINE or of a function") {
  const std::vector<std::string> columns{"kind", "name", "time_us", "nodes", "op_types"};
  CHECK(Rows(Find, "NET.py", "find", columns) ==
        Lines{"source line net.py:5 15 3 Conv2D,Conv2DBackpropInput,Variable",
              "source line net.py:6 2 1 Relu"});
  CHECK(Rows(Find, "act", "find", {"name", "time_us"}) == Lines{"net.py:6 2"});
  CHECK(Rows(Find, "net", "find", {"name"}).empty());  // in file names only with a dot
}

}  // namespace tfprof::source_lines_test
