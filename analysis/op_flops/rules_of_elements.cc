// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/op_flops/rule_functions.h"

namespace tfprof::flop_rule {

int64_t Nothing(const KnownOp&, int64_t) { return 0; }

int64_t PerInput(const KnownOp& op, int64_t factor) {
  return Times({op.Input(0).Elements(), factor});
}

int64_t PerLaterInput(const KnownOp& op, int64_t factor) {
  const auto number = static_cast<size_t>(factor / 100);
  return Times({op.Input(number).Elements(), factor % 100});
}

int64_t PerOutput(const KnownOp& op, int64_t factor) {
  return Times({op.output.Elements(), factor});
}

int64_t SquaredSum(const KnownOp& op, int64_t) {
  const int64_t elements = op.Input(0).Elements();
  if (elements == kNoInt) return kNoInt;
  const int64_t flops = Times({3, elements});
  return flops > 0 ? flops - 1 : 0;
}

int64_t SumOfInputs(const KnownOp& op, int64_t) {
  if (op.inputs.empty()) return 0;
  return Times({op.Input(0).Elements(), static_cast<int64_t>(op.inputs.size()) - 1});
}

int64_t Reduction(const KnownOp& op, int64_t factor) {
  const int64_t in = op.Input(0).Elements();
  const int64_t out = op.output.Elements();
  if (in == kNoInt || out == kNoInt) return kNoInt;
  // The factor is -1 or 0. A sum over nothing has more outputs than inputs.
  return std::max<int64_t>(in + factor * out, 0);
}

// One operation for each element of the updates, which are input 1 or 2.
int64_t Scatter(const KnownOp& op, int64_t factor) {
  return op.Input(static_cast<size_t>(factor)).Elements();
}

// The softmax and its gradient for each class, and the loss of each row.
int64_t SparseCrossEntropy(const KnownOp& op, int64_t) {
  const int64_t rows = op.Input(1).Elements();
  return Plus({Times({5, op.Input(0).Elements()}), Times({3, rows})});
}

}  // namespace tfprof::flop_rule
