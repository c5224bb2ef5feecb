// SPDX-License-Identifier: Apache-2.0
// Any bytes as a binary GraphDef. What libprotobuf reads too must give the same facts.
#include "loaders/formats.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/facts/graph_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  LoadAny(kGraphDefLoader, bytes, {.partial = true});
  const StorePtr store = LoadAny(kGraphDefLoader, bytes);
  pb::GraphDef graph;
  if (!graph.ParseFromArray(data, static_cast<int>(size))) return 0;
  if (store == nullptr || GraphFacts(*store) != GraphFacts(graph)) std::abort();
  return 0;
}
