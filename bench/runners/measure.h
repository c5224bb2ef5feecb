// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// The cost of a piece of work for the process.
struct Cost {
  double user_s = 0;
  double system_s = 0;
  double wall_s = 0;
  int64_t anon_bytes = 0;  // growth of anonymous resident memory, at the end
  int64_t count = 0;       // items found; shows that two ways read the same
};

// The result of the work, kept until its memory is measured; `count` is not timed.
struct Outcome {
  std::shared_ptr<const void> made;
  std::function<int64_t()> count;
};

Result<Cost> CostOf(const std::function<Result<Outcome>()>& work);

// Memory and page tables of one way of reading would affect the cost of the next one, so each is
// measured in a separate process: this program, called again with `arguments`, which measures one
// thing and ends in ReportAndExit.
Result<Cost> MeasureInChild(const std::vector<std::string>& arguments);
[[noreturn]] void ReportAndExit(const Result<Cost>& cost);

// Combines several rounds into one number.
double Best(const std::vector<Cost>& rounds, double Cost::*what);
double Median(const std::vector<Cost>& rounds, double Cost::*what);

}  // namespace tfprof
