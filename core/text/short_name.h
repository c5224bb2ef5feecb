// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// How much of a C++ function remains in its short name.
enum class Shortening : uint8_t {
  numbers,    // of its template arguments only the numbers; without a number the first argument
  arguments,  // all its template arguments, without their own
  nested,     // all its template arguments, each shortened in the same way
};

// `void ns::f<4, ns::g<int>, char>(int)` is `f<4>`, `f<4, g, char>` or `f<4, g<int>, char>`: the
// return type, namespaces and parameters are removed. Other texts (`ampere_sgemm_128x64_nn`,
// `fusion_3`, mangled names) stay unchanged.
std::string ShortName(std::string_view name, Shortening how);

// The short names of `names`, in their order. Different names have different short names: those
// that would be equal keep more, at last all.
std::vector<std::string> ShortNames(const std::vector<std::string_view>& names);

}  // namespace tfprof
