// SPDX-License-Identifier: Apache-2.0
// Any bytes as a text GraphDef.
#include "loaders/formats.h"
#include "tests/fuzz/load_any.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  LoadAny(kGraphTextLoader, {reinterpret_cast<const char*>(data), size}, /*partial=*/false);
  return 0;
}
