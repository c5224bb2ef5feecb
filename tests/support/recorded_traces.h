// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tfprof {

// Recorded traces: ours and, if present, those next to the checkout.
inline std::vector<std::string> RecordedTraces() {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const fs::path& root : {fs::path("testdata/xspace"), fs::path("../shared/data/xspace")}) {
    if (!fs::is_directory(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().string().ends_with(".xplane.pb")) paths.push_back(entry.path().string());
    }
  }
  return paths;
}

}  // namespace tfprof
