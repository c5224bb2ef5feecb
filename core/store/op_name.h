// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

// What the text of an event says of the framework operation behind it. TensorFlow, JAX and tf.data
// name their events NAME:TYPE; everything else that has a colon (C++ functions, Python frames,
// URLs) must not be taken for an operation. The rules are those of the recorder itself
// (tsl/profiler/utils/tf_op_utils.cc of openxla/xla).

namespace tfprof {

enum class OpFamily : uint8_t {
  none,        // no operation: a function of the runtime, a region of the user
  tensorflow,  // model/dense/MatMul:MatMul
  jax,         // jit(f)/jit(main)/dot_general:dot_general
  dataset,     // Iterator::Batch::Map, of tf.data
  copy,        // MEMCPYHtoD...
};

// Both lie in the text that was asked, or are constants.
struct OpName {
  OpFamily family = OpFamily::none;
  std::string_view name;  // full name, a/b/c; the whole text where there is no operation
  std::string_view type;  // never empty, unless there is no operation

  explicit operator bool() const { return family != OpFamily::none; }
};

// Splits at the first colon:
// - "Iterator::..." is a dataset, its name the whole text and its type "Dataset";
// - a type like `MatMul` or `_Recv` ([A-Z_][A-Za-z0-9_]*) behind a name of [A-Za-z0-9_./>-] is
//   TensorFlow's;
// - a type like `dot_general` ([a-z_][a-z0-9_]*), with or without parameters in brackets, which are
//   cut, is JAX's;
// - an empty type is DerivedType of the name.
// Without a colon only copies are operations: texts that begin with MEMCPY and HtoD, DtoH, DtoD or
// HtoH, in any case of letters; their type is "MemcpyHToD" and so on.
OpName ParseOpName(std::string_view text);

// The last component of a name without the number that makes it unique: "a/b/MatMul_1" is "MatMul".
std::string_view DerivedType(std::string_view name);

// "Iterator::Batch::Map" is called "Iterator::Map" for short, and its last component is "Map".
std::string_view LastIterator(std::string_view dataset_name);

enum class CopyKind : uint8_t {
  none,
  host_to_device,
  device_to_host,
  device_to_device,
  host_to_host,
};

// Of the name of an event on a device, in any case of letters: MEMCPYHtoD... as recorders up to
// 2020 write, and MemcpyH2D as those that use CUPTI do.
CopyKind CopyKindOf(std::string_view name);

}  // namespace tfprof
