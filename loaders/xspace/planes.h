// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/store/store.h"
#include "loaders/xspace/stats.h"

// What the names of planes and lines mean. There is no other place where an XSpace says it.

namespace tfprof::xspace {

ProcessKind KindOf(std::string_view plane_name);

// What a device plane says of its device: kind and number from the name, the rest from the plane's
// stats. Names are interned with `name_of`.
struct DeviceFacts {
  Device device;
  std::string_view model;
  std::string_view vendor;
};
DeviceFacts ReadDevice(const Plane& plane, const StatNames& names);

// Role, measures, nesting and derived of a line. `device`: of what the plane is of, null: of no
// device.
Lane ClassifyLine(const Line& line, ProcessKind process, const Device* device);

// The stat of an event metadata that is a compiled program.
constexpr std::string_view kProgramStat = "Hlo Proto";

// The number of the program that an entry of that plane keeps: what its stats say, else the number
// in parentheses behind its name, else its id. Nothing: it keeps none.
std::optional<uint64_t> ProgramIdOf(int64_t id, std::string_view event_metadata,
                                    const StatNames& names);

// Whether the plane keeps the compiled programs: one metadata entry each.
bool KeepsModules(std::string_view plane_name);

}  // namespace tfprof::xspace
