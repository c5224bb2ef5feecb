// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/place.h"
#include "views/view.h"

namespace tfprof {
namespace {

bool HasDevice(const Store& store, bool gpu) {
  return std::any_of(store.processes.begin(), store.processes.end(), [&](const Process& process) {
    const bool is_device =
        gpu ? DeviceKindOf(store, process) == DeviceKind::gpu : process.kind == ProcessKind::device;
    return is_device && HasEvents(store, process);
  });
}

}  // namespace

std::string_view Lacks(const View& view, const Store& store) {
  if (view.needs == Needs::nothing) return {};
  if (view.needs == Needs::copies && !store.copies.empty()) return {};
  if (!store.IsTrace()) return "needs a trace";
  switch (view.needs) {
    case Needs::gpu: return HasDevice(store, true) ? "" : "no GPU was recorded";
    case Needs::copies:
    case Needs::device: return HasDevice(store, false) ? "" : "no device was recorded";
    case Needs::trace:
    case Needs::nothing: break;
  }
  return {};
}

}  // namespace tfprof
