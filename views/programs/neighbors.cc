// SPDX-License-Identifier: Apache-2.0
#include "views/programs/neighbors.h"

#include <algorithm>

namespace tfprof {
namespace {

// The instructions of one computation that read each of its results.
struct Users {
  uint32_t first = 0;  // instruction of row 0
  std::vector<std::vector<uint32_t>> of;
};

Users UsersIn(const Program& program, const Computation& computation) {
  Users users{computation.instructions.first,
              std::vector<std::vector<uint32_t>>(computation.instructions.count)};
  for (const uint32_t user : computation.instructions) {
    for (const uint32_t operand : program.References(program.instructions[user].operands)) {
      if (operand == Instruction::kNone) continue;
      std::vector<uint32_t>& known = users.of[operand - users.first];
      if (known.empty() || known.back() != user) known.push_back(user);
    }
  }
  return users;
}

// Adds what `next` leads to, step by step, without the start. An instruction that is near in
// several ways has its least distance.
template <class Next>
void Spread(uint32_t start, int64_t width, const Next& next, std::vector<bool>* seen,
            std::vector<std::vector<uint32_t>>* steps) {
  std::vector<uint32_t> now{start};
  for (int64_t step = 0; step < width && !now.empty(); ++step) {
    std::vector<uint32_t> found;
    for (const uint32_t of : now) {
      for (const uint32_t at : next(of)) {
        if (at == Instruction::kNone || (*seen)[at]) continue;
        (*seen)[at] = true;
        found.push_back(at);
      }
    }
    steps->push_back(found);
    now = std::move(found);
  }
}

}  // namespace

std::vector<Neighbor> NeighborsOf(const Program& program, uint32_t instruction, int64_t width) {
  const Instruction& center = program.instructions[instruction];
  const Users users = UsersIn(program, program.computations[center.computation]);
  std::vector<bool> seen(program.instructions.size());
  seen[instruction] = true;
  std::vector<std::vector<uint32_t>> before, after;
  Spread(
      instruction, width,
      [&](uint32_t of) { return program.References(program.instructions[of].operands); }, &seen,
      &before);
  Spread(
      instruction, width,
      [&](uint32_t of) -> const std::vector<uint32_t>& { return users.of[of - users.first]; },
      &seen, &after);
  std::vector<Neighbor> near;
  for (size_t step = before.size(); step-- > 0;) {
    for (const uint32_t at : before[step]) {
      near.push_back({at, "operand", -static_cast<int64_t>(step) - 1});
    }
  }
  near.push_back({instruction, "itself", 0});
  for (const uint32_t called : program.References(center.called)) {
    if (called == Instruction::kNone) continue;
    for (const uint32_t at : program.computations[called].instructions) {
      if (!seen[at]) near.push_back({at, "fused", 0});
      seen[at] = true;
    }
  }
  for (size_t step = 0; step < after.size(); ++step) {
    for (const uint32_t at : after[step]) {
      near.push_back({at, "user", static_cast<int64_t>(step) + 1});
    }
  }
  return near;
}

}  // namespace tfprof
