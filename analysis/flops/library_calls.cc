// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/library_calls.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "analysis/flops/shapes.h"
#include "core/base/arith.h"

namespace tfprof {
namespace {

// Reads the list of numbers at a key of a JSON text: "KEY":["1","2"]. Empty: there is none.
std::vector<int64_t> NumbersAt(std::string_view json, std::string_view key) {
  std::vector<int64_t> numbers;
  const std::string quoted = '"' + std::string(key) + '"';
  size_t at = json.find(quoted);
  if (at == json.npos) return numbers;
  at = json.find('[', at + quoted.size());
  if (at == json.npos) return numbers;
  const std::string_view list = json.substr(at, json.find(']', at) - at);
  for (size_t i = 0; i < list.size();) {
    int64_t number = 0;
    const auto read = std::from_chars(list.data() + i, list.data() + list.size(), number);
    if (read.ec == std::errc()) {
      numbers.push_back(number);
      i = static_cast<size_t>(read.ptr - list.data());
    } else {
      ++i;
    }
  }
  return numbers;
}

bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// "__cublas$gemm", "__cublas$lt$matmul$f8", "__hipblaslt$matmul".
bool IsProduct(std::string_view target) {
  if (!TakePrefix("__cublas", &target) && !TakePrefix("__hipblas", &target)) return false;
  if (!TakePrefix("$lt", &target)) TakePrefix("lt", &target);
  return target.starts_with("$gemm") || target.starts_with("$matmul");
}

// Every element of the left operand meets every column of the right one.
double ProductFlops(const Program& program, const Instruction& call) {
  const TensorType* left = OperandType(program, call, 0);
  const TensorType* right = OperandType(program, call, 1);
  const std::string_view config = program.Text(call.backend_config);
  std::vector<int64_t> met = NumbersAt(config, "rhs_contracting_dimensions");
  if (left == nullptr || right == nullptr || met.empty()) return kNoReal;
  for (const int64_t batch : NumbersAt(config, "rhs_batch_dimensions")) met.push_back(batch);
  double columns = 1;
  const auto dims = program.Numbers(right->dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool is_column = std::ranges::find(met, static_cast<int64_t>(i)) == met.end();
    if (is_column) columns *= static_cast<double>(dims[i]);
  }
  return kFlopsOfMultiplyAdd * Elements(program, *left) * columns;
}

double LibraryConvolutionFlops(const Program& program, const Instruction& call,
                               std::string_view kind) {
  if (kind.starts_with("BackwardInput")) {
    return ConvolutionFlops(program, call, Convolves::backward_input);
  }
  if (kind.starts_with("BackwardFilter")) {
    return ConvolutionFlops(program, call, Convolves::backward_filter);
  }
  const bool is_forward = kind.starts_with("Forward") || kind.starts_with("BiasActivationForward");
  return is_forward ? ConvolutionFlops(program, call, Convolves::forward) : kNoReal;
}

// Two products forward, five backward: those of the scores and of the values, and their gradients.
double AttentionFlops(const Program& program, const Instruction& call) {
  const TensorType* query = OperandType(program, call, 0);
  const std::string_view config = program.Text(call.backend_config);
  const size_t scores = config.find("\"intermediate_tensor_shape\"");
  if (query == nullptr || scores == config.npos) return kNoReal;
  // Batch, heads, positions of queries, positions of keys.
  const std::vector<int64_t> dims = NumbersAt(config.substr(scores), "dimensions");
  if (dims.size() != 4 || dims[3] < 0) return kNoReal;
  const bool is_backward = program.Text(call.target).ends_with("Backward");
  const double products = is_backward ? 5 : 2;
  const bool is_causal = config.find("CAUSAL") != config.npos;
  return products * kFlopsOfMultiplyAdd * Elements(program, *query) * static_cast<double>(dims[3]) /
         (is_causal ? 2 : 1);
}

}  // namespace

double LibraryCallFlops(const Program& program, const Instruction& call) {
  std::string_view target = program.Text(call.target);
  if (IsProduct(target)) return ProductFlops(program, call);
  if (TakePrefix("__cudnn$conv", &target)) return LibraryConvolutionFlops(program, call, target);
  if (target.starts_with("__cudnn$fmha")) return AttentionFlops(program, call);
  return kNoReal;
}

double LibraryCallBytes(const Program& program, const Instruction& call) {
  int64_t bytes = BytesOf(program, FirstPart(program, program.TypeOf(call)));
  for (size_t i = 0; i < program.References(call.operands).size(); ++i) {
    const TensorType* type = OperandType(program, call, i);
    if (type != nullptr) bytes = SaturatingAdd(bytes, BytesOf(program, *type));
  }
  return static_cast<double>(bytes);
}

}  // namespace tfprof
