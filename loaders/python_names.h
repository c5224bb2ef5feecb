// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/store/builder.h"
#include "core/store/lanes.h"

// The names that Python tracers give calls.

namespace tfprof {

// What such a name says. The texts point into it.
struct PythonText {
  PythonForm form = PythonForm::function;
  std::string_view file;      // in C: the module or type; empty: not recorded
  std::string_view function;  // empty: it is no name of a function
  int32_t line = 0;
};

// Parses what the tracer of XLA writes (xla/python/profiler/internal/python_hooks.cc of
// openxla/xla) and tfprof-capture as well:
//   $train.py:12 step    a function, and its first line. XLA writes files without their folders
//   $time sleep          a function in C, and its module
PythonText ParseXlaPythonName(std::string_view name);

// None: the name is none of a function.
PythonFunctionId AddPythonFunction(const PythonText& text, StoreBuilder* store);

}  // namespace tfprof
