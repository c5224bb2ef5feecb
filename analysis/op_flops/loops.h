// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/op_flops/known_op.h"

namespace tfprof {

// Returns the argument that an output of a function passes on unchanged; kNoRow: it is none.
uint32_t ArgumentBehind(const GraphOps& graph, const GraphFunction& function, OpOutput output);

// Returns how often the body of a loop runs, if its condition compares a counter with a limit that
// is known: `arguments` are those of the first trip. kNoInt: it is not known.
int64_t TripsOf(const GraphOps& graph, const GraphFunction& condition, const GraphFunction& body,
                std::span<const KnownTensor> arguments);

}  // namespace tfprof
