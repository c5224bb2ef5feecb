// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"

namespace tfprof {

// `save OUT`: the open profile as a ProfileProto, or with -oplog as an OpLogProto. What such a file
// cannot hold is told on standard error.
Result<Written> WriteSave(const WritingJob& job);

}  // namespace tfprof
