// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/report.h"

namespace tfprof {

// So many rows of each table that all tables for people have `most` together: small ones leave room
// to the others. No fewer than ten, or `most`, however many tables there are.
int64_t RowsOfEach(const Report& report, int64_t most);

}  // namespace tfprof
