// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// The text in a golden for a file that a command wrote: for a pprof profile its samples in words,
// for an HTML page its title and its data without the scripts, for others the bytes, with JSON
// answers formatted (pretty_json.h).
std::string GoldenText(std::string_view bytes);

// `text` without sizes of compressed files, "OUT/x.gz: 5 rows, 1.02 KiB": they depend on the
// version of the compressor.
std::string WithoutCompressedSizes(std::string text);

}  // namespace tfprof
