// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/call_flops/inputs.h"
#include "core/base/arith.h"

namespace tfprof {

// One call of an operation of PyTorch.
struct OpCall {
  std::string_view type;  // aten::mm
  std::span<const CallInput> inputs;
  std::span<const std::string_view> values;  // of inputs that are no tensors, by input
};

// True if there is a rule for calls of that operation.
bool HasCallRule(std::string_view type);

// FLOPs by the rules of docs/formats/kineto.md, a multiply-add being 2: products of matrices,
// convolutions, attention. kNoInt: there is no rule, or a size that it needs is not recorded.
int64_t CallFlops(const OpCall& call);

}  // namespace tfprof
