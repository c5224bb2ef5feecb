// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/graph_flops.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "core/store/builder.h"
#include "loaders/formats.h"
#include "tests/support/source_of.h"

namespace tfprof::graph_flops_test {
namespace {

// ---- graphs as text

std::string Shape(std::string_view key, const std::vector<int>& dims) {
  std::string all;
  for (const int dim : dims) all += fmt::format("dim {{ size: {} }} ", dim);
  return fmt::format("attr {{ key: '{}' value {{ shape {{ {} }} }} }} ", key, all);
}

std::string Whole(std::string_view key, int64_t number) {
  return fmt::format("attr {{ key: '{}' value {{ i: {} }} }} ", key, number);
}

std::string Text(std::string_view key, std::string_view text) {
  return fmt::format("attr {{ key: '{}' value {{ s: '{}' }} }} ", key, text);
}

std::string List(std::string_view key, const std::vector<int>& numbers) {
  return fmt::format("attr {{ key: '{}' value {{ list {{ i: [{}] }} }} }} ", key,
                     fmt::join(numbers, ", "));
}

std::string Function(std::string_view key, std::string_view name) {
  return fmt::format("attr {{ key: '{}' value {{ func {{ name: '{}' }} }} }} ", key, name);
}

// A constant of whole numbers: a list, or one number.
std::string Numbers(const std::vector<int>& numbers, bool scalar = false) {
  const std::string shape = scalar ? "" : fmt::format("dim {{ size: {} }}", numbers.size());
  return fmt::format(
      "attr {{ key: 'value' value {{ tensor {{ dtype: DT_INT32 tensor_shape {{ {} }} "
      "int_val: [{}] }} }} }} ",
      shape, fmt::join(numbers, ", "));
}

std::string Op(std::string_view name, std::string_view type, const std::vector<std::string>& inputs,
               const std::string& attributes = "", std::string_view field = "node") {
  std::string all;
  for (const std::string& input : inputs) all += fmt::format("input: '{}' ", input);
  return fmt::format("{} {{ name: '{}' op: '{}' {}{} }}\n", field, name, type, all, attributes);
}

std::string InBody(std::string_view name, std::string_view type,
                   const std::vector<std::string>& inputs, const std::string& attributes = "") {
  return Op(name, type, inputs, attributes, "node_def");
}

std::string Body(std::string_view name, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& results, const std::string& nodes) {
  std::string signature, returned;
  for (const std::string& argument : arguments) {
    signature += fmt::format("input_arg {{ name: '{}' }} ", argument);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    signature += fmt::format("output_arg {{ name: 'r{}' }} ", i);
    returned += fmt::format("ret {{ key: 'r{}' value: '{}' }} ", i, results[i]);
  }
  std::string lines = nodes;
  std::replace(lines.begin(), lines.end(), '\n', ' ');
  return fmt::format("function {{ signature {{ name: '{}' {} }} {} {} }}\n", name, signature,
                     returned, lines);
}

// The lines of functions are those of the library.
std::string GraphOf(const std::string& text) {
  std::string nodes, functions, line;
  std::istringstream lines(text);
  while (std::getline(lines, line))
    (line.starts_with("function") ? functions : nodes) += line + "\n";
  return nodes + "library {\n" + functions + "}\n";
}

StorePtr Load(const std::string& text, std::string_view logged = {}, int64_t float_ops = 0) {
  Context context;
  StoreBuilder builder;
  REQUIRE(kGraphTextLoader.load(SourceOf(GraphOf(text), "graph"), {}, builder, context));
  if (!logged.empty()) {
    builder.node(builder.FindNode(builder.Name(logged))).float_ops = float_ops;
  }
  Result<StorePtr> store = builder.Finish();
  REQUIRE(store);
  return *store;
}

class Counted {
 public:
  explicit Counted(const std::string& text, FlopCounting counting = {})
      : Counted(Load(text), std::move(counting)) {}
  Counted(StorePtr store, FlopCounting counting) : store_(std::move(store)), indexes_(store_) {
    Context context;
    auto flops = indexes_.Get<GraphFlops>(counting, context);
    REQUIRE(flops);
    flops_ = *flops;
  }
  int64_t Of(std::string_view name) const { return flops_->flops[Node(name)]; }
  const OpWork& WorkOf(std::string_view name) const { return flops_->work[Node(name)]; }
  const GraphFlops& flops() const { return *flops_; }

