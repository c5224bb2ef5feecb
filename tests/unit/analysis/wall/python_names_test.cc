// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/python_names.h"

#include <catch2/catch.hpp>
#include <utility>

#include "tests/support/trace_of.h"

namespace tfprof::python_names_test {
namespace {

// A call of that name in a trace of XLA, and what is known of it.
struct Call {
  explicit Call(const std::string& name)
      : store(TraceOf({{.lanes = {{.name = "main", .events = {{name, 10, 5}}}}}})),
        python(PythonNameOfEvent(*store, 0)) {}
  StorePtr store;
  PythonName python;
};

PythonAction ActionOf(const std::string& name) { return Call(name).python.action; }

}  // namespace

TEST_CASE("calls of Python are known by the names of their files") {
  using enum PythonKind;
  const std::pair<std::string, PythonKind> kNames[] = {
      {"$data.py:12 load_batch", user},
      {"$data.py:12 <listcomp>", nameless},
      {"$utils.py:3 read", ambiguous},
      {"$polymorphic_function.py:804 __call__", library},
      {"$<frozen os>:33 join", library},
      {"$/home/me/data.py:12 load_batch", user},
      {"$/home/me/queue.py:12 load_batch", user},
      {"$/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py:134 Linear.forward",
       library},
      {"$time sleep", native},
      {"$<unknown> acquire", native},
      {"MatMul:MatMul", none},
      {"$", none},
  };
  for (const auto& [name, kind] : kNames) {
    INFO(name);
    CHECK(Call(name).python.kind == kind);
  }
}

TEST_CASE("names of Python calls are those that users write") {
  const auto text = [](const std::string& event) { return DisplayText(Call(event).python); };
  CHECK(text("$data.py:12 load_batch") == "load_batch");
  CHECK(text("$time sleep") == "time.sleep");
  CHECK(text("$_npyio_impl.py:580 savez") == "np.savez");
  CHECK(text("$numpy array") == "np.array");
  CHECK(text("$posix fsync") == "os.fsync");
  CHECK(text("$queue.py:154 get") == "queue.py get");
  CHECK(text("$/venv/lib/python3.12/site-packages/torch/nn/init.py:5 uniform_") ==
        "torch/nn/init.py uniform_");
  CHECK(ActionOf("$/usr/lib/python3.12/queue.py:154 get") == PythonAction::waits_for_queue);
  CHECK(text("$/home/me/loop.py:3 step") == "step");
  CHECK(text("$loop.py:3 main.<locals>.norm") == "norm");
  CHECK(text("$loop.py:3 main.<locals>.norm.<locals>.<genexpr>") == "norm.<locals>.<genexpr>");
  CHECK(text("$builtins sum") == "sum");
  CHECK(text("$<unknown> acquire") == "acquire");
}

TEST_CASE("some calls wait or copy") {
  using enum PythonAction;
  CHECK(ActionOf("$queue.py:154 get") == waits_for_queue);
  CHECK(ActionOf("$queues.py:94 get") == waits_for_queue);
  CHECK(ActionOf("$data.py:154 get") == none);
  CHECK(ActionOf("$<unknown> acquire") == waits_for_lock);
  CHECK(ActionOf("$<unknown> __exit__") == releases_lock);
  CHECK(ActionOf("$loop.py:3 release") == none);
  CHECK(ActionOf("$gc collect") == collects);
  CHECK(ActionOf("$time sleep") == sleeps);
  CHECK(Call("$numpy array").python.copies);
  CHECK_FALSE(Call("$numpy empty").python.copies);
}

}  // namespace tfprof::python_names_test
