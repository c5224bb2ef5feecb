// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Returns the meaning, a sentence, of the facts under `head` (Property::head); empty: unknown head.
std::string_view MeaningOfFact(std::string_view head);

}  // namespace tfprof
