// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

// Numbers as the original prints them: %.2f followed by the unit. The unit is chosen before
// rounding (999995us is 1000.00ms). Absent values (kNoInt) print as 0.

namespace tfprof {

void AppendClassicCount(int64_t value, std::string* out);   // 999, 1.00k, 1.00m, 1.00b
void AppendClassicTime(int64_t us, std::string* out);       // 999us, 1.00ms, 1.00sec
void AppendClassicMemory(int64_t bytes, std::string* out);  // 999B, 1.00KB, 1.00MB

// Appends exactly what printf("%.2f", value / divisor) prints. REQUIRES: `value` is at least 0 and
// `divisor` is 1000, 1000000 or 1000000000.
void AppendQuotient(int64_t value, int64_t divisor, std::string* out);

// Appends printf("%.2f", value), also for nan and inf.
void AppendTwoDecimals(double value, std::string* out);

}  // namespace tfprof
