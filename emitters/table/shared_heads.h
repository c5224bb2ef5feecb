// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "emitters/table/layout.h"

// Names of devices and files begin alike and differ at their end: where there is no room for them,
// `…` stands for what a whole column begins with.

namespace tfprof {

// In text columns wider than `most` cells, names excepted: sets head_bytes and the width. A head
// ends behind a `/` or `:`; no more of it is cut than the width needs.
void CutSharedHeads(size_t most, Layout* layout);

// Appends a cell of the column, printable and without its head.
void AppendWithoutHead(const LaidColumn& column, std::string_view text, bool utf8,
                       std::string* out);

}  // namespace tfprof
