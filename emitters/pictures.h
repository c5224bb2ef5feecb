// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/picture.h"
#include "emitters/emitter.h"

namespace tfprof {

// Appends the picture, no line of it wider than the terminal, with an empty line behind. Nothing
// where style.columns is 0 (no terminal), or less than kNarrowestPicture.
constexpr int kNarrowestPicture = 40;
void AppendPicture(const Picture& picture, const Style& style, std::string* out);

}  // namespace tfprof
