// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/hlo/program.h"

namespace tfprof {

// Flops of matrix products and convolutions: a multiplication and an addition for each element
// that is summed. NaN where the file's dimensions do not fit each other.
double DotFlops(const Program& program, const Instruction& dot);
// Only positions of the window that lie in the input count.
double ConvolutionFlops(const Program& program, const Instruction& convolution);

// How often an instruction runs the computation that it calls for one element at a time: a
// reduction once less per result than it has inputs. 0: the others.
double TimesCalled(const Program& program, const Instruction& instruction);

}  // namespace tfprof
