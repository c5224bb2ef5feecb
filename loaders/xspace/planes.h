// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/store/store.h"
#include "loaders/xspace/stats.h"

// Interprets the names of planes and lines: an XSpace encodes their roles only there.

namespace tfprof::xspace {

ProcessKind KindOf(std::string_view plane_name);

// Facts of a device plane: kind and number from the name, the rest from the plane's stats. Names
// are interned with `name_of`.
struct DeviceFacts {
  Device device;
  std::string_view model;
  std::string_view vendor;
};
DeviceFacts ReadDevice(const Plane& plane, const StatNames& names);

// Returns the role, measures, nesting and derivation of a line. `device`: the device of the plane;
// null: none.
Lane ClassifyLine(const Line& line, ProcessKind process, const Device* device);

// Stat of an event metadata with a compiled program.
constexpr std::string_view kProgramStat = "Hlo Proto";

// Returns the number of the program in an entry of the plane: from its stats, else the number in
// parentheses after its name, else its id. Returns nothing if the entry has no program.
std::optional<uint64_t> ProgramIdOf(int64_t id, std::string_view event_metadata,
                                    const StatNames& names);

// Returns true if the plane keeps the compiled programs, one per metadata entry.
bool KeepsModules(std::string_view plane_name);

}  // namespace tfprof::xspace
