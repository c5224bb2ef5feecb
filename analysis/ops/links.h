// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Whether an instruction of a compiled program moves data over links: between devices, as
// collectives, sends and receives do, or between a device and its host, as infeed, outfeed and
// copies from or to memory of the host. Traces tell no peak of these links. `category` in the words
// of XLA, `name` with or without its number, `text` as XLA prints the instruction; each may be
// empty.
bool MovesOverLinks(std::string_view category, std::string_view name, std::string_view text);

}  // namespace tfprof
