// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/op_flops/known_op.h"
#include "analysis/op_flops/shapes/number_arena.h"

namespace tfprof {

constexpr size_t kMostAxes = 64;    // tensors with more are unknown
constexpr size_t kMostValues = 64;  // likewise for numbers of a whole tensor

// Returns what is known of an output from the inputs and attributes: its shape, and its numbers if
// they are few, as the shapes of others are computed from them.
KnownTensor InferOutput(const KnownOp& op, int32_t slot, NumberArena& arena);

// Returns `inferred` with the dimensions that it lacks and `recorded` has.
KnownTensor WithRecorded(const KnownTensor& inferred, const KnownTensor& recorded,
                         NumberArena& arena);

// Returns the shape of an attribute; unknown if there is none.
KnownTensor ShapeAt(const KnownOp& op, GraphKey key, size_t number);

}  // namespace tfprof
