// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/support/program_of.h"
#include "tests/support/trace_of.h"

// Small loops whose wall time goes into one thing. A step takes 1000 us unless noted.

namespace tfprof {

constexpr int64_t kTestUs = 1'000'000;  // ps

struct LoopStep {
  int64_t number = 0;
  int64_t at_us = 0;
  std::vector<TestEvent> main = {}, pool = {}, other = {};

  static TestEvent Make(std::string name, int64_t at_us, int64_t us, TestDetails details) {
    return {std::move(name), at_us * kTestUs, us * kTestUs, std::move(details)};
  }
  void Main(std::string name, int64_t at, int64_t us, TestDetails details = {}) {
    main.push_back(Make(std::move(name), at_us + at, us, std::move(details)));
  }
  void Pool(const std::string& name, int64_t at, int64_t us) {
    pool.push_back(Make(
        name, at_us + at, us,
        {{"instruction", name}, {"module", std::string("jit_step")}, {"program_run", number}}));
  }
  void Other(std::string name, int64_t at, int64_t us) {
    other.push_back(Make(std::move(name), at_us + at, us, {}));
  }
  // The step's program, from `at` to the end of the step.
  void Compute(int64_t at, int64_t us) {
    Main("PjitFunction(step)", at, 10);
    Pool("dot.1", at, us);
  }
};

using FillStep = std::function<void(LoopStep*)>;

inline TestProcess LoopOn(const std::string& host, const FillStep& fill,
                          std::vector<int64_t> steps_us = std::vector<int64_t>(6, 1000)) {
  std::vector<TestEvent> main, pool, other;
  int64_t at_us = 0;
  for (size_t i = 0; i < steps_us.size(); ++i) {
    LoopStep step{static_cast<int64_t>(i), at_us};
    step.Main("train", 0, steps_us[i], {{"step_number", step.number}});
    fill(&step);
    main.insert(main.end(), step.main.begin(), step.main.end());
    pool.insert(pool.end(), step.pool.begin(), step.pool.end());
    other.insert(other.end(), step.other.begin(), step.other.end());
    at_us += steps_us[i];
  }
  std::vector<TestLane> lanes = {{.name = "main", .events = main}};
  if (!pool.empty()) lanes.push_back({.name = "pool", .events = pool});
  if (!other.empty()) lanes.push_back({.name = "other", .events = other});
  return {.lanes = lanes, .host = host};
}

inline StorePtr LoopOf(const FillStep& fill,
                       const std::vector<int64_t>& steps_us = std::vector<int64_t>(6, 1000)) {
  return TraceOf({LoopOn("host", fill, steps_us)});
}

// An event of the main thread, then the step's program to the end of the step.
inline StorePtr LoopWith(const std::string& event, int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main(event, 0, us);
    step->Compute(us, 1000 - us);
  });
}

// Steps of 1000 us and more; every fourth one also evaluates. Without that the program takes longer
// in every fourth step.
inline StorePtr Evaluating(bool evaluates) {
  std::vector<int64_t> steps_us;
  for (int64_t i = 0; i < 12; ++i) steps_us.push_back(i % 4 == 3 ? 3000 : 1000);
  return LoopOf(
      [=](LoopStep* step) {
        const bool longer = step->number % 4 == 3;
        step->Compute(0, longer && !evaluates ? 3000 : 1000);
        if (!longer || !evaluates) return;
        step->Main("PjitFunction(evaluate)", 1000, 10);
        step->pool.push_back(LoopStep::Make("add.1", step->at_us + 1000, 2000,
                                            {{"instruction", std::string("add.1")},
                                             {"module", std::string("jit_evaluate")},
                                             {"program_run", step->number}}));
      },
      steps_us);
}

// Steps of the same durations. Each starts the step's program once, and some program always runs:
// of four, the second one runs into the third step, and the third one begins with the fourth.
inline StorePtr BeginningLate() {
  std::vector<int64_t> steps_us;
  for (int64_t i = 0; i < 12; ++i) steps_us.push_back(i % 4 == 3 ? 3000 : 1000);
  return LoopOf(
      [](LoopStep* step) {
        constexpr int64_t kAt[] = {0, 0, 1000, 1000}, kUs[] = {1000, 2000, 1000, 2000};
        step->Main("PjitFunction(step)", 0, 10);
        step->Pool("dot.1", kAt[step->number % 4], kUs[step->number % 4]);
      },
      steps_us);
}

inline StorePtr Collecting(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("$loop.py:3 tokenize", 0, us);
    step->Main("$__init__.py:132 _xla_gc_callback", 0, 1);
    step->Main("$__init__.py:132 _xla_gc_callback", us - 1, 1);
    step->Compute(us, 1000 - us);
  });
}

