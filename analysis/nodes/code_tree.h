// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/call_stacks.h"
#include "core/store/store.h"
#include "core/text/kept_texts.h"

namespace tfprof {

class Indexes;

// all: as recorded. own: without the frames of frameworks and of Python itself, whose nodes belong
// to the nearest frame of the program. A stack without such a frame stays whole.
enum class CodeFrames : uint8_t { all, own };

// An index. The frames that created the nodes, as the code view shows them:
// `basename:line:function`, with functions of 20 bytes or more cut to 17 and `...`; children of one
// frame with equal text are merged. A gradient node counts along the frames of its forward node, on
// separate rows whose text ends in ` (gradient)`. Row 0 is `_TFProfRoot`. Rows are in depth-first
// order, a subtree is rows [row, end[row]). Siblings are in order of first insertion when nodes are
// visited by name, gradients last; that order breaks ties when sorting.
struct CodeTree {
  using Key = CodeFrames;
  static constexpr size_t kKept = 2;

  Column<uint32_t> parent;  // kNoRow for the root
  Column<uint32_t> end;
  CallStacks stacks;
  // into stacks.frames; of the first node that created the row; root: kNoRow
  Column<uint32_t> frame;
  Column<uint8_t> gradient;
  std::vector<std::string_view> text;  // into `pool`
  Column<uint32_t> first_node;         // rows + 1: nodes whose innermost frame is the row ...
  Column<NodeId> nodes;                // ... ascending by name
  TextPool pool;
  int64_t unknown_forward = 0;  // omitted gradient groups whose forward node is unknown

  static Result<CodeTree> Build(const Indexes& indexes, CodeFrames frames, Context& context);
};

// Returns an expression for the frames of the function of that name, else for those whose text has
// it, such as a file or FILE:LINE; empty: there is none.
std::string FramesNamed(const CodeTree& tree, std::string_view name);

// Returns the name of the node whose gradient `name` computes, or a null view if it is not a
// gradient: the text between the first `gradients/` and the first `_grad/` or, if `_grad/` comes
// earlier, all text after `gradients/`.
std::string_view ForwardName(std::string_view name);

}  // namespace tfprof
