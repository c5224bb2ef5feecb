// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "emitters/table/layout.h"

// Names of devices and files begin alike and differ at their end: if there is no room for them, `…`
// replaces the prefix that a whole column shares.

namespace tfprof {

// Sets head_bytes and the width in text columns wider than `most` cells, except names. A head ends
// after a `/` or `:`; no more of it is cut than the width requires.
void CutSharedHeads(size_t most, Layout* layout);

// Appends a cell of the column, printable and without its shared prefix.
void AppendWithoutHead(const LaidColumn& column, std::string_view text, bool utf8,
                       std::string* out);

}  // namespace tfprof
