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

// The operation that a device event belongs to. Its texts live as long as the EventOps.
struct EventOp {
  ModuleId module;                            // none: the profile does not contain the program
  uint32_t instruction = Instruction::kNone;  // in the module
  bool is_xla = false;                        // it belongs to an instruction of a compiled program
  uint64_t program_id = 0;                    // of that instruction
  std::string_view hlo_name;                  // the instruction's name
  std::string_view program;                   // the program's name, as the event records it
  std::string_view provenance;       // NAME:TYPE of the framework operation; empty: not recorded
  EventClass of = EventClass::none;  // of the operation, where a host event has it
  OpName op;                         // `provenance`, parsed; empty if it is no operation name
};

// What may name the operation of a device event.
enum class OpSources : uint8_t {
  // Its instruction, and the operation that the program records for that; else its own operation.
  // As in xprof.
  recorded,
  // Also the regions of the program around its launch, if the event records them.
  annotated,
  // The first that exists: its own operation; that of its instruction; the regions of the program
  // around its launch; for a kernel, the framework operation that the recorder derived; the host
  // operation around its launch.
  all,
};

// The operations of the events of one device process.
struct EventOps {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  Range rows;                 // of Store::events
  Column<uint32_t> of_event;  // by row - rows.first: index into ops; kNone: neither is recorded
  std::vector<EventOp> ops;
  // Owners of the texts of `ops`: recorded texts, and derived ones.
  IndexPtr<DetailColumn> recorded;
  Names texts;

  uint32_t Of(uint32_t row) const { return rows.count == 0 ? kNone : of_event[row - rows.first]; }
};

// The keys that record the operation.
inline constexpr DetailKey kOpKeys[] = {AttributeKey::op, AttributeKey::instruction,
                                        AttributeKey::module, AttributeKey::program};

// These keys and `key`, to be read in one pass.
template <class... Key>
constexpr auto WithOpKeys(Key... key) {
  return [&]<size_t... I>(std::index_sequence<I...>) {
    return std::array<DetailKey, sizeof...(key) + sizeof...(I)>{key..., kOpKeys[I]...};
  }
  (std::make_index_sequence<std::size(kOpKeys)>());
}

// Error: cancelled.
Result<EventOps> FindEventOps(const Store& store, const Indexes& indexes, ProcessId process,
                              OpSources sources, Context& context);

}  // namespace tfprof
