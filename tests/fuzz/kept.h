// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/call_stacks.h"
#include "core/store/details.h"
#include "tests/fuzz/fuzz.h"

namespace tfprof {

// Reads what stays in the file until a question is about it. A null store has nothing.
inline void ReadKept(const StorePtr& store) {
  if (store == nullptr) return;
  Context context;
  const Result<CallStacks> code = ReadCallStacks(*store, context);
  Require(code.has_value(), "call stacks that cannot be read");
  Require(ReadAllocations(*store, context).has_value(), "allocations that cannot be read");
  for (const Node& node : store->nodes) {
    for (const Frame& frame : code->Of(node.stack)) {
      const size_t texts = code->texts.size();
      Require(frame.file.value < texts && frame.function.value < texts, "a frame without texts");
    }
  }
}

}  // namespace tfprof
