// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/report/report.h"

namespace tfprof {

// Moves up to `most` rows of Report::blocks into its first table; the rest is counted in
// omitted_rows. For outputs that lay out whole tables. Errors: those of the blocks.
Result<void> TakeBlocks(size_t most, Report* report, Context& context);

}  // namespace tfprof
