// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/library_calls.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/flops/data_sheets.h"
#include "analysis/flops/program.h"
#include "core/store/builder.h"
#include "tests/support/program_of.h"

namespace tfprof::library_calls_test {
namespace {

// A call of a library with two operands of these shapes.
struct Call {
  ProgramWriter writer;
  uint32_t at = 0;

  Call(const std::string& target, const std::string& config, const std::vector<int64_t>& left,
       const std::vector<int64_t>& right, const std::vector<int64_t>& result) {
    writer.Computation();
    const uint32_t a = writer.Add("parameter", left), b = writer.Add("parameter", right);
    at = writer.Add("custom-call", result, {a, b});
    writer.program.instructions[at].target = writer.Text(target);
    writer.program.instructions[at].backend_config = writer.Text(config);
  }
  double Flops() const { return LibraryCallFlops(writer.program, writer.program.instructions[at]); }
};

}  // namespace

TEST_CASE("a library's matrix product costs 2 x batch x M x N x K") {
  const std::string batched =
      R"({"gemm_backend_config":{"alpha_real":1,"dot_dimension_numbers":)"
      R"({"lhs_contracting_dimensions":["2"],"rhs_contracting_dimensions":["1"],)"
      R"("lhs_batch_dimensions":["0"],"rhs_batch_dimensions":["0"]}}})";
  for (const std::string target :
       {"__cublas$gemm", "__cublas$lt$matmul", "__cublas$lt$matmul$f8", "__hipblaslt$matmul"}) {
    INFO(target);
    // 3 products of 4 x 5 and 5 x 6.
    CHECK(Call(target, batched, {3, 4, 5}, {3, 5, 6}, {3, 4, 6}).Flops() == 2 * 3 * 4 * 5 * 6);
  }
  const std::string plain =
      R"({"dot_dimension_numbers":{"rhs_contracting_dimensions":["0"],"rhs_batch_dimensions":[]}})";
  CHECK(Call("__cublas$gemm", plain, {4, 5}, {5, 6}, {4, 6}).Flops() == 2 * 4 * 5 * 6);
  CHECK(std::isnan(Call("__cublas$gemm", "{}", {4, 5}, {5, 6}, {4, 6}).Flops()));
  CHECK(std::isnan(Call("__cublas$triangularSolve", plain, {4, 5}, {5, 6}, {4, 6}).Flops()));
}

TEST_CASE("convolutions of a library count like those of XLA, in each direction") {
  // An image of 5 places and 3 features, 7 kernels of 3 places, padded by 1: 13 taps lie within.
  const auto flops = [](const std::string& kind, const std::vector<int64_t>& left,
                        const std::vector<int64_t>& right, const std::vector<int64_t>& result) {
    Call call("__cudnn$conv" + kind, "", left, right, result);
    Program& program = call.writer.program;
    Instruction& of = program.instructions[call.at];
    of.window = {0, 1};
    program.windows.push_back({3, 1, 1, 1, 1, 1, false});
    of.convolution = 0;
    ConvolutionDimensions dims;
    dims.input_feature = dims.output_feature = dims.kernel_input_feature = 1;
    dims.input_spatial = dims.kernel_spatial = dims.output_spatial = call.writer.Numbers({2});
    program.convolutions.push_back(dims);
    return call.Flops();
  };
  const std::vector<int64_t> image{1, 3, 5}, kernel{7, 3, 3}, output{1, 7, 5};
  const double expected = 2 * 13 * 3 * 7;
  CHECK(flops("Forward", image, kernel, output) == expected);
  CHECK(flops("BiasActivationForward", image, kernel, output) == expected);
  CHECK(flops("BackwardInput", output, kernel, image) == expected);
  CHECK(flops("BackwardFilter", image, output, kernel) == expected);
  CHECK(std::isnan(flops("Unknown", image, kernel, output)));
}

TEST_CASE("attention counts its two products in full, if it is not causal") {
  // Batch 2, 4 heads, 8 queries, 16 keys, 32 features.
  const auto config = [](const std::string& mask) {
    return R"({"cudnn_fmha_backend_config":{"mask_type":")" + mask +
           R"(","intermediate_tensor_shape":{"element_type":"BF16",)"
           R"("dimensions":["2","4","8","16"]}}})";
  };
  const auto flops = [&](const std::string& target, const std::string& mask) {
    return Call(target, config(mask), {2, 4, 8, 32}, {2, 4, 16, 32}, {2, 4, 8, 32}).Flops();
  };
  const double scores = 2.0 * 2 * 4 * 8 * 16 * 32;
  CHECK(flops("__cudnn$fmhaSoftmax", "NO_MASK") == 2 * scores);
  CHECK(flops("__cudnn$fmhaSoftmax", "CAUSAL") == scores);
  CHECK(flops("__cudnn$fmhaSoftmaxBackward", "NO_MASK") == 5 * scores);
}

