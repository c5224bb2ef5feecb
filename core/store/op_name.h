// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/store/lanes.h"

// Parses the framework operation in the text of an event. TensorFlow, JAX and tf.data name their
// events NAME:TYPE; other texts with a colon (C++ functions, Python frames, URLs) are not
// operations. The rules are those of the recorder itself (tsl/profiler/utils/tf_op_utils.cc of
// openxla/xla).

namespace tfprof {

enum class OpFamily : uint8_t {
  none,        // no operation: a function of the runtime, a region of the user
  tensorflow,  // model/dense/MatMul:MatMul
  jax,         // jit(f)/jit(main)/dot_general:dot_general
  dataset,     // Iterator::Batch::Map, of tf.data
  copy,        // MEMCPYHtoD...
  torch,       // aten::mm
  range,       // //step/forward, of the program
};

// Both point into the parsed text, or are constants.
struct OpName {
  OpFamily family = OpFamily::none;
  std::string_view name;  // full name, a/b/c; the whole text if there is no operation
  std::string_view type;  // never empty, unless there is no operation

  explicit operator bool() const { return family != OpFamily::none; }
};

// "//A/B/C" is a range of the program, or work in ranges: its name is "A/B/C", its type "C", which
// may have any characters but '/'. Other texts are split at the first colon:
// - "Iterator::..." is a dataset. Its name is the whole text and its type is "Dataset".
// - A type such as `MatMul` or `_Recv` ([A-Z_][A-Za-z0-9_]*) after a name of [A-Za-z0-9_./>-] is
//   TensorFlow's.
// - A type such as `dot_general` ([a-z_][a-z0-9_]*) is JAX's. Parameters in brackets are removed.
// - An empty type becomes DerivedType of the name.
// - PyTorch's dispatcher names operators LIBRARY::OPERATOR; those of its own libraries are known.
//   Name and type are the whole text.
// Without a colon only copies are operations: texts that begin with MEMCPY and HtoD, DtoH, DtoD or
// HtoH, in any case of letters. Their type is "MemcpyHToD" and so on.
OpName ParseOpName(std::string_view text);

// Likewise of an operation that a host event of that class has: where the recorder has categories,
// they say what is an operation, whatever its name is.
OpName OpNameOf(EventClass of, std::string_view text);

// The text that says the operation of events with this label.
inline NameId OpText(const Label& label) { return label.path.some() ? label.path : label.name; }

// True for operations of a framework that launch work of devices.
inline bool LaunchesWork(const OpName& op) {
  return op.family == OpFamily::tensorflow || op.family == OpFamily::torch;
}

// True for a text that names a compiled program instead of an operation: ROCm's recorder writes
// "XlaModule:" for the work of a program.
inline bool NamesOnlyProgram(std::string_view text) { return text.starts_with("XlaModule:"); }

// True for an operation that gives input to a TPU.
inline bool IsInfeed(const OpName& op) {
  return op.type == "InfeedEnqueue" || op.type == "InfeedEnqueueTuple";
}

// The last component of a name without the number that makes it unique: "a/b/MatMul_1" is "MatMul".
std::string_view DerivedType(std::string_view name);

// "Iterator::Batch::Map" becomes "Iterator::Map" in short, and its last component is "Map".
std::string_view LastIterator(std::string_view dataset_name);

enum class CopyKind : uint8_t {
  none,
  host_to_device,
  device_to_host,
  device_to_device,
  host_to_host,
};

// Parses the name of a device event, in any case of letters: MEMCPYHtoD... from recorders up to
// 2020, MemcpyH2D from those that use CUPTI, and Memcpy HtoD from PyTorch's.
CopyKind CopyKindOf(std::string_view name);

// Returns true if a lane's name has the form of a device, `.*/(device:gpu|gpu|device:cpu|cpu):N`.
// The original assigns a node to the first of its lanes with such a name, and saves that one.
bool HasDeviceForm(std::string_view lane_name);

}  // namespace tfprof
