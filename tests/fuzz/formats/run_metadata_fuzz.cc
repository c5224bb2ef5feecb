// SPDX-License-Identifier: Apache-2.0
// Any bytes as a RunMetadata.
#include "loaders/formats.h"
#include "proto/run_metadata.pb.h"
#include "tests/fuzz/kept.h"
#include "tests/fuzz/mutate_message.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateMessage(tfprof::pb::RunMetadata(), data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  for (const bool partial : {false, true}) {
    ReadKept(LoadAny(kRunMetadataLoader, BytesOf(data, size), {.partial = partial}));
  }
  return 0;
}
