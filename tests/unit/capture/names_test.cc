// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "capture/model/launches.h"
#include "capture/model/name_facts.h"
#include "capture/model/scopes.h"
#include "capture/model/texts.h"
#include "capture/shim/config.h"
#include "capture/shim/cupti/calls.h"
#include "capture/shim/names.h"
#include "capture/tool/options.h"

namespace tfprof::capture::capture_names_test {
namespace {

using Step = std::optional<int64_t>;

TEST_CASE("texts are UTF-8, whatever the program gives") {
  for (const char* text : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "a\x7F\n"}) {
    CHECK(ValidUtf8(text) == text);
  }
  for (const auto& [text, valid] : std::vector<std::pair<std::string, std::string>>{
           {"caf\xE9", "caf\uFFFDe9"},
           {"\xE2\x82", "\uFFFDe2\uFFFD82"},                // cut
           {"\xC0\x80", "\uFFFDc0\uFFFD80"},                // too long
           {"\xED\xA0\x80x", "\uFFFDed\uFFFDa0\uFFFD80x"},  // half of a pair
           {"\xF4\x90\x80\x80", "\uFFFDf4\uFFFD90\uFFFD80\uFFFD80"},
       }) {
    CHECK(ValidUtf8(text) == valid);
  }
  CHECK(FilePart("a/b\n", 9) == "a_b_");
  CHECK(FilePart("ab\xC3\xA9", 4) == "ab\xC3\xA9");
  CHECK(FilePart("ab\xC3\xA9", 3) == "ab");
}

TEST_CASE("names of steps") {
  for (const auto& [name, step] : std::vector<std::pair<std::string, Step>>{
           {"ProfilerStep#12", 12},
           {"step 3", 3},
           {"Iteration: 40", 40},
           {"train_step_7", 7},
           {"iter=0", 0},
           {"train#step_num=9,_r=1#", 9},
           {"step", std::nullopt},
           {"12", std::nullopt},
           {"layer 3", std::nullopt},
           {"conv2d", std::nullopt},
           {"", std::nullopt},
           {"step 99999999999999999999", std::nullopt},
       }) {
    INFO(name);
    CHECK(ReadName(name).step == step);
  }
}

TEST_CASE("attributes of names") {
  const NameFacts facts = ReadName("fusion.3#hlo_op=fusion.3,hlo_module=jit_f#");
  CHECK(facts.base == "fusion.3");
  CHECK(facts.hlo_op == "fusion.3");
  CHECK(facts.hlo_module == "jit_f");
  CHECK(ReadName("a#b").base == "a#b");
  CHECK(ReadName("##").base.empty());
  const NameFacts thunk =
      ReadName("Thunk:#name=jit(f)/dense/dot_general[dims=((1,), (0,))],hlo_op=dot.3#");
  CHECK(thunk.base == "Thunk");
  CHECK(thunk.hlo_op == "dot.3");
  CHECK(thunk.op_path == "jit(f)/dense/dot_general[dims=((1,), (0,))]");
  CHECK(thunk.op_type == "dot_general");
}

TEST_CASE("operations in names") {
  CHECK(ReadName("Thunk:#hlo_op=copy.1#").op_path == "copy.1");
  CHECK(ReadName("Thunk:#hlo_op=copy.1#").op_type == "copy");
  CHECK(ReadName("XlaPass:#name=dce,module=jit_f,program_id=7#").op_path.empty());
  CHECK(ReadName("XlaPass:#name=dce,module=jit_f,program_id=7#").program_id == 7);
  CHECK(ReadName("model/dense/MatMul:MatMul").op_path == "model/dense/MatMul");
  CHECK(ReadName("model/dense/MatMul:MatMul").op_type == "MatMul");
  for (const char* name : {"aten::mm", "a:", ":a", "at 10:30", "a: b", ""}) {
    INFO(name);
    CHECK(ReadName(name).op_path.empty());
  }
  CHECK(ReadName("aten::mm").is_torch_op);
  for (const char* name : {"aten::", "mm", "Solver::step", "an aten::mm"}) {
    INFO(name);
    CHECK_FALSE(ReadName(name).is_torch_op);
  }
}

TEST_CASE("what PyTorch numbers has one name") {
  struct Case {
    const char* text;
    const char* name;
    int64_t sequence = -1;
  };
  for (const Case& of : {Case{"aten::mm, seq = 3, op_id = 27", "aten::mm", 3},
                         {"aten::mm, op_id = 27", "aten::mm"},
                         {"MmBackward0, seq = 10, op_id = 1, sizes = [[2, 3]]", "MmBackward0", 10},
                         {"load a, b, seq = 0", "load a, b", 0},
                         {"f, seq = x", "f, seq = x"},
                         {"f, seq = ", "f, seq = "},
                         {"f, g", "f, g"},
                         {", op_id = 1", ""},
                         {"", ""}}) {
    INFO(of.text);
    int64_t sequence = -1;
    CHECK(WithoutNumbers(of.text, &sequence) == of.name);
    CHECK(sequence == of.sequence);
  }
}

TEST_CASE("scopes are paths that XProf can split, with types that it takes, and have their names") {
  Scopes scopes;
  const NameFacts named = ReadName("aten::mm(a/b)");
  const ScopeId forward = scopes.Inside(kNoScope, 1, ReadName("for ward"));
  const ScopeId mm = scopes.Inside(forward, 2, named);
  CHECK(scopes.PathOf(mm) == "for_ward/aten..mm_a_b_");
  CHECK(scopes.OpOf(mm) == "for_ward/aten..mm_a_b_:aten__mm_a_b_");
  CHECK(scopes.RangesOf(forward) == "//for ward");
  CHECK(scopes.RangesOf(mm) == "//for ward/aten::mm(a_b)");
  const ScopeId layer = scopes.Inside(forward, 5, ReadName("encoder/layer 0"));
  CHECK(scopes.OpOf(layer) == "for_ward/encoder/layer_0:layer_0");
  CHECK(scopes.RangesOf(layer) == "//for ward/encoder/layer 0");
  const ScopeId file = scopes.Inside(kNoScope, 6, ReadName("/tmp//x/"));  // no scope has no name
  CHECK(scopes.RangesOf(file) == "//_tmp__x_");
  CHECK(scopes.IsOperation(mm));  // its kernels are parts of it
  CHECK_FALSE(scopes.IsOperation(forward));
  CHECK(scopes.Inside(forward, 2, named) == mm);
  CHECK(scopes.Inside(kNoScope, 2, named) != mm);
  const ScopeId op = scopes.Operation(forward, 3, ReadName("Thunk:#name=jit(f)/dot,hlo_op=dot.3#"));
  CHECK(scopes.RangesOf(op).empty());  // its path has a type of its own
  CHECK(scopes.RangesOf(scopes.Inside(op, 4, ReadName("a b"))) == "//for_ward/jit(f)/dot/a b");
  CHECK(RangePath("", "") == "//?");
  CHECK(TypeOf("forwardPass") == "ForwardPass");  // types are of one case, or begin with a capital
  CHECK(TypeOf("2d") == "_2d");
}

TEST_CASE("ranges that are never closed do not make paths grow for ever") {
  Scopes scopes;
  ScopeId scope = kNoScope;
  for (int i = 0; i < 100'000; ++i) scope = scopes.Inside(scope, 1, ReadName("open"));
  CHECK(scopes.PathOf(scope).size() < 500);
}

TEST_CASE("kernels") {
  CHECK(Demangle("_ZN3gpu4gemmIfLi128EEEvPKfS2_Pf") ==
        "void gpu::gemm<float, 128>(float const*, float const*, float*)");
  CHECK(Demangle("volta_sgemm") == "volta_sgemm");
  CHECK(KernelBase("void gpu::gemm<float, 128>(float const*)") == "gemm");
  CHECK(KernelBase("void (anonymous namespace)::f<a::b<c>>(int)") == "f");
  CHECK(KernelBase("volta_sgemm_128x64_nn") == "volta_sgemm_128x64_nn");
  CHECK(KernelBase("") == "");
}

TEST_CASE("calls") {
  CHECK(CallName("cudaLaunchKernel_v7000") == "cudaLaunchKernel");
  CHECK(CallName("cudaMemcpy_ptds_v7000") == "cudaMemcpy");
  CHECK(CallName("cuMemcpyDtoH_v2") == "cuMemcpyDtoH_v2");
  CHECK(CallName("cuLaunchKernel_ptsz") == "cuLaunchKernel");
  CHECK(IsRecorded("cuLaunchKernelEx"));
  CHECK(IsRecorded("cudaGraphLaunch_v10000"));
  CHECK_FALSE(IsRecorded("cudaGetDevice"));
  CHECK_FALSE(IsRecorded("cudaGraphAddMemcpyNode_v10000"));
}

TEST_CASE("launches are found until they are too many ago") {
  Launches launches;
  for (uint32_t i = 1; i <= 100'000; ++i) launches.Add({.correlation = i, .thread = i + 1});
  for (uint32_t i = 1; i <= 100'000; ++i) {
    REQUIRE(launches.Find(i) != nullptr);
    REQUIRE(launches.Find(i)->thread == i + 1);
  }
  CHECK(launches.Find(0) == nullptr);
  CHECK(launches.Find(100'001) == nullptr);
  constexpr uint32_t kMany = (1 << 21) + 100;
  for (uint32_t i = 1; i <= kMany; ++i) launches.Add({.correlation = i});
  CHECK(launches.Find(50) == nullptr);
  CHECK(launches.Find(kMany) != nullptr);
}

TEST_CASE("sizes") {
  uint64_t bytes = 0;
  REQUIRE(ParseSize("64M", &bytes));
  CHECK(bytes == uint64_t{64} << 20);
  REQUIRE(ParseSize("2G", &bytes));
  CHECK(bytes == uint64_t{2} << 30);
  REQUIRE(ParseSize("17", &bytes));
  CHECK(bytes == 17);
  for (const char* wrong : {"", "M", "-1", "5X", "5MB", "99999999999T"}) {
    INFO(wrong);
    CHECK_FALSE(ParseSize(wrong, &bytes));
  }
}

TEST_CASE("the launcher's options") {
  CaptureOptions options;
  std::string error;
  REQUIRE(
      ParseCapture({"-o", "d", "--api", "--max-mem=1M", "--cuda-graph", "node", "--", "a", "--b"},
                   &options, &error));
  CHECK(options.folder == "d");
  CHECK(options.recorder_options == "api,max-mem=1M,cuda-graph=node");
  CHECK(options.command == std::vector<std::string>{"a", "--b"});
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--nothing"},
                                             {"--max-mem"},
                                             {"--max-mem", "x"},
                                             {"--keep=1"},
                                             {"-o"},
                                             {"--cuda-graph=both"}}) {
    CaptureOptions ignored;
    INFO(wrong[0]);
    CHECK_FALSE(ParseCapture(wrong, &ignored, &error));
  }
}

}  // namespace
}  // namespace tfprof::capture::capture_names_test
