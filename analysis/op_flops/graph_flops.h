// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/op_flops/body.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// FLOPs of one run of the nodes of a graph: as logged, else by the rules
// (analysis/op_flops/rules.h) from the shapes that the graph has and those that follow from them.
struct GraphFlops {
  Column<int64_t> flops;                   // by node; kNoInt: unknown
  Column<OpWork> work;                     // by node: what it consists of, if it calls functions
  std::vector<std::string> unknown_names;  // of -shape: no node has them

  using Key = FlopCounting;
  static constexpr size_t kKept = 2;
  static Result<GraphFlops> Build(const Indexes& indexes, const Key& counting, Context& context);
};

// A value of -shape; false: it is none.
struct GivenShape {
  std::string name;
  std::vector<int64_t> dims;  // -1: unknown
};
bool ParseShape(std::string_view text, GivenShape* shape);

}  // namespace tfprof
