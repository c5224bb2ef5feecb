// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/column.h"
#include "core/base/context.h"

namespace tfprof {

// True for what begins like a gzip file.
bool IsGzip(std::string_view bytes);

// All members of a gzip file, one after the other; zeros behind the last one are padding.
// Errors: corrupt (`where` is `path` and the offset in the compressed bytes), cancelled, limit.
Result<void> Inflate(std::string_view compressed, const std::string& path, Context& context,
                     Column<char>* out);

}  // namespace tfprof
