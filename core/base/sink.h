// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tfprof {

// Where an emitter's bytes go: appended to `buffer`, written out in blocks by whoever owns it.
// `write` returns what stopped it (a full disk, a closed pipe).
struct Sink {
  static constexpr size_t kBlock = size_t{1} << 18;

  std::string buffer;
  std::function<Result<void>(std::string_view bytes)> write = nullptr;  // null: keep all

  void Append(std::string_view bytes) { buffer.append(bytes); }
  // Call between rows: passes the buffer on when it is large.
  Result<void> MaybeFlush() { return buffer.size() < kBlock ? Result<void>{} : Flush(); }
  Result<void> Flush() {
    if (write == nullptr) return {};
    Result<void> done = write(buffer);
    buffer.clear();
    return done;
  }
};

}  // namespace tfprof
