// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// What the line of facts says that people read under `head` (Property::head), a sentence; empty:
// none is known.
std::string_view MeaningOfFact(std::string_view head);

}  // namespace tfprof
