// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Whether a lane's name has the form of a device, `.*/(device:gpu|gpu|device:cpu|cpu):N`. The
// original counts for a node the first of its lanes that is named so, and saves it as such.
bool HasDeviceForm(std::string_view lane_name);

}  // namespace tfprof
