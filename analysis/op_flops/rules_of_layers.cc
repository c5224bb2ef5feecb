// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/rule_functions.h"

namespace tfprof::flop_rule {
namespace {

// FLOPs of one step of a cell: its products with `weights` elements, and `each` per unit.
int64_t CellFlops(int64_t batch, int64_t weights, int64_t units, int64_t each) {
  return Plus({Times({2, batch, weights}), Times({batch, units, each})});
}

int64_t GatesOf(std::string_view cell) {
  if (cell == "lstm") return 4;
  if (cell == "gru") return 3;
  return cell.starts_with("rnn") ? 1 : -1;
}

// Per unit of an LSTM: 4 biases, the forget bias, 3 sigmoids of 4, 2 tangents, 2 products and a sum
// for the state, a product for the output.
constexpr int64_t kPerLstmUnit = 4 + 1 + 3 * 4 + 2 + 3 + 1;
// Of a GRU: 3 biases, 2 sigmoids of 4, a tangent, the reset product, and 4 for the state.
constexpr int64_t kPerGruUnit = 3 + 2 * 4 + 1 + 1 + 4;

}  // namespace

// The factor: per element in training in its tens, in inference below.
int64_t BatchNorm(const KnownOp& op, int64_t factor) {
  const bool training = op.Number(GraphKey::training, 1) != 0;
  return Times({op.Input(0).Elements(), training ? factor / 10 : factor % 10});
}

// Inputs: x, cs_prev, h_prev, w, ...
int64_t LstmCell(const KnownOp& op, int64_t) {
  const int64_t units = op.Input(1).Dim(1);
  return CellFlops(op.Input(0).Dim(0), op.Input(3).Elements(), units, kPerLstmUnit);
}

// Inputs: seq_len_max, x by step, cs_prev, h_prev, w, ... The factor: as often as forward.
int64_t LstmBlock(const KnownOp& op, int64_t factor) {
  const KnownTensor& x = op.Input(1);
  const int64_t step =
      CellFlops(x.Dim(1), op.Input(4).Elements(), op.Input(2).Dim(1), kPerLstmUnit);
  return Times({x.Dim(0), step, factor});
}

// Inputs: x, h_prev, w_ru, w_c, ...
int64_t GruCell(const KnownOp& op, int64_t) {
  const int64_t weights = Plus({op.Input(2).Elements(), op.Input(3).Elements()});
  return CellFlops(op.Input(0).Dim(0), weights, op.Input(1).Dim(1), kPerGruUnit);
}

// Inputs: x [steps, batch, inputs], h [layers * directions, batch, units], ... The factor: as often
// as forward.
int64_t CudnnRnn(const KnownOp& op, int64_t factor) {
  const KnownTensor& x = op.Input(0);
  const KnownTensor& state = op.Input(1);
  RecurrentSizes sizes;
  sizes.steps = x.Dim(0);
  sizes.batch = x.Dim(1);
  sizes.inputs = x.Dim(2);
  sizes.units = state.Dim(2);
  sizes.directions = op.Number(GraphKey::bidirectional, 0) != 0 ? 2 : 1;
  sizes.layers = state.Dim(0) < 0 ? -1 : state.Dim(0) / sizes.directions;
  sizes.gates = GatesOf(op.Text(GraphKey::cell));
  return Times({RecurrentFlops(sizes), factor});
}

}  // namespace tfprof::flop_rule
