// SPDX-License-Identifier: Apache-2.0
#include "loaders/python_names.h"

#include <catch2/catch.hpp>

namespace tfprof::xla_python_names_test {
namespace {

void Check(std::string_view name, PythonForm form, std::string_view file, std::string_view function,
           int32_t line) {
  INFO(name);
  const PythonText text = ParseXlaPythonName(name);
  CHECK(text.form == form);
  CHECK(text.file == file);
  CHECK(text.function == function);
  CHECK(text.line == line);
}

}  // namespace

TEST_CASE("XLA's names of Python calls: functions with their files and lines") {
  using enum PythonForm;
  Check("$train.py:20 train_step", function, "train.py", "train_step", 20);
  Check("$<frozen importlib._bootstrap>:1053 _handle_fromlist", function,
        "<frozen importlib._bootstrap>", "_handle_fromlist", 1053);
}

TEST_CASE("XLA's names of Python calls: functions in C have a module and no line") {
  using enum PythonForm;
  Check("$builtins len", native, "builtins", "len", 0);
  Check("$<unknown> get", native, "<unknown>", "get", 0);
  for (const char* const place : {"a.py:x", ":1", "a.py:99999999999", "a.py:-1"}) {
    Check("$" + std::string(place) + " f", native, place, "f", 0);
  }
}

TEST_CASE("other names are none of Python calls") {
  for (const char* const none : {"", "$", "$ f", "$a.py:1", "train.py:20 f", "MatMul:MatMul"}) {
    INFO(none);
    CHECK(ParseXlaPythonName(none).function.empty());
  }
}

}  // namespace tfprof::xla_python_names_test
