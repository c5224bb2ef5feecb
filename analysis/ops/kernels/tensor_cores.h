// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/query/query.h"
#include "core/store/store.h"

// Tensor cores are units of NVIDIA GPUs that multiply matrices. Traces do not record their use;
// kernel names show it, by the rules of xprof (xprof/utils/kernel_stats_utils.cc of openxla/xprof).

namespace tfprof {

// Returns true if kernel names show the use of tensor cores, by the vendor of a GPU. An empty
// vendor counts as NVIDIA: old recorders supported no other.
bool NamesShowTensorCores(std::string_view vendor);

// Adds a note about the selected GPUs that ran something and whose kernel names do not show it.
void NoteTensorCores(const Store& store, const PlaceFilter& place, std::vector<Note>* notes);

// Matches name fragments of such kernels in libraries up to Ampere; newer kernels have other names.
bool UsesTensorCores(std::string_view kernel);

// Also matches the names of newer libraries: Hopper and Blackwell kernels of cuBLAS and CUTLASS.
bool UsesTensorCoresByAnyName(std::string_view kernel);

// Matches products of float32 matrices, and convolutions, on other cores than these.
bool MultipliesFloat32(std::string_view kernel);

// Returns true if the name excludes the use of tensor cores: kernels of Eigen, TensorFlow, CUB,
// Thrust and NCCL; loops, inputs and single instructions compiled by XLA; products on other cores.
// Other names, as those of Triton, are inconclusive.
bool UsesNoTensorCores(std::string_view kernel);

// Combines these checks, with one lookup per name: the GPUs of a host run the same kernels.
struct TensorCoreUse {
  bool of_old_name = false;  // UsesTensorCores
  bool of_any_name = false;
  bool is_conclusive = false;  // conclusive: of_any_name or UsesNoTensorCores
};
class TensorCoreNames {
 public:
  explicit TensorCoreNames(const Store& store) : store_(&store), known_(store.names.size()) {}
  TensorCoreUse Of(NameId name);
  TensorCoreUse Of(LabelId label) { return Of(store_->labels[label.value].name); }

 private:
  // wrongly: old names match, though it uses none
  enum class Known : uint8_t { nothing, inconclusive, no, newer, old, wrongly };

  const Store* store_;
  std::vector<Known> known_;  // by name
};

// Returns true if an operation of that name could use tensor cores: convolutions, matrix products,
// recurrent networks.
bool CouldUseTensorCores(std::string_view op_name);

// Returns true if an Einsum with that equation is a matrix product with two inputs: "ab,bc->ac".
bool IsMatrixProduct(std::string_view equation);

}  // namespace tfprof
