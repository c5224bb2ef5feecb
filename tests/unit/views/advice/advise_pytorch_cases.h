// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/support/kineto_of.h"

// Traces of PyTorch for the test of advise: steps of 1,000 us.

namespace tfprof {

// Adds the events of a step that starts at that time.
using TorchStep = std::function<void(int64_t at_us, std::vector<KinetoEvent>*)>;

inline StorePtr TorchLoop(const TorchStep& add) {
  std::vector<KinetoEvent> events;
  for (int64_t step = 0; step < 4; ++step) {
    events.push_back(
        {"user_annotation", "ProfilerStep#" + std::to_string(step), 1000 * step, 1000});
    add(1000 * step, &events);
  }
  return KinetoOf(events);
}

// So many operations of 10 us in a function, every 15 us.
inline StorePtr ShortOperations(int64_t count) {
  return TorchLoop([=](int64_t at_us, std::vector<KinetoEvent>* events) {
    events->push_back({"python_function", "train.py(9): unroll", at_us, 500});
    for (int64_t i = 0; i < count; ++i) {
      events->push_back({"cpu_op", "aten::mul", at_us + 15 * i, 10});
    }
    events->push_back({"cpu_op", "aten::mm", at_us + 500, 500});
  });
}

inline StorePtr TorchCompiling(int64_t us) {
  return TorchLoop([=](int64_t at_us, std::vector<KinetoEvent>* events) {
    events->push_back({"cpu_op", "dynamo", at_us, us});
    events->push_back({"cpu_op", "aten::mm", at_us + us, 1000 - us});
  });
}

inline StorePtr TorchLoading(int64_t us, int64_t getitem_us = -1) {
  return TorchLoop([=](int64_t at_us, std::vector<KinetoEvent>* events) {
    events->push_back({"user_annotation",
                       "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at_us, us});
    events->push_back(
        {"python_function", "data.py(5): __getitem__", at_us, getitem_us < 0 ? us : getitem_us});
    events->push_back({"python_function", "<built-in function sleep>", at_us, us});
    events->push_back({"cpu_op", "aten::mm", at_us + us, 1000 - us});
  });
}

}  // namespace tfprof
