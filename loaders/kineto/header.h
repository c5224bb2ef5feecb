// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "loaders/wire/json_scan.h"

namespace tfprof::kineto {

// A device as the file describes it.
struct DeviceProperties {
  int64_t id = kNoInt;
  std::string name;
  int64_t cores = kNoInt;  // multiprocessors
  int64_t major = kNoInt;
  int64_t minor = kNoInt;
  int64_t memory_bytes = kNoInt;
};

// The members of the file beside its entries.
struct Header {
  int64_t base_ns = 0;  // wall time of its time 0
  int64_t rank = kNoInt;
  int64_t world_size = kNoInt;
  std::string host;
  std::vector<DeviceProperties> devices;
  std::vector<std::string> errors, warnings;  // of the recorder
};

// Reads the member at the cursor. False: it is malformed.
bool ReadHeaderMember(std::string_view key, json::Cursor* cursor, Header* header);

// The rank that a file records before its entries, where PyTorch writes it; kNoInt: none.
int64_t RankOf(std::string_view bytes);

}  // namespace tfprof::kineto
