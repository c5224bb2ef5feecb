// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <system_error>
#include <thread>
#include <utility>

namespace tfprof {

// A thread that does `work`; none where the system has no more of them.
template <class Work>
std::thread TryThread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace tfprof
