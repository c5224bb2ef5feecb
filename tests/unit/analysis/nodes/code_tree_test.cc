// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/code_tree.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "analysis/nodes/framework_files.h"
#include "tests/support/store_of.h"

namespace tfprof::code_tree_test {
namespace {

using Lines = std::vector<std::string>;

// "text: nodes", indented by depth.
Lines TreeOf(const StorePtr& store, CodeFrames frames = CodeFrames::all) {
  Context context;
  const Indexes indexes(store);
  const IndexPtr<CodeTree> tree = indexes.Get<CodeTree>(frames, context).value();
  Lines lines;
  std::vector<size_t> depth(tree->parent.size(), 0);
  for (uint32_t row = 0; row < tree->parent.size(); ++row) {
    if (row > 0) depth[row] = depth[tree->parent[row]] + 1;
    std::string line(2 * depth[row], ' ');
    line += std::string(tree->text[row]) + ":";
    for (uint32_t i = tree->first_node[row]; i < tree->first_node[row + 1]; ++i) {
      line += " " + std::string(store->Text(store->nodes[tree->nodes[i].value].name));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

const TestFrame kMain{"/src/main.py", 7, "main"};

}  // namespace

TEST_CASE("code tree: a row shows basename, line and function; equal texts share a row") {
  CHECK(TreeOf(StoreOf({{.name = "b", .stack = {{kMain, {"/other/lib.py", 3, "f"}}}},
                        {.name = "a", .stack = {{kMain, {"/src/lib.py", 3, "f"}}}},
                        {.name = "c", .stack = {{kMain}}},
                        {.name = "no stack"},
                        {.name = "empty stack", .stack = std::vector<TestFrame>{}}})) ==
        Lines{"_TFProfRoot:", "  main.py:7:main: c", "    lib.py:3:f: a b"});
}

TEST_CASE("code tree: frames of frameworks count for their caller") {
  const TestFrame kWrapper{"/usr/lib/python3/dist-packages/jax/api.py", 5, "wrapper"};
  const TestFrame kOp{"tensorflow/python/ops/nn_ops.py", 9, "bias_add"};
  const TestFrame kModel{"/src/model.py", 3, "dense"};
  CHECK(TreeOf(StoreOf({{.name = "a", .stack = {{kMain, kWrapper, kModel, kOp}}},
                        {.name = "b", .stack = {{kMain, kOp}}},
                        {.name = "c", .stack = {{kWrapper, kOp}}},  // none is the program's
                        {.name = "d", .stack = {{kWrapper, kModel}}}}),
               CodeFrames::own) ==
        Lines{"_TFProfRoot:", "  main.py:7:main: b", "    model.py:3:dense: a",
              "  api.py:5:wrapper:", "    nn_ops.py:9:bias_add: c", "  model.py:3:dense: d"});
}

TEST_CASE("code tree: files of Python and of installed packages are a framework's") {
  for (const char* file :
       {"/usr/lib/python3.11/threading.py", "/venv/lib/python3.9/site-packages/flax/core/lift.py",
        "tensorflow/python/util/dispatch.py", "third_party/py/jax/_src/pjit.py", "<string>",
        "<frozen importlib._bootstrap>"}) {
    CHECK(IsFrameworkFile(file, false));
  }
  for (const char* file : {"train.py", "/home/me/tensorflow/train.py", "<stdin>",
                           "<ipython-input-3-abc>", "/tmp/ipykernel_7/1.py", ""}) {
    CHECK_FALSE(IsFrameworkFile(file, true));
  }
  // PyTorch's tracer trims the paths of all packages; elsewhere these are folders of the program.
  for (const char* file :
       {"logging/__init__.py", "json/decoder.py", "torch/nn/modules/linear.py"}) {
    CHECK(IsFrameworkFile(file, true));
    CHECK_FALSE(IsFrameworkFile(file, false));
  }
}

TEST_CASE("code tree: a function name of 20 bytes is cut to 17") {
  const std::string f19(19, 'f'), f20(20, 'f');
  CHECK(TreeOf(StoreOf({{.name = "a", .stack = {{{"a.py", -1, f19}}}},
                        {.name = "b", .stack = {{{"dir/", 2, f20}}}}})) ==
        Lines{"_TFProfRoot:", "  a.py:-1:" + f19 + ": a", "  :2:" + f20.substr(0, 17) + "...: b"});
}

TEST_CASE("code tree: siblings are in order of first insertion by node name") {
  CHECK(TreeOf(StoreOf({{.name = "a", .stack = {{{"z.py", 1, "z"}}}},
                        {.name = "b", .stack = {{{"y.py", 1, "y"}, {"b.py", 1, "b"}}}},
                        {.name = "c", .stack = {{{"z.py", 1, "z"}, {"c.py", 1, "c"}}}},
                        {.name = "d", .stack = {{{"y.py", 1, "y"}, {"a.py", 1, "a"}}}}})) ==
        Lines{"_TFProfRoot:", "  z.py:1:z: a", "    c.py:1:c: c", "  y.py:1:y:", "    b.py:1:b: b",
              "    a.py:1:a: d"});
}

TEST_CASE("code tree: gradients count along the forward node's frames, on separate rows") {
  CHECK(TreeOf(StoreOf({{.name = "x/MatMul", .stack = {{kMain, {"net.py", 2, "dense"}}}},
                        {.name = "gradients/x/MatMul_grad/a", .stack = {{{"opt.py", 9, "o"}}}},
                        {.name = "gradients/x/MatMul_grad/b", .stack = {{{"opt.py", 9, "o"}}}},
                        {.name = "gradients/gone_grad/a", .stack = {{kMain}}},
                        {.name = "gradients/untraced_grad/a"}})) ==
        Lines{"_TFProfRoot:", "  main.py:7:main:", "    net.py:2:dense: x/MatMul",
              "  main.py:7:main (gradient):",
              "    net.py:2:dense (gradient): gradients/x/MatMul_grad/a "
              "gradients/x/MatMul_grad/b"});
}

TEST_CASE("code tree: gradients without a forward node are counted by group") {
  const StorePtr store =
      StoreOf({{.name = "gradients/p_grad/a", .stack = {{kMain}}},
               {.name = "gradients/p_grad/b", .stack = {{kMain}}},
               // The forward node of this one is a gradient itself, so it has no place.
               {.name = "gradients/gradients/p_grad/a_grad/c", .stack = {{kMain}}}});
  CHECK(TreeOf(store) == Lines{"_TFProfRoot:"});
  Context context;
  CHECK(Indexes(store).Get<CodeTree>(context).value()->unknown_forward == 2);
}

TEST_CASE("code tree: the forward node's name is parsed from the gradient's name") {
  CHECK(ForwardName("gradients/x/y_grad/z") == "x/y");
  CHECK(ForwardName("a/gradients/x_grad/z_grad/") == "x");
  CHECK(ForwardName("_grad/gradients/x/y") == "x/y");  // all that follows
  CHECK(ForwardName("gradients/_grad/z").data() == nullptr);
  CHECK(ForwardName("gradients/x").data() == nullptr);
  CHECK(ForwardName("x_grad/y").data() == nullptr);
  CHECK(ForwardName("").data() == nullptr);
}

TEST_CASE("code tree: a very deep stack is walked without recursion") {
  std::vector<TestFrame> stack;
  for (int i = 0; i < 200'000; ++i) stack.push_back({"deep.py", i, "f"});
  const StorePtr store = StoreOf({{.name = "a", .stack = stack}});
  Context context;
  const IndexPtr<CodeTree> tree = Indexes(store).Get<CodeTree>(context).value();
  CHECK(tree->parent.size() == 200'001);
  CHECK(tree->parent[200'000] == 199'999);
  CHECK(tree->end[1] == 200'001);
}

TEST_CASE("code tree: building it can be cancelled") {
  const StorePtr store = StoreOf({{.name = "a", .stack = {{kMain}}}});
  const Indexes indexes(store);
  Context stopped;
  stopped.polls_until_cancel = 0;
  CHECK(!indexes.Get<CodeTree>(stopped));
  Context context;
  CHECK(indexes.Get<CodeTree>(context));
}

}  // namespace tfprof::code_tree_test
