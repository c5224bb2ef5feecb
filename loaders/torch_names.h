// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/store/lanes.h"

// What PyTorch calls its regions and operations, whichever recorder takes the names.

namespace tfprof::torch {

// annotation or op: what a range of this name is, where the recorder does not say it.
EventClass ClassOf(std::string_view name);

// What the name of a region or operation says, given its class.
EventRole RoleOf(std::string_view name, EventClass of);

// A shorter text for the name of an event; empty: there is none.
std::string_view DisplayNameOf(std::string_view name, EventRole role);

}  // namespace tfprof::torch
