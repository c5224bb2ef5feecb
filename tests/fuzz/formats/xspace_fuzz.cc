// SPDX-License-Identifier: Apache-2.0
// Any bytes as an XSpace.
#include "core/hlo/program.h"
#include "loaders/formats.h"
#include "proto/xplane.pb.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate_message.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateMessage(tfprof::pb::XSpace(), data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  LoadAny(kXSpaceLoader, BytesOf(data, size), {.partial = true});
  const StorePtr store = LoadAny(kXSpaceLoader, BytesOf(data, size));
  for (uint32_t i = 0; store != nullptr && i < store->modules.size(); ++i) {
    (void)ReadProgram(*store, ModuleId(i));
  }
  return 0;
}
