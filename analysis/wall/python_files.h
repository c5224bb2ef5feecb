// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

// Whose a file of Python is, by its name alone: traces of XLA's Python tracer have no folders.

namespace tfprof {

// True for a file of Python, NumPy, JAX, TensorFlow or Keras that no program is likely to have.
bool IsLibraryFile(std::string_view file);

// True for a file of these whose name programs use as well.
bool MayBeLibraryFile(std::string_view file);

// True for a file of Python's own that no program can have beside its own.
bool IsPythonFile(std::string_view file);

}  // namespace tfprof
