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

// A step of 10,000 us on a GPU.
struct TorchGpuStep {
  int64_t at_us;
  std::vector<KinetoEvent>* events;

  void Host(const char* category, const char* name, int64_t start_us, int64_t us) const {
    events->push_back({category, name, at_us + start_us, us});
  }
  // An operation of 40 us that launches a kernel, which runs at another time.
  void Launch(const char* op, int64_t start_us, const char* kernel, int64_t kernel_us,
              int64_t us) const {
    const std::string number = std::to_string(events->size());
    Host("cpu_op", op, start_us, 40);
    events->push_back({"cuda_runtime", "cudaLaunchKernel", at_us + start_us + 10, 20, 1,
                       R"("correlation": )" + number});
    events->push_back({"kernel", kernel, at_us + kernel_us, us, 7,
                       R"("device": 0, "stream": 7, "grid": [1, 1, 1], "block": [32, 1, 1], )"
                       R"("correlation": )" +
                           number});
  }
};

inline StorePtr TorchOnGpu(const std::function<void(const TorchGpuStep&)>& add) {
  std::vector<KinetoEvent> events;
  for (int64_t step = 0; step < 4; ++step) {
    const TorchGpuStep of{10'000 * step, &events};
    of.Host("user_annotation", ("ProfilerStep#" + std::to_string(step)).c_str(), 0, 10'000);
    add(of);
  }
  return KinetoOf(events);
}

// Every 1,000 us a kernel of 600 us, for whose result the host waits, so many times a step. Then
// the device is idle for 400 us.
inline StorePtr TorchWaiting(int64_t waits) {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    step.Host("python_function", "train.py(9): norm", 0, 7'800);
    for (int64_t i = 0; i < 8; ++i) {
      step.Launch("aten::norm", 1'000 * i, "reduce", 1'000 * i + 30, 600);
      if (i >= waits) continue;
      step.Host("cpu_op", "aten::item", 1'000 * i + 100, 560);
      step.Host("cpu_op", "aten::_local_scalar_dense", 1'000 * i + 110, 550);
      step.Host("cuda_runtime", "cudaStreamSynchronize", 1'000 * i + 200, 450);
    }
    step.Launch("aten::mm", 7'900, "gemm", 8'030, 1'970);
  });
}

// An operation of so many us on the host, which may launch work, then one on the device.
inline StorePtr TorchOnHost(int64_t us, bool launches = false) {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    step.Host("cpu_op", "aten::embedding", 0, us);
    if (launches) step.Launch("aten::gather", us - 50, "gather", us, 20);
    step.Host("cpu_op", "aten::index_select", 1, us - 2);
    step.Launch("aten::mm", us, "gemm", us + 50, 9'900 - us);
  });
}

// The driver takes so many us to allocate memory, and 500 us to free it.
inline StorePtr TorchAllocating(int64_t us) {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    step.Host("cpu_op", "aten::empty", 100, us + 100);
    step.Host("cuda_runtime", "cudaMalloc", 150, us);
    step.Host("python_function", "torch/cuda/memory.py(9): empty_cache", 2'000, 1'000);
    step.Host("cuda_runtime", "cudaFree", 2'100, 300);
    step.Launch("aten::mm", 3'900, "gemm", 4'000, 6'000);
  });
}

// The device works for so many us, for an operation that others call.
inline StorePtr TorchCopying(const char* outer, const char* inner, int64_t us,
                             const char* innermost = "aten::copy_") {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    step.Host("python_function", "train.py(9): block", 0, 200);
    step.Host("cpu_op", outer, 0, 100);
    step.Host("cpu_op", inner, 10, 80);
    step.Launch(innermost, 20, "copy", 100, us);
    step.Launch("aten::mm", 210, "gemm", 100 + us, 9'890 - us);
    step.Launch("aten::copy_", 260, "copy", 9'990, 10);  // for none
  });
}

// Likewise, as tfprof-capture records it: steps of 10,000 us, the first one longer by `warm_up_us`.
inline StorePtr RecordedCopying(int64_t us, int64_t warm_up_us = 0) {
  TestLane thread{.name = "main"}, stream{.name = "Stream #7"};
  int64_t at_us = 0, correlation = 1;
  const auto add = [&](const std::string& name, int64_t start_us, int64_t us) {
    thread.events.push_back({name, (at_us + start_us) * kPsPerUs, us * kPsPerUs});
  };
  const auto launch = [&](const char* kernel, int64_t call_us, int64_t start_us, int64_t us) {
    add("cudaLaunchKernel", call_us, 5);
    thread.events.back().details["correlation"] = correlation;
    stream.events.push_back({kernel,
                             (at_us + start_us) * kPsPerUs,
                             us * kPsPerUs,
                             {{"correlation", correlation++}, {"launch", std::string("regs:1")}}});
  };
  for (int64_t step = 0; step < 5; ++step) {
    const int64_t longer_us = step == 0 ? warm_up_us : 0;
    add("train", 0, 10'000 + longer_us);
    thread.events.back().details["step_number"] = step;
    at_us += longer_us;
    add("//aten::contiguous", 0, 100);
    add("//aten::contiguous/aten::clone", 10, 80);
    add("//aten::contiguous/aten::clone/aten::copy_", 20, 60);
    launch("copy", 25, 100, us);
    add("//aten::mm", 210, 50);
    launch("gemm", 215, 100 + us, 9'900 - us);
    at_us += 10'000;
  }
  return TraceOf({{.lanes = {thread}}, {.name = "/device:GPU:0", .lanes = {stream}}});
}

// A kernel of 5,000 us, and other ones of 4,800 us.
inline StorePtr TorchMultiplying(const char* kernel) {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    step.Launch("aten::mm", 0, kernel, 100, 5'000);
    step.Launch("aten::sum", 50, "reduce", 5'100, 4'800);
  });
}

// A function that starts 30 operations, each 5 us after the one before.
inline StorePtr TorchStarting() {
  return TorchOnGpu([](const TorchGpuStep& step) {
    step.Host("python_function", "train.py(9): recurrence", 0, 1'350);
    for (int64_t i = 0; i < 30; ++i) step.Launch("aten::tanh", 45 * i, "tanh", 45 * i + 35, 5);
    step.Launch("aten::mm", 1'400, "gemm", 1'450, 1'550);
  });
}

// The device copies a result to the host for so many us, for a function of the program.
inline StorePtr TorchReadingBack(int64_t us) {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    step.Launch("aten::mm", 0, "gemm", 30, 1'000);
    step.Host("python_function", "train.py(9): accuracy", 100, us + 1'000);
    step.Host("cpu_op", "aten::copy_", 110, us + 980);
    const std::string link = R"("correlation": )" + std::to_string(1'000'000 + step.at_us);
    step.events->push_back(
        {"cuda_runtime", "cudaMemcpyAsync", step.at_us + 120, us + 960, 1, link});
    step.events->push_back({"gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", step.at_us + 1'050,
                            us, 7, link + R"(, "device": 0, "stream": 7, "bytes": 1000)"});
    step.Launch("aten::mm", us + 1'200, "gemm", us + 1'250, 8'700 - us);
  });
}

// Three functions of the program compute for so many us each, one after the other.
inline StorePtr TorchInFunctions(int64_t us) {
  return TorchOnGpu([=](const TorchGpuStep& step) {
    const char* const functions[] = {"train.py(9): tokenize", "train.py(19): pad",
                                     "train.py(29): score"};
    for (int64_t i = 0; i < 3; ++i) step.Host("python_function", functions[i], us * i, us);
    step.Launch("aten::mm", 3 * us, "gemm", 3 * us + 50, 9'900 - 3 * us);
  });
}

}  // namespace tfprof
