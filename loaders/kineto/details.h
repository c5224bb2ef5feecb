// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/details.h"
#include "loaders/io/source.h"

namespace tfprof::kineto {

// Returns a reader of the `args` of events from the file. REQUIRES: the file has not become
// shorter.
DetailReader MakeDetailReader(const SourceFile& file);

}  // namespace tfprof::kineto
