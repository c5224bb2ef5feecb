// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/builder.h"
#include "loaders/tensorflow/run_metadata/rows.h"

namespace tfprof {

// Links nodes that no graph has to the producers of their inputs, which the texts of their records
// name.
void LinkInputs(const RunFile& file, StoreBuilder& store);

}  // namespace tfprof
