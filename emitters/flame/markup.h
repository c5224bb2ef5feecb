// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// Appends a printable text so that neither HTML nor XML interprets any part of it, between tags or
// in attributes. The two code points that XML forbids in any form become \xNN.
void AppendMarkup(std::string_view text, std::string* out);

}  // namespace tfprof
