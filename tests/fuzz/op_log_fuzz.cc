// SPDX-License-Identifier: Apache-2.0
#include "loaders/formats.h"
#include "tests/fuzz/load_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto add_nodes = [](tfprof::StoreBuilder& store) {
    for (const char* name : {"a", "b", "conv1"}) {
      store.AddNode(store.Name(name), store.Name("op"), true);
    }
  };
  tfprof::LoadBytes(tfprof::kOpLogLoader, data, size, add_nodes, tfprof::ReadKept);
  return 0;
}
