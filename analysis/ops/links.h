// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace tfprof {

// What an operation moves data over.
enum class Link : uint8_t {
  none,
  devices,    // collectives, sends and receives: from device to device
  from_host,  // infeed and the like
  to_host,    // outfeed and the like
};

// By a category in the words of XLA, the name of an instruction with or without its number, or the
// name of a GPU kernel (NCCL, RCCL).
Link LinkOf(std::string_view name);

// Whether an instruction of a compiled program moves data over links, also as a copy from or to
// memory of the host. Traces tell no peak of these links. `text` as XLA prints the instruction;
// each may be empty.
bool MovesOverLinks(std::string_view category, std::string_view name, std::string_view text);

}  // namespace tfprof
