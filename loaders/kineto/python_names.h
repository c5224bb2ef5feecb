// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "loaders/python_names.h"

namespace tfprof::kineto {

// Parses what PyTorch's tracer writes (torch/csrc/profiler/collection.cpp of pytorch):
//   train.py(12): step                              a function, and its first line
//   <built-in method item of Tensor object at 0x7>  a function in C, and the type of its object
//   <built-in function sleep>
//   nn.Module: Linear_0                             a call of a module, and its number
// Files are as in sys.path: packages begin at their name, files beside the script have no folder.
PythonText ParsePythonName(std::string_view name);

}  // namespace tfprof::kineto
