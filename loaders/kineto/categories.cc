// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/categories.h"

#include "core/base/arith.h"
#include "core/base/ascii.h"
#include "loaders/kineto/decimal.h"
#include "loaders/torch_names.h"
#include "loaders/xspace/event_roles.h"

namespace tfprof::kineto {
namespace {

struct KnownCategory {
  std::string_view name;
  EventClass of;
  std::string_view today = {};  // empty: the same
};

// libkineto/src/ActivityType.cpp of pytorch/kineto, with the spellings of 2020 and 2021.
constexpr KnownCategory kCategories[] = {
    {"cpu_op", EventClass::op},
    {"operator", EventClass::op, "cpu_op"},
    {"user_annotation", EventClass::annotation},
    {"python_function", EventClass::python_call},
    {"cuda_runtime", EventClass::runtime_call},
    {"cuda_driver", EventClass::runtime_call},
    {"runtime", EventClass::runtime_call, "cuda_runtime"},
    {"mtia_runtime", EventClass::runtime_call},
    {"glow_runtime", EventClass::runtime_call},
    {"xpu_runtime", EventClass::runtime_call},
    {"xpu_driver", EventClass::runtime_call},
    {"privateuse1_runtime", EventClass::runtime_call},
    {"privateuse1_driver", EventClass::runtime_call},
    {"kernel", EventClass::kernel},
    {"concurrent_kernel", EventClass::kernel, "kernel"},
    {"gpu_memcpy", EventClass::copy},
    {"memcpy", EventClass::copy, "gpu_memcpy"},
    {"gpu_memset", EventClass::fill},
    {"memset", EventClass::fill, "gpu_memset"},
    {"gpu_user_annotation", EventClass::device_annotation},
    {"cuda_sync", EventClass::device_other},
    {"cuda_profiler_range", EventClass::device_other},
    {"mtia_ccp_events", EventClass::device_other},
    {"trace", EventClass::recorder},
};

const KnownCategory* Find(std::string_view category) {
  for (const KnownCategory& known : kCategories) {
    const bool fits = known.name.size() == category.size();
    if (fits && BeginsWithAnyCase(category, known.name)) return &known;
  }
  return nullptr;
}

EventRole CopyRoleOf(std::string_view name) {
  if (BeginsWithAnyCase(name, "Memcpy PtoP")) return EventRole::copy_to_peer;
  return xspace::EventRoleOf(name, ProcessKind::device).role;
}

constexpr std::string_view kStep = "ProfilerStep#";

}  // namespace

EventClass ClassOf(std::string_view category) {
  const KnownCategory* const known = Find(category);
  return known == nullptr ? EventClass::none : known->of;
}

std::string CategoryName(std::string_view category) {
  const KnownCategory* const known = Find(category);
  if (known != nullptr) return std::string(known->today.empty() ? known->name : known->today);
  std::string name(category);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return name;
}

EventRole RoleOf(std::string_view name, EventClass of) {
  if (of == EventClass::kernel || of == EventClass::fill) return EventRole::none;
  if (of == EventClass::copy) return CopyRoleOf(name);
  if (of == EventClass::device_other) return xspace::EventRoleOf(name, ProcessKind::device).role;
  if (of == EventClass::runtime_call) return xspace::EventRoleOf(name, ProcessKind::host).role;
  const bool may_be_step = of == EventClass::annotation || of == EventClass::op;
  if (may_be_step && StepNumberOf(name) != kNoInt) return EventRole::root_step_marker;
  return torch::RoleOf(name, of);
}

bool IsMemoryEntry(std::string_view name) { return name == "[memory]"; }

int64_t StepNumberOf(std::string_view name) {
  if (!name.starts_with(kStep)) return kNoInt;
  return ReadInteger(name.substr(kStep.size())).value_or(kNoInt);
}

}  // namespace tfprof::kineto
