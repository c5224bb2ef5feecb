// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Returns true if a source file, given with its folders, belongs to Python or to an installed
// package, such as a framework, and not to the profiled program. Code that has no file but was
// typed or run by a notebook (`<stdin>`, `<ipython-input-3>`) belongs to the program.
// `is_trimmed`: Store::has_trimmed_paths.
bool IsFrameworkFile(std::string_view path, bool is_trimmed);

}  // namespace tfprof
