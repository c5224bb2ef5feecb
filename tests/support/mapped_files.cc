// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/mapping.h"

// Linked into test programs that want files mapped, as the program has them.
namespace tfprof {
namespace {

[[maybe_unused]] const bool is_caught = [] {
  CatchShrinkingFiles();
  return true;
}();

}  // namespace
}  // namespace tfprof
