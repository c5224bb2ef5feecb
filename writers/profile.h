// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/store/store.h"

namespace tfprof {

// A ProfileProto (proto/tfprof_log.proto): graph, log and all steps in one file, which the original
// opens and answers alike. Written node by node: what is held beside the store is the longest node,
// the call stacks, and 4 bytes an event.
// Returns what such a file cannot hold, and what of the code could not be read, as notes. Errors:
// those of the sink; cancelled.
Result<std::vector<Note>> WriteProfile(const Store& store, Sink& sink, Context& context);

}  // namespace tfprof
