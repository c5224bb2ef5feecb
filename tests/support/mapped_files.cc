// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/mapping.h"

// Linked into test programs that map files, as the program does.
namespace tfprof {
namespace {

[[maybe_unused]] const bool is_caught = [] {
  CatchShrinkingFiles();
  return true;
}();

}  // namespace
}  // namespace tfprof
