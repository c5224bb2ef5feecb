// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/column.h"
#include "core/base/context.h"

namespace tfprof {

// Returns true if the bytes begin like a gzip file.
bool IsGzip(std::string_view bytes);

// Called once, when this many bytes are inflated. An error stops inflating, as the file may be a
// bomb.
using LookAtBeginning = Result<void> (*)(const std::string& path, Column<char>* beginning);
constexpr size_t kBeginningBytes = size_t{1} << 20;

// Inflates all members of a gzip file in order; zeros after the last one are padding. Errors:
// corrupt (`where` is `path` and the offset in the compressed bytes), cancelled, limit, or the
// error of `look`.
Result<void> Inflate(std::string_view compressed, const std::string& path, Context& context,
                     Column<char>* out, LookAtBeginning look = nullptr);

}  // namespace tfprof
