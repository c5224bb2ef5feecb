// SPDX-License-Identifier: Apache-2.0
#include "core/base/column.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace tfprof::column_test {

TEST_CASE("a column keeps its values while it grows from the heap to mappings") {
  Column<uint64_t> column;
  constexpr uint64_t kRows = 3'000'000;  // 24 MB: several mappings
  for (uint64_t i = 0; i < kRows; ++i) column.Push(i * i);
  REQUIRE(column.size() == kRows);
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < kRows; ++i) wrong += column[i] != i * i;
  REQUIRE(wrong == 0);
}

TEST_CASE("a column's own value can be pushed while the column grows") {
  Column<int> column;
  column.Push(42);
  for (int i = 0; i < 100'000; ++i) column.Push(column[0]);
  REQUIRE(column.back() == 42);
}

TEST_CASE("a reserved column keeps its values when it grows, on the heap and beyond") {
  for (const size_t rows : {size_t{5'000}, size_t{2'000'000}}) {
    Column<int> column;
    column.Reserve(1'000);
    for (int i = 0; i < 3; ++i) column.Push(i);
    column.Reserve(rows);
    REQUIRE(column.size() == 3);
    for (int i = 0; i < 3; ++i) REQUIRE(column[static_cast<size_t>(i)] == i);
    Column<int> empty;
    empty.Reserve(1'000);
    empty.Reserve(rows);
    REQUIRE(empty.empty());
  }
}

TEST_CASE("moving a column keeps the source usable and pointers valid") {
  Column<int> a;
  a.Resize(1'000'000, 7);
  const int* data = a.data();
  Column<int> b = std::move(a);
  REQUIRE(b.data() == data);
  REQUIRE(b.size() == 1'000'000);
  REQUIRE(a.empty());  // NOLINT(bugprone-use-after-move): that it is usable is what is tested
  a.Push(1);
  REQUIRE(a[0] == 1);
}

TEST_CASE("Extend leaves room for the caller to write, Resize fills") {
  Column<int> column;
  int* room = column.Extend(3);
  room[0] = room[1] = room[2] = 5;
  column.Resize(5, 9);
  REQUIRE(column.Rows(1, 4).back() == 9);
  REQUIRE(column[2] == 5);
  column.Extend(0);
  REQUIRE(column.size() == 5);
}

}  // namespace tfprof::column_test