inline StorePtr Saving(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("train_step", 0, 1000 - us, {{"function_tracing", std::string("notTraced")}});
    step->pool.push_back(LoopStep::Make("m:MatMul", step->at_us, 1000 - us, {}));
    if (us > 0) {
      step->Main("EagerExecute", 1000 - us, us / 2,
                 {{"function_call", int64_t{0}}, {"eager_operation", std::string("SaveV2")}});
    }
  });
}

inline StorePtr WaitingFor(const std::string& wait, int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("$loop.py:9 next_batch", 0, us);
    step->Main(wait, 0, us);
    step->Other("$loop.py:20 read_example", 0, us);
    step->Other("$time sleep", 0, us);
    step->Compute(us, 1000 - us);
  });
}

// `with lock:` in next_batch, of which only the end is recorded, at 500 us. The other thread
// releases the lock at `release_us`.
inline StorePtr WithLock(int64_t release_us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("$loop.py:9 next_batch", 0, 500);
    step->Main("$<unknown> __exit__", 499, 1);
    step->Other("$loop.py:20 refresh", 0, release_us + 2);
    step->Other("$time sleep", 0, release_us - 1);
    step->Other("$<unknown> __exit__", release_us - 1, 1);
    step->Compute(500, 500);
  });
}

inline StorePtr Compiling(int64_t us, bool first_only = false) {
  return LoopOf([=](LoopStep* step) {
    if (first_only && step->number > 0) return step->Compute(0, 1000);
    step->Main("PjitFunction(step)", 0, us);
    if (us > 10) step->Main("backend_compile_and_load", 1, us - 2);
    step->Pool("dot.1", us, 1000 - us);
  });
}

inline StorePtr Tracing(const std::string& tracing) {
  return LoopOf([=](LoopStep* step) {
    step->Main("train_step", 0, 700, {{"function_tracing", tracing}});
    step->pool.push_back(LoopStep::Make("m:MatMul", step->at_us + 700, 300, {}));
  });
}

inline StorePtr CallingBack(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("PjitFunction(step)", 0, 10);
    step->Pool("dot.1", 0, 1000 - us);
    if (us > 0) step->Pool("pure_callback.2", 1000 - us, us);
  });
}

// A train function whose graph has an operation that the host does.
inline StorePtr CallingFromGraph(const std::string& op, int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("train_step", 0, 1000, {{"function_tracing", std::string("notTraced-nonXla")}});
    step->pool.push_back(LoopStep::Make("m:MatMul", step->at_us, 1000 - us, {}));
    if (us > 0) step->pool.push_back(LoopStep::Make(op, step->at_us + 1000 - us, us, {}));
  });
}

// Iterators, each of which creates another one.
// In each step, and once after the last one.
inline StorePtr CreatingIterators(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    if (step->number == 5) step->Main("MakeIterator::RootDataset", 1000, 20);
    step->Main("MakeIterator::RootDataset", 0, us);
    step->Main("MakeIterator::MapDataset", 1, us - 2);
    step->Compute(us, 1000 - us);
  });
}

// Two functions, each of which is compiled for `us`.
inline StorePtr CompilingTwo(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    for (int64_t i = 0; i < 2; ++i) {
      step->Main(i == 0 ? "PjitFunction(add)" : "PjitFunction(mul)", i * us, us);
      step->Main("backend_compile_and_load", i * us + 1, us - 2);
    }
    step->Compute(2 * us, 1000 - 2 * us);
  });
}

inline StorePtr EagerOps(int64_t count) {
  return LoopOf([=](LoopStep* step) {
    for (int64_t i = 0; i < count; ++i) {
      step->Main("EagerExecute", i * 30, 20,
                 {{"function_call", int64_t{0}}, {"eager_operation", std::string("Mul")}});
      step->Main("KernelAndDeviceFunc::Run", i * 30 + 5, 10);
    }
  });
}

// Programs of 4 us that take 40 us to start, one after the other.
inline StorePtr Programs(int64_t count) {
  return LoopOf([=](LoopStep* step) {
    for (int64_t i = 0; i < count; ++i) {
      step->Main("PjitFunction(add)", i * 50, 40);
      step->pool.push_back(LoopStep::Make("add.1", step->at_us + i * 50, 4,
                                          {{"instruction", std::string("add.1")},
                                           {"module", std::string("jit_add")},
                                           {"program_run", step->number * 100 + i}}));
    }
  });
}

