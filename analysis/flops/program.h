// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/hlo/program.h"

// The cost of one execution of an instruction on a GPU, derived from the program: traces of GPUs do
// not record it. The rules are those of XLA's own model (xla/service/hlo_cost_analysis.cc and
// xla/service/gpu/model/gpu_hlo_cost_analysis.cc of openxla/xla), which xprof uses, too.

namespace tfprof {

// NaN: unknown.
struct Cost {
  double flops = kNoReal;
  // Operands of 8 bits count half, operands of 4 bits a quarter: units process them that much
  // faster.
  double device_flops = kNoReal;
  double bytes = kNoReal;  // read and written
};

enum class LibraryCalls : uint8_t {
  unknown,   // they have no cost, as in xprof
  by_shape,  // analysis/flops/library_calls.h
};

// Returns true if an instruction, or one that it runs, is a matrix product, a convolution or a call
// of a library: other work does not use matrix units.
bool MayUseMatrixUnits(const Program& program, const Instruction& instruction);

// Costs of the instructions of one program. The cost of a called computation is computed once.
class ProgramCost {
 public:
  ProgramCost(const Program& program, LibraryCalls library_calls);
  Cost Of(uint32_t instruction);

 private:
  // A computation that runs once: the sum over its instructions.
  struct Body {
    bool known = false;
    bool busy = false;  // being computed; the cost of a recursive computation is unknown
    double flops = 0;
  };
  // A computation that is fused into one kernel.
  struct Fused {
    bool known = false;
    double flops = 0;
    double read_bytes = 0;  // bytes of parameters and large constants
  };

  double Flops(uint32_t instruction, int depth);
  double BodyFlops(uint32_t computation, int depth);
  Fused FusedCost(uint32_t computation, int depth);
  double Bytes(const Instruction& instruction);

  const Program& program_;
  LibraryCalls library_calls_;
  std::vector<Body> bodies_;  // by computation
  std::vector<Fused> fused_;  // by computation
};

// Clock cycles per element of an elementwise operation, used as its FLOPs. XLA measured them on
// sm_86 and uses them for every GPU without own measurements; the default is 3.
int64_t CyclesPerElement(std::string_view opcode, ElementType type);

}  // namespace tfprof
