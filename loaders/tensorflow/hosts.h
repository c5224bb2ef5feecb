// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace tfprof {

// Returns the host part of a TensorFlow device text: its leading components job:, replica: and
// task:, in lower case, e.g. /job:worker/replica:0/task:1. Empty: the text names no host.
std::string HostOf(std::string_view device);

// Returns the device text with its host: a device that names none is of `host`, if not empty.
std::string WithHost(std::string_view device, const std::string& host);

// Returns the hosts of the records of a file, without the empty one. Reads only the heads of its
// messages.
std::set<std::string> HostsOfRun(std::string_view run_metadata);
std::set<std::string> HostsOfProfile(std::string_view profile);

}  // namespace tfprof
