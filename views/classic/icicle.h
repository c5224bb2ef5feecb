// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/report.h"

namespace tfprof {

// The drawing of scope and code, as the original has it: not when something ran, but how the time
// of a row divides. A group per depth ("Scope:N") with one track; the root starts at 0, children
// follow each other from the start of their parent, as long as their total times; those without
// time are left out with all below them. Depths are groups 0, 1, ... even where nothing is drawn.
Drawing IcicleDrawing();

}  // namespace tfprof
