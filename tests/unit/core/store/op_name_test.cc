// SPDX-License-Identifier: Apache-2.0
#include "core/store/op_name.h"

#include <catch2/catch.hpp>

namespace tfprof::op_name_test {
namespace {

struct Case {
  std::string_view text;
  OpFamily family;
  std::string_view name;
  std::string_view type;
};

constexpr OpFamily kTf = OpFamily::tensorflow, kJax = OpFamily::jax;

constexpr Case kOps[] = {
    {"model/dense_1/MatMul:MatMul", kTf, "model/dense_1/MatMul", "MatMul"},
    {"a-b.c>d:_Recv", kTf, "a-b.c>d", "_Recv"},
    {".hidden:Add_2", kTf, ".hidden", "Add_2"},
    {"model/layer/MatMul_1:", kTf, "model/layer/MatMul_1", "MatMul"},
    {"XlaModule:", kTf, "XlaModule", "XlaModule"},
    {"a name of words/Conv2D_7:", kTf, "a name of words/Conv2D_7", "Conv2D"},
    {"jit(f)/jit(main)/dot_general:dot_general", kJax, "jit(f)/jit(main)/dot_general",
     "dot_general"},
    {"jit(f)/transpose:transpose[permutation=(0, 3, 1)]", kJax, "jit(f)/transpose", "transpose"},
    {"jit(f)/while/body/add_12:", kJax, "jit(f)/while/body/add_12", "add"},
    {"x:_internal9", kTf, "x", "_internal9"},
    {"(x):_internal9", kJax, "(x)", "_internal9"},
    {":add", kJax, "", "add"},
    {"Iterator::Batch::Map", OpFamily::dataset, "Iterator::Batch::Map", "Dataset"},
    {"Iterator:", OpFamily::dataset, "Iterator:", "Dataset"},
    {"//step #1/load: a", OpFamily::range, "step #1/load: a", "load: a"},
    {"//step #1/aten::mm", OpFamily::torch, "step #1/aten::mm", "aten::mm"},
    {"//MatMul:MatMul", OpFamily::range, "MatMul:MatMul", "MatMul:MatMul"},
    {"//", OpFamily::range, "", ""},
    {"MEMCPYHtoD", OpFamily::copy, "MEMCPYHtoD", "MemcpyHToD"},
    {"MemcpyDtoH (pinned)", OpFamily::copy, "MemcpyDtoH (pinned)", "MemcpyDToH"},
    {"memcpydtod", OpFamily::copy, "memcpydtod", "MemcpyDToD"},
    {"MEMCPYHTOH", OpFamily::copy, "MEMCPYHTOH", "MemcpyHToH"},
};

constexpr std::string_view kNoOps[] = {
    "",
    "MatMul",
    "MemcpyH2D",
    "$threading.py:323 wait",
    "tsl::profiler::Start",
    "ThreadpoolListener::Record",
    "http://host/page",
    "a:b c",
    "a:9lives",
    "a:add[open",
    "a:add[new\nline]",
    "a:add]",
    "a:[x]",
    "a b:MatMul",  // no name of TensorFlow, no type of JAX
    "a:Mat Mul",
    ":",
    "a/:",
    "a/_1:",
    "\xff\xfe:\xff",
};

}  // namespace

TEST_CASE("an operation is a name and a type in the style of TensorFlow, JAX or tf.data") {
  for (const Case& c : kOps) {
    INFO(c.text);
    const OpName op = ParseOpName(c.text);
    CHECK(op.family == c.family);
    CHECK(op.name == c.name);
    CHECK(op.type == c.type);
    CHECK(op);
  }
}

TEST_CASE("other texts, with or without colons, are not operations and stay unchanged") {
  for (const std::string_view text : kNoOps) {
    INFO(text);
    const OpName op = ParseOpName(text);
    CHECK_FALSE(op);
    CHECK(op.name == text);
    CHECK(op.type.empty());
  }
}

TEST_CASE("a derived type is the last component without its number") {
  CHECK(DerivedType("a/b/MatMul_1") == "MatMul");
  CHECK(DerivedType("a/b/MatMul") == "MatMul");
  CHECK(DerivedType("MatMul_") == "MatMul_");
  CHECK(DerivedType("a_1/b_x2") == "b_x2");
  CHECK(DerivedType("17") == "17");
  CHECK(DerivedType("").empty());
}

TEST_CASE("the last iterator of a dataset is found") {
  CHECK(LastIterator("Iterator::Batch::Map") == "Map");
  CHECK(LastIterator("Iterator") == "Iterator");
  CHECK(LastIterator("Iterator::").empty());
}

TEST_CASE("copies on a device are recognized in both spellings") {
  CHECK(CopyKindOf("MEMCPYHtoD_pinned") == CopyKind::host_to_device);
  CHECK(CopyKindOf("MemcpyH2D") == CopyKind::host_to_device);
  CHECK(CopyKindOf("MemcpyD2H") == CopyKind::device_to_host);
  CHECK(CopyKindOf("memcpyd2d") == CopyKind::device_to_device);
  CHECK(CopyKindOf("MEMCPYHtoH") == CopyKind::host_to_host);
  CHECK(CopyKindOf("Memcpy") == CopyKind::none);
  CHECK(CopyKindOf("my MemcpyH2D") == CopyKind::none);
  CHECK(CopyKindOf("") == CopyKind::none);
}

}  // namespace tfprof::op_name_test
