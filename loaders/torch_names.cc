// SPDX-License-Identifier: Apache-2.0
#include "loaders/torch_names.h"

#include "core/store/op_name.h"

namespace tfprof::torch {
namespace {

constexpr std::string_view kLoader = "enumerate(DataLoader)#";

enum class Match : uint8_t { whole, begin, end };

struct KnownName {
  std::string_view text;
  EventRole role;
  Match match = Match::whole;
};

// Regions that PyTorch opens itself. The first that fits is taken.
constexpr KnownName kRegions[] = {
    {kLoader, EventRole::input_fetch, Match::begin},  // around the next batch
    {"Optimizer.step#", EventRole::update, Match::begin},
    // torch.distributed, around a collective, on the thread that waits for it.
    {"gloo:", EventRole::collective, Match::begin},
    {"mpi:", EventRole::collective, Match::begin},
    {"ucc:", EventRole::collective, Match::begin},
};

// Operations, and regions that torch.compile records as such.
constexpr KnownName kOperations[] = {
    {"aten::item", EventRole::read_result},
    {"aten::_local_scalar_dense", EventRole::read_result},
    {"aten::nonzero", EventRole::read_result},
    {"aten::is_nonzero", EventRole::read_result},
    {"aten::copy_", EventRole::array_copy},
    {"aten::contiguous", EventRole::array_layout},
    {"aten::reshape", EventRole::array_layout},
    {"aten::to", EventRole::array_type},
    {"aten::_to_copy", EventRole::array_type},
    {"dynamo", EventRole::compile},
    {"entire_frame_compile", EventRole::compile},
    {"backend_compile", EventRole::compile},
    {"inductor_compile", EventRole::compile},
    {"(dynamo_timed)", EventRole::compile, Match::end},
};

template <size_t kCount>
EventRole RoleIn(const KnownName (&names)[kCount], std::string_view name) {
  for (const KnownName& known : names) {
    const bool fits = known.match == Match::whole   ? name == known.text
                      : known.match == Match::begin ? name.starts_with(known.text)
                                                    : name.ends_with(known.text);
    if (fits) return known.role;
  }
  return EventRole::none;
}

}  // namespace

EventClass ClassOf(std::string_view name) {
  const bool is_op = ParseOpName(name).family == OpFamily::torch ||
                     name.starts_with("autograd::") || name.starts_with("torch::autograd::") ||
                     RoleIn(kOperations, name) != EventRole::none;
  return is_op ? EventClass::op : EventClass::annotation;
}

EventRole RoleOf(std::string_view name, EventClass of) {
  if (of != EventClass::annotation && of != EventClass::op) return EventRole::none;
  // Before 2021, Kineto recorded regions as operations.
  const EventRole region = RoleIn(kRegions, name);
  if (region != EventRole::none || of == EventClass::annotation) return region;
  return RoleIn(kOperations, name);
}

std::string_view DisplayNameOf(std::string_view name, EventRole role) {
  if (role == EventRole::compile) return "a torch.compile function";
  if (!name.starts_with(kLoader)) return {};
  const bool workers = name.find("MultiProcessing") != name.npos;
  return workers ? "DataLoader workers" : "DataLoader";
}

}  // namespace tfprof::torch
