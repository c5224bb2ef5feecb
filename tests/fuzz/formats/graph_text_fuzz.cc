// SPDX-License-Identifier: Apache-2.0
// Any bytes as a text GraphDef.
#include "loaders/formats.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  LoadAny(kGraphTextLoader, BytesOf(data, size));
  return 0;
}
