// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

// What diff compares in the tables of views whose rows are not graph nodes.

namespace tfprof {

// Rows of both sides pair by `names`. Measures that add up have a TOTAL. Those that grow with the
// number of steps, or of runs without steps, are divided by it.
struct ComparedTable {
  std::string_view view = {};
  std::string_view table = {};
  std::vector<std::string_view> names = {};
  std::vector<std::string_view> sums = {};    // grow and add up
  std::vector<std::string_view> grows = {};   // grow: a row's value contains that of other rows
  std::vector<std::string_view> parts = {};   // add up
  std::vector<std::string_view> others = {};  // means, greatest values, rates
  bool merges = false;  // a row is one event or call: those with equal names become one row

  struct Measure {
    std::string_view id;
    bool grows = false;
    bool adds_up = false;
  };
  std::vector<Measure> Measures() const;  // the first orders the rows
};

std::span<const ComparedTable> ComparedTables();

}  // namespace tfprof
