// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/kernels/tensor_cores.h"

#include <catch2/catch.hpp>
#include <string>

#include "analysis/flops/device_peaks.h"
#include "core/store/builder.h"

namespace tfprof::tensor_cores_test {

TEST_CASE("tensor-core kernels are recognized by their names") {
  CHECK(UsesTensorCores("volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn"));
  CHECK(UsesTensorCores("sm80_xmma_gemm_f16f16_f16f32"));
  CHECK_FALSE(UsesTensorCores("ampere_sgemm_32x32_sliced1x4_nn"));
  CHECK_FALSE(UsesTensorCores("nvjet_hsh_256x128_64x4"));
  CHECK(UsesTensorCoresByAnyName("nvjet_hsh_256x128_64x4"));
  CHECK_FALSE(UsesTensorCoresByAnyName("splitKreduce_kernel"));
  for (const char* part : {"h884", "hhmma", "conv1x1", "xmma_warp_specialized_implicit_gemm"}) {
    CHECK(UsesTensorCores(part));
    CHECK(UsesTensorCores("kernel_" + std::string(part)));
    CHECK_FALSE(
        UsesTensorCores(std::string_view(part).substr(0, std::string_view(part).size() - 1)));
  }
  for (const char* none : {"", "h", "hm", "16", "s88 4", "\xff\xfe"})
    CHECK_FALSE(UsesTensorCores(none));
}

TEST_CASE("products in float32 on other cores are recognized by their names") {
  constexpr const char* kFloat32 = "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize256x64x8_ffma";
  CHECK(MultipliesFloat32(kFloat32));
  CHECK(UsesTensorCores(kFloat32));  // as xprof says
  CHECK_FALSE(UsesTensorCoresByAnyName(kFloat32));
  CHECK(UsesNoTensorCores(kFloat32));
  CHECK(MultipliesFloat32("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x256_8x4_nt_align1>"));
  CHECK(MultipliesFloat32("maxwell_scudnn_128x32_relu_interior_nn_v1"));
  for (const char* other :
       {"sm90_xmma_gemm_f32f32_tf32f32_f32_nt_n", "ampere_s1688gemm_128x64", "nvjet_sm90_tst",
        "cutlass_80_tensorop_s1688gemm_128x64", "dgemm", "loop_add_fusion"}) {
    CHECK_FALSE(MultipliesFloat32(other));
  }
  StoreBuilder builder;
  const NameId name = builder.Name(kFloat32);
  const StorePtr store = builder.Finish().value();
  const TensorCoreUse use = TensorCoreNames(*store).Of(name);
  CHECK(use.of_old_name);
  CHECK_FALSE(use.of_any_name);
  CHECK(use.is_conclusive);
}

TEST_CASE("kernels without tensor cores are recognized by name, other names are inconclusive") {
  for (const char* none :
       {"void Eigen::internal::EigenMetaKernel<float>(float, int)", "loop_add_fusion_3",
        "input_reduce_fusion", "wrapped_add", "ncclDevKernel_AllReduce", "volta_sgemm_128x64_nn",
        "cutlass_80_simt_sgemm_128x64", "void cub::DeviceReduceKernel<half>()"}) {
    CHECK(UsesNoTensorCores(none));
  }
  for (const char* other : {"triton_softmax_2", "gemm_fusion_dot_1", "fusion_7", "loop_of_a_user",
                            "my_kernel", "", "ampere_s1688gemm_128x64"}) {
    CHECK_FALSE(UsesNoTensorCores(other));
  }
  StoreBuilder builder;
  const NameId triton = builder.Name("triton_softmax_2"), loop = builder.Name("loop_add_fusion");
  const NameId jet = builder.Name("nvjet_hsh");
  const StorePtr store = builder.Finish().value();
  TensorCoreNames names(*store);
  CHECK_FALSE(names.Of(triton).is_conclusive);
  CHECK(names.Of(loop).is_conclusive);
  CHECK_FALSE(names.Of(loop).of_any_name);
  CHECK(names.Of(jet).is_conclusive);
  CHECK(names.Of(jet).of_any_name);
}

TEST_CASE("kernel names are conclusive for NVIDIA GPUs and for GPUs without a vendor only") {
  CHECK(NamesShowTensorCores("Nvidia"));
  CHECK(NamesShowTensorCores("NVIDIA"));
  CHECK(NamesShowTensorCores(""));
  CHECK_FALSE(NamesShowTensorCores("AMD"));
}

TEST_CASE("operations that can use tensor cores are recognized by their types") {
  CHECK(CouldUseTensorCores("model/dense/MatMul"));
  CHECK_FALSE(CouldUseTensorCores("MatMul"));  // without a scope it is not recognised
  CHECK_FALSE(CouldUseTensorCores("model/MatMul/MatMul_1"));
  CHECK(CouldUseTensorCores("model/attn/BatchMatMulV2"));
  CHECK(CouldUseTensorCores("conv/Conv2DBackpropInput"));
  CHECK_FALSE(CouldUseTensorCores("conv/BiasAdd"));
}

TEST_CASE("an Einsum equation with two inputs is a matrix product") {
  CHECK(IsMatrixProduct("abc,cd->abd"));
  CHECK_FALSE(IsMatrixProduct("abc->cab"));
  CHECK_FALSE(IsMatrixProduct("ab,bc,cd->ad"));
  CHECK_FALSE(IsMatrixProduct("ab,bc"));
  CHECK_FALSE(IsMatrixProduct("ab,bc->ac->ca"));
  CHECK_FALSE(IsMatrixProduct(""));
}

namespace {

Device Gpu(StoreBuilder* builder, std::string_view vendor, int64_t major, int64_t minor,
           int64_t cores, int64_t clock_khz) {
  Device device;
  device.kind = DeviceKind::gpu;
  device.vendor = builder->Name(vendor);
  device.capability_major = major;
  device.capability_minor = minor;
  device.cores = cores;
  device.clock_khz = clock_khz;
  return device;
}

}  // namespace

TEST_CASE("device peaks come from the trace, else from the device kind; unknown kinds have none") {
  StoreBuilder builder;
  const Device v100 = Gpu(&builder, "Nvidia", 7, 0, 80, 1'530'000);
  const Device mi300 = Gpu(&builder, "AMD", 9, 4, 304, 2'100'000);
  const Device strange = Gpu(&builder, "Someone", 9, 4, 304, 2'100'000);
  const Device old_amd = Gpu(&builder, "AMD", 8, 0, 64, 1'000'000);
  const Device newer = Gpu(&builder, "Nvidia", 12, 0, 170, 2'400'000);
  const Device between = Gpu(&builder, "Nvidia", 8, 7, 16, 1'300'000);
  const StorePtr store = builder.Finish().value();
  Device recorded = strange;
  recorded.peak_flops_per_s = 918e12;
  recorded.memory_bytes_per_s = 1'638'000'000'000;
  CHECK(PeaksOf(*store, v100).flops_per_s == Approx(125.3376e12));
  CHECK(PeaksOf(*store, mi300).flops_per_s == Approx(1307.4432e12));
  CHECK(PeaksOf(*store, strange).flops_per_s != PeaksOf(*store, strange).flops_per_s);
  CHECK(PeaksOf(*store, old_amd).flops_per_s != PeaksOf(*store, old_amd).flops_per_s);
  // Kinds that are not listed are not like older ones.
  CHECK(PeaksOf(*store, newer).flops_per_s != PeaksOf(*store, newer).flops_per_s);
  CHECK(PeaksOf(*store, between).flops_per_s != PeaksOf(*store, between).flops_per_s);
  CHECK(PeaksOf(*store, recorded).flops_per_s == 918e12);
  CHECK(PeaksOf(*store, recorded).Ridge() == Approx(560.44));
}

TEST_CASE("the resource nearer to its peak bounds an operation") {
  const DevicePeaks peaks{100, 10};
  CHECK(BoundOf(peaks, 50, 1).by == "Compute");
  CHECK(BoundOf(peaks, 50, 1).share == Approx(0.5));
  CHECK(BoundOf(peaks, 0, 9).by == "HBM");
  CHECK(BoundOf(peaks, 0, 9).share == Approx(0.9));
  CHECK(BoundOf({}, 50, 1).by.empty());
}

}  // namespace tfprof::tensor_cores_test
