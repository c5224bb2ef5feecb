// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof::kineto {

// How certain it is that the bytes are a trace: see Loader::score.
int Score(std::string_view bytes);

// True for a timeline that this program wrote.
bool IsTimeline(std::string_view bytes);

}  // namespace tfprof::kineto
