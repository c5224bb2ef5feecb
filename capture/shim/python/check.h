// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/shim/python/api.h"
#include "capture/shim/python/layout.h"

namespace tfprof::capture {

// Reads the stack of the calling thread, which holds the GIL, and compares all of it
// with what the interpreter says. Memory is read such that a wrong layout does no harm. Returns
// null, or what is wrong.
const char* CheckPythonLayout(const PythonApi& api, const PythonLayout& layout);

}  // namespace tfprof::capture
