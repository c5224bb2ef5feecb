// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/context.h"
#include "core/base/kept_texts.h"
#include "core/store/call_stacks.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// An index. The frames that created the nodes, as the code view shows them:
// `basename:line:function`, a function of 20 bytes or more cut to 17 and `...`; children of one
// frame with equal text are one. A gradient node counts along the frames of its forward node, on
// rows of their own whose text ends in ` (gradient)`. Row 0 is `_TFProfRoot`; rows are in
// depth-first order, a subtree is rows [row, end[row]); siblings are in order of first insertion
// when nodes are walked by name, gradients after (that order breaks ties of a sort).
struct CodeTree {
  Column<uint32_t> parent;  // the root's is kNoRow
  Column<uint32_t> end;
  CallStacks stacks;
  Column<uint32_t> frame;  // of stacks.frames; of the first node that made the row; root: kNoRow
  Column<uint8_t> gradient;
  std::vector<std::string_view> text;  // into `pool`
  Column<uint32_t> first_node;         // rows + 1: nodes whose innermost frame is the row ...
  Column<NodeId> nodes;                // ... ascending by name
  TextPool pool;
  int64_t unknown_forward = 0;  // gradient groups whose forward node is not known: left out

  static Result<CodeTree> Build(const Indexes& indexes, Context& context);
};

// The name of the node whose gradient `name` computes, or a null view when it is no gradient: what
// stands between the first `gradients/` and the first `_grad/`; when `_grad/` comes earlier, all
// that follows `gradients/`.
std::string_view ForwardName(std::string_view name);

}  // namespace tfprof
