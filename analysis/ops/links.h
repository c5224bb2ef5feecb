// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace tfprof {

// The link that an operation moves data over.
enum class Link : uint8_t {
  none,
  devices,    // collectives, sends and receives: from device to device
  from_host,  // infeed and similar operations
  to_host,    // outfeed and similar operations
};

// Classifies a category in the words of XLA, the name of an instruction with or without its number,
// or the name of a GPU kernel (NCCL, RCCL).
Link LinkOf(std::string_view name);

// Returns true if an instruction of a compiled program moves data over links, which includes copies
// from and to host memory. Traces record no peak for these links. `text` as XLA prints the
// instruction; each argument may be empty.
bool MovesOverLinks(std::string_view category, std::string_view name, std::string_view text);

}  // namespace tfprof
