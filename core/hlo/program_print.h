// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/hlo/program.h"

// How XLA prints lists, for core/hlo/program_text.cc and core/hlo/program_type.cc.

namespace tfprof {

// "1,2,3"
void AppendNumbers(std::span<const int64_t> numbers, std::string* out, char separator = ',');

// What stands before the item numbered `next`: ", ", and a count for the reader where the list is
// long, ", /*index=5*/".
void AppendSeparator(size_t next, std::string* out);

}  // namespace tfprof
