// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/picture.h"
#include "emitters/emitter.h"

namespace tfprof {

// Appends the pictures, each followed by an empty line, with no line wider than the terminal;
// consecutive curves form one block. Appends nothing if style.columns is 0 (no terminal) or less
// than kNarrowestPicture.
constexpr int kNarrowestPicture = 40;
void AppendPictures(const std::vector<Picture>& pictures, const Style& style, std::string* out);

}  // namespace tfprof
