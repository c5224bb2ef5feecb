// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/context.h"
#include "core/report.h"
#include "core/store.h"

namespace tfprof {

// The frames that created the nodes, as the code view shows them: `basename:line:function`,
// children of one frame with equal text are one, gradients on frames of their own behind the
// forward ones. Row 0 is `_TFProfRoot`; parent < child; siblings in order of first insertion when
// nodes are walked by name, gradients after.
struct CodeTree {
  Column<uint32_t> parent;
  Column<uint32_t> first_child;  // rows + 1: children of row i are children[first_child[i] ..)
  Column<uint32_t> children;
  std::vector<std::string_view> text;  // into `pool`
  Column<uint32_t> frame;              // of Store::frames; of the first node that made the row
  Column<uint8_t> gradient;
  Column<uint32_t> first_node;  // nodes whose innermost frame is the row, ascending by name
  Column<NodeId> nodes;
  TextPool pool;
  int64_t unknown_forward = 0;  // gradient groups whose forward node is not known: left out
};

Result<CodeTree> BuildCodeTree(const Store& store, const Column<NodeId>& by_name, Context& context);

}  // namespace tfprof
