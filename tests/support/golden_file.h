// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// The text that stands in a golden for a file that a command wrote: of a pprof profile its samples
// in words; of a page its title and its data without the scripts; of others the bytes as they are,
// where JSON answers are spread out (pretty_json.h).
std::string GoldenText(std::string_view bytes);

// `text` without sizes of compressed files, "OUT/x.gz: 5 rows, 1.02 KiB": another version of the
// compressor may make other sizes.
std::string WithoutCompressedSizes(std::string text);

}  // namespace tfprof
