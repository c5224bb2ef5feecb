// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Whether an instruction of a TPU only awaits what another one started and what runs beside it:
// copy-done.4, async-done, all-reduce-done, send-done. `category` in the words of XLA, `name` with
// or without its number; each may be empty.
bool Awaits(std::string_view category, std::string_view name);

// What people are told of one.
inline constexpr std::string_view kSaidOfAwaiting =
    "stalled on async work, such as copies: `transfers` shows them";

}  // namespace tfprof
