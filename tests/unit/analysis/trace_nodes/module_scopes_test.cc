// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/module_scopes.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "analysis/indexes.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/store/call_stacks.h"
#include "tests/support/kineto_of.h"

namespace tfprof::module_scopes_test {
namespace {

// A layer within a model, whose gradient another thread computes, and an optimizer outside of both.
StorePtr Layers() {
  return KinetoOf({
      {"python_function", "train.py(30): main", 0, 1000},
      {"python_function", "nn.Module: Net_0", 10, 90},
      {"python_function", "net.py(4): forward", 11, 80},
      {"python_function", "nn.Module: Linear_1", 20, 40},
      {"cpu_op", "aten::linear", 21, 30, 1, R"("Sequence number": 7)"},
      {"cpu_op", "aten::addmm", 25, 20, 1, R"("Sequence number": 7)"},
      {"cuda_runtime", "cudaLaunchKernel", 30, 5, 1, R"("correlation": 3)"},
      {"cpu_op", "aten::relu", 70, 10, 1, R"("Sequence number": 8)"},
      {"cpu_op", "AddmmBackward0", 200, 50, 2, R"("Sequence number": 7)"},
      {"cpu_op", "aten::mm", 210, 20, 2},
      {"cpu_op", "aten::add_", 300, 10},
      {"kernel", "gemm", 40, 15, 7, R"("correlation": 3, "device": 0, "stream": 7)"},
  });
}

// By name of the node: its time in us on all lanes.
std::map<std::string, int64_t> Nodes(const StorePtr& trace, NodeGranularity of) {
  Context context;
  const Indexes indexes(trace);
  const StorePtr store = indexes.Get<TraceNodes>({{}, of}, context).value()->store;
  std::map<std::string, int64_t> times;
  for (uint32_t row = 0; row < store->EventCount(); ++row) {
    const Node& node = store->nodes[store->labels[store->events.label[row].value].node.value];
    times[std::string(store->Text(node.name))] += store->events.duration_ps[row] / 1'000'000;
  }
  return times;
}

}  // namespace

TEST_CASE("module scopes: operations are in the parts of the model whose calls contain them") {
  const StorePtr trace = Layers();
  const Indexes indexes(trace);
  Context context;
  const auto scopes = indexes.Get<ModuleScopes>(context).value();
  const auto scope_of = [&](std::string_view name) {
    for (uint32_t row = 0; row < trace->EventCount(); ++row) {
      if (trace->Text(trace->labels[trace->events.label[row].value].name) == name) {
        return scopes->paths[scopes->of_event[row]];
      }
    }
    return std::string("no such event");
  };
  CHECK(scope_of("aten::linear") == "Net_0/Linear_1");
  CHECK(scope_of("aten::addmm") == "Net_0/Linear_1");
  CHECK(scope_of("aten::relu") == "Net_0");
  CHECK(scope_of("gemm") == "Net_0/Linear_1");
  CHECK(scope_of("AddmmBackward0") == "Net_0/Linear_1");
  CHECK(scope_of("aten::mm") == "Net_0/Linear_1");
  CHECK(scope_of("aten::add_") == "");
}

TEST_CASE("module scopes: nodes have the names of the parts, and their times add up") {
  const std::map<std::string, int64_t> nodes = Nodes(Layers(), NodeGranularity::one_per_name);
  CHECK(nodes.at("Net_0/Linear_1/aten::linear") == 10);
  CHECK(nodes.at("Net_0/Linear_1/aten::addmm") == 20 + 15);  // on the host, and its kernel
  CHECK(nodes.at("Net_0/aten::relu") == 10);
  CHECK(nodes.at("Net_0/Linear_1/AddmmBackward0") == 30);
  CHECK(nodes.at("Net_0/Linear_1/aten::mm") == 20);
  CHECK(nodes.at("aten::add_") == 10);
}

TEST_CASE("module scopes: a trace without calls of modules has none") {
  const Indexes indexes(KinetoOf({{"cpu_op", "aten::mm", 0, 10}}));
  Context context;
  CHECK(indexes.Get<ModuleScopes>(context).value()->empty());
}

TEST_CASE("Python calls of PyTorch are the stacks of what runs in them") {
  Context context;
  const Indexes indexes(Layers());
  const StorePtr store =
      indexes.Get<TraceNodes>({{}, NodeGranularity::one_per_stack}, context).value()->store;
  const CallStacks stacks = ReadCallStacks(*store, context).value();
  const auto stack_of = [&](std::string_view name) {
    std::string text;
    for (const Node& node : store->nodes) {
      if (store->Text(node.name) != name || !node.stack.some()) continue;
      for (const Frame& frame : stacks.Of(node.stack)) {
        text += (text.empty() ? "" : " > ") + std::string(stacks.Text(frame.file)) + ":" +
                std::to_string(frame.line) + ":" + std::string(stacks.Text(frame.function));
      }
    }
    return text;
  };
  CHECK(stack_of("Net_0/aten::relu") == "train.py:30:main > net.py:4:forward");
  CHECK(stack_of("aten::add_") == "train.py:30:main");
}

}  // namespace tfprof::module_scopes_test
