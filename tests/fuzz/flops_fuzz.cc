// SPDX-License-Identifier: Apache-2.0
// Any bytes as a GraphDef whose FLOPs are counted: shapes and attributes of any size, functions
// that call each other, loops. A number is not negative, and with a given shape no graph is an
// error.
#include <fmt/core.h>

#include "analysis/indexes.h"
#include "analysis/op_flops/graph_flops.h"
#include "loaders/formats.h"
#include "proto/graph.pb.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate_message.h"

namespace tfprof {
namespace {

void CountFlops(const StorePtr& store, const FlopCounting& counting) {
  Context context;
  const auto counted = Indexes(store).Get<GraphFlops>(counting, context);
  Require(counted.has_value(), "flops are not counted");
  Require((*counted)->flops.size() == store->nodes.size(), "a node without a number");
  for (size_t i = 0; i < store->nodes.size(); ++i) {
    const bool is_logged = store->nodes[i].float_ops != 0;
    const int64_t flops = (*counted)->flops[i];
    Require(is_logged || flops == kNoInt || flops >= 0, fmt::format("node {}: {}", i, flops));
  }
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return tfprof::MutateMessage(tfprof::pb::GraphDef(), data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  const StorePtr store = LoadAny(kGraphDefLoader, bytes);
  if (store == nullptr || store->nodes.empty()) return 0;
  CountFlops(store, {.counts = true});
  const uint32_t choice = ChoiceOf(bytes);
  const Node& node = store->nodes[choice % store->nodes.size()];
  constexpr int64_t kSizes[] = {0, 1, 7, int64_t{1} << 31, kMaxPs};
  const std::string shape =
      fmt::format("{}={},?,{}", store->Text(node.name), kSizes[choice % 5], kSizes[choice / 5 % 5]);
  CountFlops(store, {.counts = true, .initializers = false, .shapes = {shape}});
  return 0;
}
