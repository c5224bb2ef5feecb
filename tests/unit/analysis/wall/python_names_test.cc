// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/python_names.h"

#include <catch2/catch.hpp>
#include <utility>

namespace tfprof::python_names_test {

TEST_CASE("calls of Python are known by the names of their files") {
  using enum PythonKind;
  constexpr std::pair<std::string_view, PythonKind> kNames[] = {
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
    CHECK(PythonNameOf(name).kind == kind);
  }
}

TEST_CASE("names of Python calls are those that users write") {
  const auto text = [](std::string_view event) { return DisplayText(PythonNameOf(event)); };
  CHECK(text("$data.py:12 load_batch") == "load_batch");
  CHECK(text("$time sleep") == "time.sleep");
  CHECK(text("$_npyio_impl.py:580 savez") == "np.savez");
  CHECK(text("$numpy array") == "np.array");
  CHECK(text("$posix fsync") == "os.fsync");
  CHECK(text("$queue.py:154 get") == "queue.py get");
  CHECK(text("$/venv/lib/python3.12/site-packages/torch/nn/init.py:5 uniform_") ==
        "torch/nn/init.py uniform_");
  CHECK(PythonNameOf("$/usr/lib/python3.12/queue.py:154 get").action ==
        PythonAction::waits_for_queue);
  CHECK(text("$/home/me/loop.py:3 step") == "step");
  CHECK(text("$loop.py:3 main.<locals>.norm") == "norm");
  CHECK(text("$loop.py:3 main.<locals>.norm.<locals>.<genexpr>") == "norm.<locals>.<genexpr>");
  CHECK(text("$builtins sum") == "sum");
  CHECK(text("$<unknown> acquire") == "acquire");
}

TEST_CASE("some calls wait or copy") {
  using enum PythonAction;
  CHECK(PythonNameOf("$queue.py:154 get").action == waits_for_queue);
  CHECK(PythonNameOf("$data.py:154 get").action == none);
  CHECK(PythonNameOf("$<unknown> acquire").action == waits_for_lock);
  CHECK(PythonNameOf("$<unknown> __exit__").action == releases_lock);
  CHECK(PythonNameOf("$loop.py:3 release").action == none);
  CHECK(PythonNameOf("$gc collect").action == collects);
  CHECK(PythonNameOf("$time sleep").action == sleeps);
  CHECK(PythonNameOf("$numpy array").copies);
  CHECK_FALSE(PythonNameOf("$numpy empty").copies);
}

}  // namespace tfprof::python_names_test
