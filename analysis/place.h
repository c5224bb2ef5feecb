// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// Returns true if the name of a device contains `part`, in any case. A number at its end is a whole
// one: gpu:1 is no part of gpu:10.
bool ContainsDevice(std::string_view name, std::string_view part);

// Returns true if -host and -device select the process. -host: a name of its host (of the file, or
// its own) contains the text, or equals it if some host has exactly that name. -device: its
// PlaceName, or the name of its device model, contains the text. Case-insensitive.
bool MatchesPlace(const Store& store, const Process& process, const PlaceFilter& place);

// Returns the processes of a kind that MatchesPlace selects.
std::vector<ProcessId> SelectedProcesses(const Store& store, const PlaceFilter& place,
                                         ProcessKind kind);

// Applies MatchesPlace to lanes, by lane. A stream is also selected with its device.
std::vector<bool> LanesMatchingPlace(const Store& store, const PlaceFilter& place);

// By lane: the lane of its device. Streams name their device without the job prefix of the
// executor's lane: if only one executor's lane ends in the same text, it is that lane.
std::vector<uint32_t> DeviceLanes(const Store& store);

// Returns the part of a lane's name (or display name) that names the device.
std::string_view DevicePart(const Lane& lane, std::string_view name);

// Returns true if the process has events.
bool HasEvents(const Store& store, const Process& process);

// Returns the lanes of a process with rows.
std::vector<const Lane*> LanesThatMeasure(const Store& store, ProcessId process, Measures what);

// Of its device; other: it has none.
DeviceKind DeviceKindOf(const Store& store, const Process& process);

// Returns the display name of a process; with several hosts: "HOST NAME".
std::string PlaceName(const Store& store, const Process& process);

// Returns the display name of a host: that of its file; null: not recorded.
std::string_view HostName(const Store& store, HostId host);

// Returns the host's own name if the profile records it, else the name of its file.
std::string OwnName(const Store& store, HostId host);

}  // namespace tfprof
