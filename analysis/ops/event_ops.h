// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/indexes.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/hlo/program.h"
#include "core/store/op_name.h"

namespace tfprof {

// What an event of a device works for. Texts live as long as the EventOps that has it.
struct EventOp {
  ModuleId module;                            // none: the profile has no such program
  uint32_t instruction = Instruction::kNone;  // of the module
  bool is_xla = false;                        // it belongs to an instruction of a compiled program
  uint64_t program_id = 0;                    // of it
  std::string_view hlo_name;                  // of the instruction
  std::string_view provenance;  // NAME:TYPE of the framework operation; empty: none is told
  OpName op;                    // the same, split; no operation where the text is none
};

// The operations of the events of one device process. A kernel of XLA says which instruction it
// runs, and the program knows from which operation that came; other kernels name the operation.
struct EventOps {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  Range rows;                 // of Store::events
  Column<uint32_t> of_event;  // by row - rows.first: of ops; kNone: neither is told
  std::vector<EventOp> ops;
  // What ops lie in: what events tell, where that is all, and what was made of it.
  IndexPtr<DetailColumn> told;
  Names texts;

  uint32_t Of(uint32_t row) const { return rows.count == 0 ? kNone : of_event[row - rows.first]; }
};

// The keys that tell it.
inline constexpr DetailKey kOpKeys[] = {AttributeKey::op, AttributeKey::instruction,
                                        AttributeKey::module, AttributeKey::program};

// Those and `key`, to be read in one walk.
template <class... Key>
constexpr auto WithOpKeys(Key... key) {
  return [&]<size_t... I>(std::index_sequence<I...>) {
    return std::array<DetailKey, sizeof...(key) + sizeof...(I)>{key..., kOpKeys[I]...};
  }
  (std::make_index_sequence<std::size(kOpKeys)>());
}

// Error: cancelled.
Result<EventOps> FindEventOps(const Store& store, const Indexes& indexes, ProcessId process,
                              Context& context);

}  // namespace tfprof