// Programs of 4 us that operators of arrays start within 22 us, in a function of 500 us; then the
// step's program.
inline StorePtr ProgramsInPython(int64_t count) {
  return LoopOf([=](LoopStep* step) {
    step->Main("$loop.py:3 update", 0, 500);
    for (int64_t i = 0; i < count; ++i) {
      step->Main("$array_methods.py:10 _operator_add", i * 25, 22);
      step->Main("PjitFunction(add)", i * 25 + 1, 20);
      step->pool.push_back(LoopStep::Make("add.1", step->at_us + i * 25 + 1, 4,
                                          {{"instruction", std::string("add.1")},
                                           {"module", std::string("jit_add")},
                                           {"program_run", step->number * 100 + i}}));
    }
    step->Compute(500, 500);
  });
}

// After its program of 500 us, each step starts another one for `us`.
inline StorePtr Beside(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Compute(0, 500);
    step->Main("PjitFunction(evaluate)", 600, us);
    step->pool.push_back(LoopStep::Make("mul.1", step->at_us + 600 + us, 400 - us,
                                        {{"instruction", std::string("mul.1")},
                                         {"module", std::string("jit_evaluate")},
                                         {"program_run", step->number + 100}}));
  });
}

inline StorePtr SmallPrograms(int64_t compute_us) {
  return LoopOf(
      [=](LoopStep* step) {
        step->Main("PjitFunction(step)", 0, 100);
        step->Pool("dot.1", 0, compute_us);
      },
      std::vector<int64_t>(6, 120));
}

// A train function of `pieces` pieces of 5 us, whose operations are too short to be recorded.
inline StorePtr PiecesOfGraph(int64_t pieces) {
  return LoopOf([=](LoopStep* step) {
    step->Main("train_step", 0, 1000, {{"function_tracing", std::string("notTraced-nonXla")}});
    step->pool.push_back(LoopStep::Make("m:MatMul", step->at_us + 900, 50, {}));
    for (int64_t i = 0; i < pieces; ++i) {
      step->pool.push_back(LoopStep::Make("ExecutorState::Process", step->at_us + 5 * i, 5, {}));
    }
  });
}

// Functions of TensorFlow of 40 us each; `recorded`: also an operation that they run.
inline StorePtr SmallFunctions(int64_t functions, bool recorded) {
  return LoopOf([=](LoopStep* step) {
    for (int64_t i = 0; i < functions; ++i) {
      step->Main("add", 45 * i, 40, {{"function_tracing", std::string("notTraced-nonXla")}});
    }
    if (recorded) step->pool.push_back(LoopStep::Make("m:Add", step->at_us + 10, 20, {}));
  });
}

// A train function, then operations that update what it learns one by one.
inline StorePtr UpdatingEagerly(int64_t ops) {
  return LoopOf([=](LoopStep* step) {
    step->Main("grads", 0, 500, {{"function_tracing", std::string("notTraced-nonXla")}});
    step->pool.push_back(LoopStep::Make("m:MatMul", step->at_us + 1, 498, {}));
    for (int64_t i = 0; i < ops; ++i) {
      step->Main("EagerExecute", 500 + i * 10, 5,
                 {{"function_call", int64_t{0}}, {"eager_operation", std::string("Mul")}});
    }
  });
}

inline StorePtr ReadingResults(int64_t wait_us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("$loop.py:3 read_batch", 0, 400);
    step->Compute(400, 600);
    if (wait_us > 0) step->Main("np.asarray(jax.Array)", 1000 - wait_us, wait_us);
  });
}

// In each step, the host a waits in the collective for what b loads.
inline StorePtr Straggling(const std::vector<int64_t>& late_us, bool recorded = true) {
  const auto steps = [recorded](const std::vector<int64_t>& loads_us) {
    return [=](LoopStep* step) {
      const int64_t own_us = loads_us[static_cast<size_t>(step->number)];
      if (own_us > 0 && recorded) step->Main("$loop.py:3 load_batch", 0, own_us);
      step->Main("PjitFunction(step)", own_us, 10);
      step->Pool("all-reduce.3", own_us, 800 - own_us);
      step->Pool("dot.1", 800, 200);
    };
  };
  return TraceOf({LoopOn("a", steps(std::vector<int64_t>(6))), LoopOn("b", steps(late_us))});
}

inline StorePtr Transposing(int64_t us) {
  return LoopOf([=](LoopStep* step) {
    step->Main("PjitFunction(step)", 0, 10);
    if (us > 0) step->Pool("add_transpose_fusion.1", 0, us);
    step->Pool("dot.2", us, 1000 - us);
  });
}