TEST_CASE("the bytes of a library call exclude its workspace") {
  Call call("__cublas$gemm", "", {4, 5}, {5, 6}, {4, 6});
  Program& program = call.writer.program;
  CHECK(LibraryCallBytes(program, program.instructions[call.at]) == 4 * (20 + 30 + 24));
}

TEST_CASE("only products, convolutions and library calls may use matrix units") {
  ProgramWriter writer;
  const uint32_t body = writer.Computation();
  const uint32_t x = writer.Add("parameter", {4, 4});
  writer.Add("tanh", {4, 4}, {x});
  const uint32_t product = writer.Computation();
  const uint32_t y = writer.Add("parameter", {4, 4});
  writer.Add("dot", {4, 4}, {y, y});
  writer.Computation();
  const uint32_t z = writer.Add("parameter", {4, 4});
  const uint32_t loop = writer.Add("fusion", {4, 4}, {z}, ElementType::f32, {body});
  const uint32_t gemm = writer.Add("fusion", {4, 4}, {z}, ElementType::f32, {product});
  const auto may = [&](uint32_t at) {
    return MayUseMatrixUnits(writer.program, writer.program.instructions[at]);
  };
  CHECK_FALSE(may(loop));
  CHECK(may(gemm));
}

TEST_CASE("data sheets describe exactly the devices that they name") {
  StoreBuilder builder;
  Device mi300x;
  mi300x.vendor = builder.Name("AMD");
  mi300x.capability_major = 9;
  mi300x.capability_minor = 4;
  mi300x.cores = 304;
  mi300x.memory_bytes_per_s = 2'662'400'000'000;  // as the driver says: half of it
  Device other = mi300x;
  other.cores = 100;
  Device by_size = mi300x;  // PyTorch records the size of the memory, not its bandwidth
  by_size.memory_bytes_per_s = kNoInt;
  by_size.memory_bytes = 274'600'000'000;
  Device tpu;
  tpu.model = builder.Name("TPU v5 lite");
  const StorePtr store = builder.Finish().value();
  CHECK(PeaksOf(*store, mi300x).memory_bytes_per_s == 5.3e12);
  CHECK(PeaksOf(*store, mi300x).flops_per_s == 1307.4e12);
  CHECK(PeaksOf(*store, mi300x).vector_flops_per_s == 163.4e12);
  CHECK(RecordedPeaksOf(*store, mi300x).memory_bytes_per_s == 2.6624e12);
  CHECK(FindDataSheet(*store, other) == nullptr);
  CHECK(PeaksOf(*store, other).memory_bytes_per_s == 2.6624e12);
  CHECK(PeaksOf(*store, by_size).memory_bytes_per_s == 6e12);  // an MI325X
  by_size.memory_bytes = 100'000'000'000;
  CHECK(FindDataSheet(*store, by_size) == nullptr);
  CHECK(PeaksOf(*store, tpu).flops_per_s == 197e12);
}

}  // namespace tfprof::library_calls_test
