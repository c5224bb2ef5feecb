// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "core/store/store.h"

namespace tfprof {

// Describes the open files in one line, with the sum of their `size`: each file if they are few,
// "DIR: 201 processes of train on host node7 (xspace, 1.1 MiB)" for a capture, and
// "DIR: 12 files (xspace, 80 MiB)" for many files of a folder.
std::string SourcesText(const Store& store, uint64_t Source::*size);

}  // namespace tfprof
