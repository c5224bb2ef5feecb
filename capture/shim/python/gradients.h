// SPDX-License-Identifier: Apache-2.0
// PyTorch runs the backward pass on threads of its own, which are in no Python code. The ranges of
// its operators have the number of the operator of the forward pass that they are the gradient of.
#pragma once

#include <cstdint>

namespace tfprof::capture {

struct ThreadLog;

struct CallStack {
  uint32_t id = 0;
  bool is_gradient = false;  // the stack is that of the forward pass
};

// What a call of CUDA is recorded with, on a thread whose own stack is `own`; 0: none.
CallStack StackOfCall(const ThreadLog& log, uint32_t own);

}  // namespace tfprof::capture
