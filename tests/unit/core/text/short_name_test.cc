// SPDX-License-Identifier: Apache-2.0
#include "core/text/short_name.h"

#include <catch2/catch.hpp>

namespace tfprof::short_name_test {

TEST_CASE("a short name has no return type, namespaces and parameters") {
  const auto numbers = [](std::string_view name) { return ShortName(name, Shortening::numbers); };
  CHECK(numbers("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<"
                "float>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, "
                "std::array<char*, 3ul>)") == "vectorized_elementwise_kernel<4>");
  CHECK(numbers("splitKreduce_kernel<32, 16, int, float>") == "splitKreduce_kernel<32, 16>");
  CHECK(numbers("void f<(int)4, (bool)1, -2l, float>(T1 *)") == "f<4, 1, -2>");
  CHECK(numbers("void at::native::(anonymous namespace)::soft_max<4, float>(float*)") ==
        "soft_max<4>");
  CHECK(numbers(
            "void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<int const>, int>(int)") ==
        "EigenMetaKernel<TensorEvaluator>");
  CHECK(numbers("void cutlass::Kernel<cutlass_80_tensorop_f16_nn_align8>(T::Params)") ==
        "Kernel<cutlass_80_tensorop_f16_nn_align8>");
  CHECK(numbers("ns::kernel") == "kernel");
  CHECK(numbers("void f<ns::g<(1>0)>, 3>(int)") == "void f<ns::g<(1>0)>, 3>(int)");  // unbalanced
}

TEST_CASE("names that are no C++ functions stay") {
  for (const char* name :
       {"ampere_sgemm_128x64_nn", "cutlass_80_wmma_tensorop_bf16_s161616gemm", "fusion_3",
        "triton_poi_fused_add_0", "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NNT", "Memcpy HtoD",
        "MEMCPY (pinned)", "_Z6kernelPf", "", "<>", "(", "a > b", "f<", "x::operator()(int)",
        "void ::(int)", "loop_add_fusion"}) {
    INFO(name);
    CHECK(ShortName(name, Shortening::numbers) == name);
  }
}

TEST_CASE("names whose short names are equal keep what tells them apart") {
  using Names = std::vector<std::string_view>;
  const auto shorts = [](const Names& names) { return ShortNames(names); };
  CHECK(shorts({"void n::f<4, n::add<int>>(int)", "void n::g<2>(int)",
                "void n::f<4, n::add<int>>(int)"}) ==
        std::vector<std::string>{"f<4>", "g<2>", "f<4>"});
  CHECK(shorts({"void n::f<4, n::add<int>>(int)", "void n::f<4, n::mul<int>>(int)"}) ==
        std::vector<std::string>{"f<4, add>", "f<4, mul>"});
  CHECK(shorts({"void f<4, n::add<int>>(int)", "void f<4, n::add<m::half>>(int)"}) ==
        std::vector<std::string>{"f<4, add<int>>", "f<4, add<half>>"});
  CHECK(shorts({"void a::f<4>(int)", "void b::f<4>(int)", "h"}) ==
        std::vector<std::string>{"void a::f<4>(int)", "void b::f<4>(int)", "h"});
  CHECK(shorts({"f", "void n::f(int)"}) == std::vector<std::string>{"f", "void n::f(int)"});
}

}  // namespace tfprof::short_name_test
