// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <system_error>
#include <thread>
#include <utility>

namespace tfprof {

// Starts a thread that runs `work`; returns no thread if the system has reached its limit.
template <class Work>
std::thread TryThread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace tfprof
