// SPDX-License-Identifier: Apache-2.0
// What the text of a range says besides its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfprof::capture {

struct NameFacts {
  std::string base;  // without encoded attributes
  bool is_step = false;
  std::optional<int64_t> step;  // its number, which a step may lack
  std::string hlo_op;           // encoded by XLA
  std::string hlo_module;
  std::optional<int64_t> program_id;
  // What a framework says that it runs: "jit(f)/dense/dot_general" and "dot_general". Empty: no
  // operation.
  std::string op_path;
  std::string op_type;
  bool is_torch_op = false;  // PyTorch's dispatcher runs it: "aten::mm"
};

// Reads a name with encoded attributes, whether it is that of a step (spool/step_names.h), and the
// operation that it names: an attribute `hlo_op`, with its path in `name` if there is one, or
// "path:Type".
NameFacts ReadName(std::string_view text);

// True for a '/' of a name that separates two texts and is in no brackets.
bool Nests(std::string_view name, size_t at);

// A name as part of a path: what is no letter, digit or one of "_.>-" becomes '_', and ':' becomes
// '.', because types follow it. A '/' that nests stays.
std::string ScopeComponent(std::string_view name);

// The type of an operation of this name: letters, digits and underscores.
std::string TypeOf(std::string_view name);

// "void ns::gemm<float, 4>(float*)" of "_ZN2ns4gemm...". Texts that are not mangled stay.
std::string Demangle(const std::string& name);

// "gemm" of the same.
std::string KernelBase(std::string_view demangled);

// "cudaMemcpy" of "cudaMemcpy_ptds_v7000"; "cuMemcpyDtoH_v2" stays.
std::string_view CallName(std::string_view name);

}  // namespace tfprof::capture
