// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// Makes the shapes of outputs known (DetailReader::run_shapes): a mapped file is read when they are
// needed. Of bytes in memory, which are not kept, the shapes are read now, if there is a graph.
void KeepRunShapes(const SourceFile& file, SourceId source, StoreBuilder& store);

}  // namespace tfprof
