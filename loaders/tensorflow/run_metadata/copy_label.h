// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/base/arith.h"
#include "core/store/lanes.h"

namespace tfprof {

// What a record of a stream, or of a device's copies, says about its copy. Texts are parts of those
// of the record; empty: not recorded.
struct CopyLabel {
  EventRole direction = EventRole::none;
  int64_t bytes = kNoInt;
  std::string_view from, to;  // kinds of memory
  std::string_view op;
};

// Parses the forms of TensorFlow's device tracers:
//   OP:MEMCPYHtoD  "MEMCPYHtoD 400 bytes (Pageable to Device)"  until 1.14, and on ROCm
//   OP             "OP bytes:400 aync to device:1"              on stream:5<MemcpyH2D>
//   OP             "MemcpyH2D kind_src:pageable kind_dst:device size:400 dest:0 async:1"
// `device` is the text of the record's device. None: the record is no copy.
std::optional<CopyLabel> CopyOfRecord(std::string_view name, std::string_view timeline_label,
                                      std::string_view device);

}  // namespace tfprof
