// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/hlo/program.h"

// Prints lists as XLA does, for core/hlo/program_text.cc and core/hlo/program_type.cc.

namespace tfprof {

// Appends "1,2,3".
void AppendNumbers(std::span<const int64_t> numbers, std::string* out, char separator = ',');

// Appends the separator before item number `next`: ", ", and in long lists also an index, ",
// /*index=5*/".
void AppendSeparator(size_t next, std::string* out);

}  // namespace tfprof
