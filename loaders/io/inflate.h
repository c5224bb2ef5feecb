// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/column.h"
#include "core/base/context.h"

namespace tfprof {

// True for what begins like a gzip file.
bool IsGzip(std::string_view bytes);

// Asked once, when there is this much: an error ends the inflating, of what may be a bomb.
using LookAtBeginning = Result<void> (*)(const std::string& path, Column<char>* beginning);
constexpr size_t kBeginningBytes = size_t{1} << 20;

// All members of a gzip file, one after the other; zeros behind the last one are padding.
// Errors: corrupt (`where` is `path` and the offset in the compressed bytes), cancelled, limit, or
// that of `look`.
Result<void> Inflate(std::string_view compressed, const std::string& path, Context& context,
                     Column<char>* out, LookAtBeginning look = nullptr);

}  // namespace tfprof
