// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Returns true for a TPU instruction that only waits for one that another instruction started and
// that runs in parallel: copy-done.4, async-done, all-reduce-done, send-done. `category` in the
// words of XLA, `name` with or without its number; each may be empty.
bool IsAsyncDone(std::string_view category, std::string_view name);

// The display text of such an instruction.
inline constexpr std::string_view kAsyncDoneText =
    "stalled on async work, such as copies: `transfers` shows them";

}  // namespace tfprof
