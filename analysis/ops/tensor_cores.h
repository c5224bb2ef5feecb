// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/query/query.h"
#include "core/store/store.h"

// Tensor cores are units of NVIDIA GPUs that multiply matrices. Traces do not tell who uses them;
// names do, by the rules of xprof (xprof/utils/kernel_stats_utils.cc of openxla/xprof).

namespace tfprof {

// Whether names of kernels tell that, by the vendor of a GPU. Recorders did not tell it before
// there were others than NVIDIA.
bool NamesTellTensorCores(std::string_view vendor);

// Says of the GPUs asked for that ran something whose names do not tell, where there are any.
void NoteTensorCores(const Store& store, const PlaceFilter& place, std::vector<Note>* notes);

// By fragments of the name that libraries give such kernels. Up to Ampere: newer kernels have other
// names.
bool UsesTensorCores(std::string_view kernel);

// The same with the names of newer libraries: Hopper and Blackwell kernels of cuBLAS and CUTLASS.
bool UsesTensorCoresByAnyName(std::string_view kernel);

// Whether it surely uses none by its name: kernels of Eigen, TensorFlow, CUB, Thrust and NCCL,
// loops, inputs and single instructions as XLA compiles them, and products on other cores. Of all
// others, as those of Triton, nobody knows.
bool UsesNoTensorCores(std::string_view kernel);

// All of them, each name looked at once: the GPUs of a machine have the same kernels.
struct TensorCoreUse {
  bool of_old_name = false;  // UsesTensorCores
  bool of_any_name = false;
  bool tells = false;  // of_any_name, or UsesNoTensorCores
};
class TensorCoreNames {
 public:
  explicit TensorCoreNames(const Store& store) : store_(&store), known_(store.names.size()) {}
  TensorCoreUse Of(NameId name);
  TensorCoreUse Of(LabelId label) { return Of(store_->labels[label.value].name); }

 private:
  enum class Known : uint8_t { nothing, untold, no, newer, old };

  const Store* store_;
  std::vector<Known> known_;  // by name
};

// Whether an operation of that name could run on them: convolutions, matrix products, recurrent
// networks.
bool CouldUseTensorCores(std::string_view op_name);

// Whether an Einsum of that equation is a matrix product: it has two inputs, "ab,bc->ac".
bool IsMatrixProduct(std::string_view equation);

}  // namespace tfprof
