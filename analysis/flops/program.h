// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/hlo/program.h"

// What one execution of an instruction costs a GPU, worked out from the program: traces of GPUs do
// not tell. The rules are those of XLA's own model (xla/service/hlo_cost_analysis.cc and
// xla/service/gpu/model/gpu_hlo_cost_analysis.cc of openxla/xla), which xprof asks too.

namespace tfprof {

// NaN: not known, as for calls of libraries.
struct Cost {
  double flops = kNoReal;
  // Operands of 8 bits count half and those of 4 a quarter: that much faster are units for them.
  double device_flops = kNoReal;
  double bytes = kNoReal;  // read and written
};

// Costs of the instructions of one program; what they call is worked out once.
class ProgramCost {
 public:
  explicit ProgramCost(const Program& program);
  Cost Of(uint32_t instruction);

 private:
  // Of a computation that is run once, all of its instructions.
  struct Body {
    bool known = false;
    bool busy = false;  // being computed: the cost of a recursive computation is unknown
    double flops = 0;
  };
  // Of a computation that is fused into one kernel.
  struct Fused {
    bool known = false;
    double flops = 0;
    double read_bytes = 0;  // of parameters and large constants
  };

  double Flops(uint32_t instruction, int depth);
  double BodyFlops(uint32_t computation, int depth);
  Fused FusedCost(uint32_t computation, int depth);
  double Bytes(const Instruction& instruction);

  const Program& program_;
  std::vector<Body> bodies_;  // by computation
  std::vector<Fused> fused_;  // by computation
};

// Clock cycles of one element of an elementwise operation, which stand for flops there. Measured by
// XLA on the architecture sm_86, which it takes for every GPU it has no measurements of; 3 where
// there is none.
int64_t CyclesPerElement(std::string_view opcode, ElementType type);

}  // namespace tfprof
