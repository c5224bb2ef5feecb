// SPDX-License-Identifier: Apache-2.0
#include "loaders/formats.h"
#include "tests/fuzz/load_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfprof::LoadBytes(
      tfprof::kProfileLoader, data, size, [](tfprof::StoreBuilder&) {}, tfprof::ReadKept);
  return 0;
}
