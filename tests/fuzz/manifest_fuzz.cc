// SPDX-License-Identifier: Apache-2.0
// Any bytes as the manifest of a capture: no file outside of its folder is named.
#include <cstdlib>
#include <filesystem>

#include "loaders/inputs/manifest.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  static const TestFolder folder;
  WriteFile(folder / "manifest.json", BytesOf(data, size));
  WriteFile(folder / "a", "a");
  const std::optional<Manifest> manifest = ReadManifest(folder / "");
  if (!manifest) return 0;
  const std::string root = std::filesystem::canonical(folder / "").string();
  for (const std::string& trace : manifest->traces) {
    const std::string path = std::filesystem::canonical(trace).string();
    Require(path.starts_with(root), "a trace outside of the folder: " + trace);
  }
  StoreBuilder store;
  AddCapture(*manifest, store);
  return 0;
}
