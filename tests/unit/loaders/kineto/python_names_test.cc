// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/python_names.h"

#include <catch2/catch.hpp>

namespace tfprof::kineto::python_names_test {
namespace {

void Check(std::string_view name, PythonForm form, std::string_view file, std::string_view function,
           int32_t line) {
  INFO(name);
  const PythonText text = ParsePythonName(name);
  CHECK(text.form == form);
  CHECK(text.file == file);
  CHECK(text.function == function);
  CHECK(text.line == line);
}

}  // namespace

TEST_CASE("PyTorch's names of Python calls: functions with their files and lines") {
  using enum PythonForm;
  Check("train.py(12): step", function, "train.py", "step", 12);
  Check("torch/nn/modules/module.py(1791): _call_impl", function, "torch/nn/modules/module.py",
        "_call_impl", 1791);
  Check("<frozen abc>(117): __instancecheck__", function, "<frozen abc>", "__instancecheck__", 117);
  Check("copy (2).py(3): <listcomp>", function, "copy (2).py", "<listcomp>", 3);
  Check("a.py(0): f", function, "a.py", "f", 0);
}

TEST_CASE("PyTorch's names of Python calls: functions in C without the addresses of objects") {
  using enum PythonForm;
  Check("<built-in method item of Tensor object at 0x7f35c44416c0>", native, "Tensor", "item", 0);
  Check("<built-in method relu of type object at 0x7f3609cbc100>", native, "", "relu", 0);
  Check("<built-in method tensor of pybind11_builtins.detail_v1 object at 0x7f>", native, "",
        "tensor", 0);
  Check("<built-in method acquire of _thread.lock object at 0x7f>", native, "_thread", "acquire",
        0);
  Check("<built-in function sleep>", native, "time", "sleep", 0);
  Check("<built-in function len>", native, "", "len", 0);
}

TEST_CASE("PyTorch's names of Python calls: parts of models") {
  Check("nn.Module: Linear_0", PythonForm::module, "", "Linear_0", 0);
}

TEST_CASE("PyTorch's names of Python calls: other texts name no function") {
  for (const char* name : {"", "aten::mm", "(3): f", "a.py: f", "a.py(x): f", "a.py(-3): f",
                           "<built-in ", "<built-in thing x>", "<built-in method x"}) {
    INFO(name);
    CHECK(ParsePythonName(name).function.empty());
  }
}

}  // namespace tfprof::kineto::python_names_test
