// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// Whether -host and -device let a process through: a name of its host (of the file, or its own)
// contains the one, or is it where a host has just that name; its PlaceName, or the name of its
// device model, the other. In any case of letters.
bool InPlace(const Store& store, const Process& process, const PlaceFilter& place);

// The same of lanes, by lane. A stream is also let through where the device it belongs to is.
std::vector<bool> LanesInPlace(const Store& store, const PlaceFilter& place);

// By lane: the lane that stands for its device. Streams name their device without the job that the
// executor's lane has before it: where only one executor's lane ends in the same words it is that.
std::vector<uint32_t> DeviceLanes(const Store& store);

// Which part of a lane's name (or of its display name) names the device.
std::string_view DevicePart(const Lane& lane, std::string_view name);

// Whether anything ran in a process.
bool HasEvents(const Store& store, const Process& process);

// Of its device; other: it has none.
DeviceKind DeviceKindOf(const Store& store, const Process& process);

// What a process is called: of one of several hosts, "HOST NAME".
std::string PlaceName(const Store& store, const Process& process);

// What a machine is called: as its file; null: none is told.
std::string_view HostName(const Store& store, HostId host);

// What a machine calls itself, where the profile tells that, else the name of its file.
std::string OwnName(const Store& store, HostId host);

}  // namespace tfprof
