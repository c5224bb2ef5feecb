// SPDX-License-Identifier: Apache-2.0

#include "analysis/flops/program.h"

namespace tfprof {
namespace {

// Clock cycles by PrimitiveType, as in xla/service/gpu/model/hlo_op_profiles_data.h of openxla/xla
// for sm_86. 0: not measured.
struct Cycles {
  std::string_view opcode;
  int32_t f16, f32, f64, c64, c128;
};

constexpr Cycles kCycles[] = {
    {"add", 0, 0, 97, 0, 97},
    {"atan2", 482, 486, 3747, 5353, 39027},
    {"cbrt", 925, 867, 6339, 0, 0},
    {"cosine", 691, 662, 1717, 0, 6613},
    {"divide", 0, 0, 2016, 687, 7941},
    {"exponential", 108, 86, 1652, 1360, 4028},
    {"exponential-minus-one", 396, 381, 1900, 1400, 4161},
    {"log", 266, 244, 608, 950, 7599},
    {"log-plus-one", 284, 262, 2073, 842, 6962},
    {"logistic", 226, 176, 2412, 0, 0},
    {"multiply", 0, 0, 97, 0, 270},
    {"power", 975, 925, 5511, 3351, 18205},
    {"rsqrt", 97, 75, 698, 2383, 11318},
    {"sine", 0, 662, 1789, 0, 5878},
    {"sqrt", 97, 75, 986, 3193, 15606},
    {"subtract", 0, 0, 97, 0, 97},
    {"tanh", 212, 190, 1609, 0, 9939},
};

struct IntegerCycles {
  std::string_view opcode;
  int32_t s8, s16, s32, s64, u8, u16, u32, u64;
};

constexpr IntegerCycles kIntegerCycles[] = {
    {"divide", 370, 367, 306, 918, 306, 302, 115, 838},
    {"power", 392, 396, 0, 601, 388, 399, 0, 604},
};

int32_t Listed(std::string_view opcode, ElementType type) {
  for (const IntegerCycles& of : kIntegerCycles) {
    const int32_t by_type[] = {of.s8, of.s16, of.s32, of.s64, of.u8, of.u16, of.u32, of.u64};
    const auto number = static_cast<size_t>(type);
    if (of.opcode == opcode && number >= 2 && number <= 9) return by_type[number - 2];
  }
  for (const Cycles& of : kCycles) {
    if (of.opcode != opcode) continue;
    switch (static_cast<int>(type)) {
      case 10: return of.f16;
      case 11: return of.f32;
      case 12: return of.f64;
      case 15: return of.c64;
      case 18: return of.c128;
      default: return 0;
    }
  }
  return 0;
}

}  // namespace

int64_t CyclesPerElement(std::string_view opcode, ElementType type) {
  constexpr int64_t kNotMeasured = 3;
  const int32_t listed = Listed(opcode, type);
  return listed != 0 ? listed : kNotMeasured;
}

}  // namespace tfprof