 private:
  size_t Node(std::string_view name) const {
    const NodeId node = store_->NodeNamed(store_->names.Find(name));
    REQUIRE(node.some());
    return node.value;
  }
  StorePtr store_;
  Indexes indexes_;
  IndexPtr<GraphFlops> flops_;
};

FlopCounting With(std::vector<std::string> shapes) { return {true, true, std::move(shapes)}; }

const std::string kDense = Op("x", "Placeholder", {}, Shape("shape", {-1, 4})) +
                           Op("w", "VariableV2", {}, Shape("shape", {4, 6})) +
                           Op("read", "Identity", {"w"}) + Op("y", "MatMul", {"x", "read"}) +
                           Op("b", "VariableV2", {}, Shape("shape", {6})) +
                           Op("z", "BiasAdd", {"y", "b"}) + Op("a", "Relu", {"z"}, "");

TEST_CASE("graph flops: shapes follow from inputs and variables") {
  const Counted unknown(kDense);
  CHECK(unknown.Of("y") == kNoInt);
  CHECK(unknown.Of("a") == kNoInt);
  CHECK(unknown.Of("read") == 0);
  const Counted known(kDense, With({"x=3,4"}));
  CHECK(known.Of("y") == 2 * 3 * 6 * 4);
  CHECK(known.Of("z") == 18);
  CHECK(known.Of("a") == 18);
  CHECK(Counted(kDense, With({"x:0=3,4", "none=1"})).flops().unknown_names ==
        std::vector<std::string>{"none"});
}

// kDense, with what executions recorded of the placeholder.
StorePtr Ran(const std::vector<std::vector<int64_t>>& shapes_of_x) {
  Context context;
  StoreBuilder builder;
  REQUIRE(kGraphTextLoader.load(SourceOf(GraphOf(kDense), "graph"), {}, builder, context));
  const SourceId source = builder.AddSource({});
  builder.source(source).details.run_shapes = [=](const Store& store, std::vector<RunShape>* out) {
    const NodeId x = store.NodeNamed(store.names.Find("x"));
    for (const std::vector<int64_t>& dims : shapes_of_x) out->push_back({x, 0, dims});
    out->push_back({x, 7, {1}});  // an output that nothing reads
    return Result<void>();
  };
  return builder.Finish().value();
}

TEST_CASE("graph flops: executions record what the graph does not know") {
  CHECK(Counted(Ran({{3, 4}}), {}).Of("y") == 2 * 3 * 6 * 4);
  CHECK(Counted(Ran({{3, 4}, {3, 4}}), {}).Of("z") == 18);
  CHECK(Counted(Ran({{3, 4}, {5, 4}}), {}).Of("y") == kNoInt);  // they differ
  CHECK(Counted(Ran({{3, 4}, {3}}), {}).Of("y") == kNoInt);
  CHECK(Counted(Ran({{3, 4}}), With({"x=1,4"})).Of("y") == 2 * 6 * 4);
}

TEST_CASE("graph flops: logged flops count") {
  const Counted counted(Load(kDense, "y", 7), With({"x=3,4"}));
  CHECK(counted.Of("y") == 7);
  CHECK(counted.Of("z") == 18);
}

TEST_CASE("graph flops: rules do not fill the gaps of a log unless shapes are given") {
  const std::string text = Op("v", "VariableV2", {}, Shape("shape", {6})) + Op("a", "Relu", {"v"});
  const auto flops_of = [&](std::string_view logged, FlopCounting counting) {
    const StorePtr store = Load(text, logged, 7);
    PlaceFilter place = PlaceFilter::Exact();
    place.flops = std::move(counting);
    place.flops.counts = true;
    Context context;
    const auto sums = Indexes(store).Get<NodeSums>(place, context);
    REQUIRE(sums);
    const NodeId node = store->NodeNamed(store->names.Find("a"));
    return (*sums)->values[node.value][static_cast<size_t>(Measure::float_ops)];
  };
  CHECK(flops_of("", {}) == 6);
  CHECK(flops_of("v", {}) == 0);  // unknown
  CHECK(flops_of("v", With({"v=6"})) == 6);
}

TEST_CASE("graph flops: images") {
  const std::string text =
      Op("x", "Placeholder", {}, Shape("shape", {2, 9, 9, 3})) +
      Op("f", "VarHandleOp", {}, Shape("shape", {3, 3, 3, 8})) + Op("r", "ReadVariableOp", {"f"}) +
      Op("c", "Conv2D", {"x", "r"}, List("strides", {1, 2, 2, 1}) + Text("padding", "SAME")) +
      Op("p", "MaxPool", {"c"},
         List("ksize", {1, 2, 2, 1}) + List("strides", {1, 2, 2, 1}) + Text("padding", "VALID")) +
      Op("axes", "Const", {}, Numbers({1, 2})) + Op("m", "Mean", {"p", "axes"}) +
      Op("n", "Neg", {"m"});
  const Counted counted(text);
  CHECK(counted.Of("c") == 2 * (2 * 5 * 5 * 8) * 27);  // ceil(9 / 2) = 5
  CHECK(counted.Of("p") == 4 * (2 * 2 * 2 * 8));       // (5 - 2) / 2 + 1 = 2
  CHECK(counted.Of("m") == 64);
  CHECK(counted.Of("n") == 16);
}

TEST_CASE("graph flops: shapes that are computed") {
  // Flattens all dimensions but the first: Reshape(x, [Shape(x)[0], -1]).
  const std::string text =
      Op("x", "Placeholder", {}, Shape("shape", {5, 2, 3})) + Op("s", "Shape", {"x"}) +
      Op("zero", "Const", {}, Numbers({0})) + Op("one", "Const", {}, Numbers({1})) +
      Op("rows", "StridedSlice", {"s", "zero", "one", "one"}, Whole("shrink_axis_mask", 1)) +
      Op("rest", "Const", {}, Numbers({-1}, true)) + Op("to", "Pack", {"rows", "rest"}) +
      Op("flat", "Reshape", {"x", "to"}) + Op("order", "Const", {}, Numbers({1, 0})) +
      Op("t", "Transpose", {"flat", "order"}) + Op("y", "MatMul", {"flat", "t"}) +
      Op("axis", "Const", {}, Numbers({0}, true)) + Op("both", "ConcatV2", {"y", "y", "axis"}) +
      Op("n", "Neg", {"both"}) + Op("halves", "Split", {"axis", "both"}, Whole("num_split", 2)) +
      Op("second", "Neg", {"halves:1"});
  const Counted counted(text);
  CHECK(counted.Of("y") == 2 * 5 * 5 * 6);
  CHECK(counted.Of("n") == 50);
  CHECK(counted.Of("second") == 25);
}

TEST_CASE("graph flops: calls count as their bodies") {
  const std::string text =
      Op("x", "Placeholder", {}, Shape("shape", {3, 4})) +
      Op("w", "VarHandleOp", {}, Shape("shape", {4, 4})) +
      Op("first", "StatefulPartitionedCall", {"x", "w"}, Function("f", "dense")) +
      Op("second", "PartitionedCall", {"first", "w"}, Function("f", "dense")) +
      Op("gone", "PartitionedCall", {"x"}, Function("f", "none")) + Op("n", "Neg", {"second"}) +
      Body("dense", {"a", "b"}, {"y:product:0"},
           InBody("read", "ReadVariableOp", {"b"}) +
               InBody("y", "MatMul", {"a", "read:value:0", "^read"}));
  const Counted counted(text);
  CHECK(counted.Of("first") == 2 * 12 * 4);
  CHECK(counted.Of("second") == 2 * 12 * 4);
  CHECK(counted.WorkOf("second").known == 2);
  CHECK(counted.Of("n") == 12);
  CHECK(counted.Of("gone") == kNoInt);
}

// A loop that adds 1 to a counter while it is less than `limit` and doubles a tensor of 6 elements.
std::string LoopWith(const std::string& limit) {
  return Op("zero", "Const", {}, Numbers({0}, true)) + limit +
         Op("x", "Placeholder", {}, Shape("shape", {2, 3})) +
         Op("loop", "While", {"zero", "x", "limit"},
            Function("cond", "test") + Function("body", "trip")) +
         Op("n", "Neg", {"loop:1"}) +
         Body("test", {"i", "t", "m"}, {"less:z:0"}, InBody("less", "Less", {"i", "m"})) +
         Body("trip", {"i", "t", "m"}, {"next:z:0", "sum:z:0", "m"},
              InBody("one", "Const", {}, Numbers({1}, true)) +
                  InBody("next", "AddV2", {"i", "one:output:0"}) +
                  InBody("sum", "AddV2", {"t", "t"}));
}

TEST_CASE("graph flops: loops count by their trips") {
  const Counted known(LoopWith(Op("limit", "Const", {}, Numbers({5}, true))));
  // Five trips of a counter and 6 sums; six tests.
  CHECK(known.Of("loop") == 5 * (1 + 6) + 6);
  CHECK(known.WorkOf("loop").loops_once == 0);
  CHECK(known.Of("n") == 6);
  const Counted once(LoopWith(Op("limit", "Placeholder", {}, Shape("shape", {}))));
  CHECK(once.Of("loop") == 1 + 6 + 1);
  CHECK(once.WorkOf("loop").loops_once == 1);
}

TEST_CASE("graph flops: lists of tensors know their elements and their number") {
  // Each trip puts a row of 2 x 3 into a list of three whose rows were declared as ? x 3.
  const std::string text =
      Op("zero", "Const", {}, Numbers({0}, true)) +
      Op("x", "Placeholder", {}, Shape("shape", {2, 3})) +
      Op("row", "Const", {}, Numbers({-1, 3})) + Op("three", "Const", {}, Numbers({3}, true)) +
      Op("list", "TensorListReserve", {"row", "three"}) +
      Op("loop", "While", {"zero", "list", "x"},
         Function("cond", "test") + Function("body", "trip")) +
      Op("all", "TensorListStack", {"loop:1", "row"}) + Op("n", "Neg", {"all"}) +
      Body("test", {"i", "l", "x"}, {"less:z:0"},
           InBody("limit", "Const", {}, Numbers({3}, true)) +
               InBody("less", "Less", {"i", "limit:output:0"})) +
      Body("trip", {"i", "l", "x"}, {"next:z:0", "set:output_handle:0", "x"},
           InBody("one", "Const", {}, Numbers({1}, true)) +
               InBody("next", "AddV2", {"i", "one:output:0"}) + InBody("neg", "Neg", {"x"}) +
               InBody("set", "TensorListSetItem", {"l", "i", "neg:y:0"}));
  const Counted counted(text);
  CHECK(counted.Of("loop") == 3 * (1 + 6) + 4);
  CHECK(counted.Of("n") == 3 * 2 * 3);
}

TEST_CASE("graph flops: a list that gets an item keeps its number of elements") {
  const std::string text = Op("zero", "Const", {}, Numbers({0}, true)) +
                           Op("x", "Placeholder", {}, Shape("shape", {2, 3})) +
                           Op("row", "Const", {}, Numbers({-1, 3})) +
                           Op("three", "Const", {}, Numbers({3}, true)) +
                           Op("list", "TensorListReserve", {"row", "three"}) +
                           Op("set", "TensorListSetItem", {"list", "zero", "x"}) +
                           Op("all", "TensorListStack", {"set", "row"}) + Op("n", "Neg", {"all"});
  CHECK(Counted(text).Of("n") == 3 * 2 * 3);
}

TEST_CASE("graph flops: the most expensive branch counts") {
  const std::string text = Op("c", "Placeholder", {}, Shape("shape", {})) +
                           Op("x", "Placeholder", {}, Shape("shape", {2, 3})) +
                           Op("if", "If", {"c", "x"},
                              Function("then_branch", "small") + Function("else_branch", "big")) +
                           Op("n", "Neg", {"if"}) +
                           Body("small", {"a"}, {"y:y:0"}, InBody("y", "Neg", {"a"})) +
                           Body("big", {"a"}, {"y:y:0"}, InBody("y", "Rsqrt", {"a"}));
  const Counted counted(text);
  CHECK(counted.Of("if") == 12);
  CHECK(counted.Of("n") == 6);
}

TEST_CASE("graph flops: first values of variables can be left out") {
  const std::string text = Op("shape", "Const", {}, Numbers({4, 6})) +
                           Op("random", "RandomUniform", {"shape"}) +
                           Op("scaled", "Mul", {"random", "random"}) +
                           Op("w", "VariableV2", {}, Shape("shape", {4, 6})) +
                           Op("set", "Assign", {"w", "scaled"}) + Op("read", "Identity", {"w"}) +
                           Op("less", "Neg", {"read"}) + Op("update", "Assign", {"w", "less"});
  CHECK(Counted(text).Of("scaled") == 24);
  const Counted without(text, {true, false, {}});
  CHECK(without.Of("scaled") == 0);
  CHECK(without.Of("less") == 24);  // training, not the first value
}

TEST_CASE("graph flops: what an update reads as well is more than a first value") {
  // The second variable begins as what was assigned to the first one.
  const std::string text =
      Op("ones", "Const", {}, Numbers({1, 1, 1})) + Op("first", "Neg", {"ones"}) +
      Op("v", "VariableV2", {}, Shape("shape", {3})) +
      Op("w", "VariableV2", {}, Shape("shape", {3})) + Op("set_v", "Assign", {"v", "first"}) +
      Op("set_w", "Assign", {"w", "set_v"}) + Op("read", "Identity", {"v"}) +
      Op("sum", "AddV2", {"read", "first"}) + Op("update", "Assign", {"v", "sum"});
  const Counted without(text, {true, false, {}});
  CHECK(without.Of("first") == 3);
  CHECK(without.Of("sum") == 3);
}

TEST_CASE("graph flops: of a dimension that one operand knows the number counts") {
  const std::string text = Op("x", "Placeholder", {}, Shape("shape", {-1})) +
                           Op("v", "VariableV2", {}, Shape("shape", {6})) +
                           Op("after", "AddV2", {"x", "v"}) + Op("before", "AddV2", {"v", "x"});
  const Counted counted(text);
  CHECK(counted.Of("after") == 6);
  CHECK(counted.Of("before") == 6);
}

TEST_CASE("graph flops: hostile graphs") {
  std::string text;
  // A cycle, and a recursive function.
  text +=
      Op("a", "AddV2", {"b", "x"}) + Op("b", "Neg", {"a"}) +
      Op("x", "Placeholder", {}, Shape("shape", {3})) +
      Op("self", "PartitionedCall", {"x"}, Function("f", "self")) +
      Body("self", {"a"}, {"y:y:0"}, InBody("y", "PartitionedCall", {"a"}, Function("f", "self")));
  // Each function calls the next one twice.
  for (int i = 0; i < 60; ++i) {
    text += Body(
        fmt::format("f{}", i), {"a"}, {"q:y:0"},
        InBody("p", "PartitionedCall", {"a"}, Function("f", fmt::format("f{}", i + 1))) +
            InBody("q", "PartitionedCall", {"p:y:0"}, Function("f", fmt::format("f{}", i + 1))));
  }
  text += Op("deep", "PartitionedCall", {"x"}, Function("f", "f0"));
  // The rank grows with each operation.
  text += Op("zero", "Const", {}, Numbers({0}, true)) + Op("e0", "ExpandDims", {"x", "zero"});
  for (int i = 1; i < 2000; ++i) {
    text += Op(fmt::format("e{}", i), "ExpandDims", {fmt::format("e{}", i - 1), "zero"});
  }
  text += Op("end", "Neg", {"e1999"});
  const Counted counted(text);
  CHECK(counted.Of("self") == kNoInt);
  CHECK(counted.Of("deep") == kNoInt);
  CHECK(counted.Of("end") == kNoInt);
  CHECK(counted.Of("x") == 0);
}

TEST_CASE("graph flops: values of -shape") {
  GivenShape shape;
  REQUIRE(ParseShape("a/b:0=3,?,-1,0", &shape));
  CHECK(shape.name == "a/b");
  CHECK(shape.dims == std::vector<int64_t>{3, -1, -1, 0});
  GivenShape scalar;
  REQUIRE(ParseShape("x=", &scalar));
  CHECK(scalar.dims.empty());
  for (const std::string_view wrong : {"x", "=3", "x=3,", "x=a", "x=3;4", "x=-2"}) {
    INFO(wrong);
    GivenShape none;
    CHECK_FALSE(ParseShape(wrong, &none));
  }
}

}  // namespace
}  // namespace tfprof::graph_flops_test
