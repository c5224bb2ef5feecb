// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// Keeps the file such that the shapes of outputs can be read later (DetailReader::run_shapes). A
// compressed file is not kept: its bytes would stay in memory.
void KeepRunShapes(const SourceFile& file, SourceId source, StoreBuilder& store);

}  // namespace tfprof
