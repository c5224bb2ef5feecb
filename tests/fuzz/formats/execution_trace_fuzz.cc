// SPDX-License-Identifier: Apache-2.0
// Any bytes, judged as an execution trace; its nodes are not read.
#include <cstdint>
#include <string>

#include "loaders/formats.h"
#include "loaders/io/source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string memory(reinterpret_cast<const char*>(data), size);
  memory.append(tfprof::SourceFile::kPadding, '\0');
  (void)tfprof::kExecutionTraceLoader.score(std::string_view(memory).substr(0, size));
  return 0;
}
