// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tfprof::capture {

// Prints what a capture on this machine would use, and each obstacle with its fix. Returns 0 if GPU
// work can be recorded, else 1.
int RunDoctor();

}  // namespace tfprof::capture
