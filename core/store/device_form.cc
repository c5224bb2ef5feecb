// SPDX-License-Identifier: Apache-2.0
#include "core/store/device_form.h"

#include "core/base/pattern.h"

namespace tfprof {

bool HasDeviceForm(std::string_view lane_name) {
  static const PatternList form({R"(.*/(device:gpu|gpu|device:cpu|cpu):\d+)"});
  return form.Matches(lane_name);
}

}  // namespace tfprof
