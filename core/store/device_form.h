// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Returns true if a lane's name has the form of a device, `.*/(device:gpu|gpu|device:cpu|cpu):N`.
// The original assigns a node to the first of its lanes with such a name, and saves that one.
bool HasDeviceForm(std::string_view lane_name);

}  // namespace tfprof
