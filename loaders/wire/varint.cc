// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/varint.h"

namespace tfprof::wire {

#ifdef __x86_64__
const bool gathers_bits = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
                          !__builtin_cpu_is("znver2");
#else
const bool gathers_bits = false;
#endif

}  // namespace tfprof::wire
