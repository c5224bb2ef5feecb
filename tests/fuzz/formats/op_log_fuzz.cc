// SPDX-License-Identifier: Apache-2.0
// Any bytes as an op log of a graph that has some of its nodes.
#include "loaders/formats.h"
#include "proto/tfprof_log.pb.h"
#include "tests/fuzz/kept.h"
#include "tests/fuzz/mutate_message.h"

namespace {

void AddNodes(tfprof::StoreBuilder& store) {
  for (const char* name : {"a", "b", "conv1"}) {
    store.AddNode(store.Name(name), store.Name("op"), true);
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateMessage(tfprof::pb::OpLogProto(), data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  for (const bool partial : {false, true}) {
    ReadKept(LoadAny(kOpLogLoader, BytesOf(data, size), {.partial = partial, .prepare = AddNodes}));
  }
  return 0;
}
