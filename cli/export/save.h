// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"

namespace tfprof {

// `save OUT`: writes the open profile as a ProfileProto, or with -oplog as an OpLogProto. Standard
// error lists what such a file cannot hold.
Result<Written> WriteSave(const WritingJob& job);

}  // namespace tfprof