inline StorePtr Growing(const std::vector<int64_t>& steps_us) {
  size_t step_index = 0;
  return LoopOf(
      [&](LoopStep* step) {
        step->Main("$loop.py:3 moving_average", 0, steps_us[step_index] - 50);
        step->Compute(steps_us[step_index] - 50, 50);
        ++step_index;
      },
      steps_us);
}

// A function that takes `own_us` in each step, beside a program of 600 or 100 us.
inline StorePtr FunctionOf(const std::vector<int64_t>& own_us) {
  std::vector<int64_t> steps_us;
  for (size_t i = 0; i < own_us.size(); ++i)
    steps_us.push_back(own_us[i] + (i % 2 == 0 ? 600 : 100));
  size_t i = 0;
  return LoopOf(
      [&](LoopStep* step) {
        step->Main("$loop.py:3 summarize", 0, own_us[i]);
        step->Compute(own_us[i], steps_us[i] - own_us[i]);
        ++i;
      },
      steps_us);
}

// Loads batches beside a program that gets shorter: more of the loading is waited for.
inline StorePtr LoadingBesideLess() {
  int64_t i = 0;
  return LoopOf(
      [&](LoopStep* step) {
        const int64_t idle_us = 100 + 40 * i++;
        step->Main("$loop.py:3 load_batch", 0, 1000);
        step->Compute(idle_us, 1000 - idle_us);
      },
      std::vector<int64_t>(12, 1000));
}

// One of 100 us that takes `growth_us` longer in each step.
inline StorePtr GrowingFunction(int64_t growth_us) {
  std::vector<int64_t> own_us;
  for (int64_t i = 0; i < 12; ++i) own_us.push_back(100 + growth_us * i);
  return FunctionOf(own_us);
}

// A program that returns a tuple of square arrays of floats and one of single floats.
inline Program Returning(int64_t size, size_t arrays, size_t single) {
  ProgramWriter writer;
  writer.program.entry = writer.Computation();
  for (size_t i = 0; i < arrays + single; ++i) {
    writer.Add("parameter", i < arrays ? std::vector<int64_t>{size, size} : std::vector<int64_t>{});
  }
  const uint32_t root = writer.Add("tuple", {}, {}, ElementType::tuple);
  writer.program.types[root].parts = {0, static_cast<uint32_t>(arrays + single)};
  return writer.program;
}

// The programs of a loop that calls step: by default it returns two arrays of 1 MiB and a loss.
inline std::vector<TestProgram> ProgramsOfStep(int64_t size = 512) {
  return {{.name = "jit_step(1)", .id = 1, .program = Returning(size, 2, 1)},
          {.name = "jit_pre_step(2)", .id = 2, .program = Returning(size, 9, 0)}};
}

// In each step, step returns its arrays, and `freed` of the step are freed. The copy of its
// argument is freed as well.
inline StorePtr KeepingArrays(const std::vector<int64_t>& freed,
                              const std::vector<TestProgram>& programs = ProgramsOfStep(),
                              const FillStep& fill = {}) {
  const auto make = [&](LoopStep* step) {
    step->Compute(0, 1000);
    step->Main("DevicePut", 1, 2);
    step->Main("CommonPjRtClient::CreateOutputs", 5, 1);
    for (int64_t i = 0; i <= freed[static_cast<size_t>(step->number)]; ++i) {
      step->Main("Wait for donation holds", 30 + i, 1);
    }
    if (fill) fill(step);
  };
  return TraceOf({LoopOn("host", make, std::vector<int64_t>(freed.size(), 1000))},
                 Programs(programs));
}

inline StorePtr KeepingMemory(int64_t kept_bytes, int64_t available_bytes = 1 << 20) {
  return LoopOf([=](LoopStep* step) {
    step->Compute(0, 1000);
    step->Main("MemoryAllocation", 20, 0,
               {{"allocator", std::string("cpu")},
                {"op", std::string("MatMul")},
                {"address", 1000 + step->number},
                {"allocation_bytes", int64_t{4096}},
                {"bytes_available", available_bytes},
                {"bytes_in_use", 100'000 + kept_bytes * step->number}});
  });
}

// A GPU without steps: kernels named `name` for `us` of 100 us, then others.
inline StorePtr WithoutSteps(const std::string& name, int64_t us) {
  return TraceOf({{.lanes = {{.name = "main", .events = {{"launches", 0, 300 * kTestUs}}}}},
                  {.name = "/device:GPU:0",
                   .lanes = {{.name = "Stream #1",
                              .events = {LoopStep::Make(name, 0, us, {}),
                                         LoopStep::Make("gemm", us, 100 - us, {})}}}}});
}

}  // namespace tfprof
