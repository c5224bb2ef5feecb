// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/recorded.h"

#include <algorithm>

#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "loaders/xspace/layout.h"
#include "loaders/xspace/stats.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::Tag;

std::string_view NameOfPlane(std::string_view plane) {
  Fields fields(plane);
  while (fields.Next()) {
    if (fields.tag() == Tag(field::XPlane::name, kBytes)) return fields.Bytes();
    fields.Skip();
  }
  return {};
}

// The plane with the facts of the recorder, as a space of its own, and its machine.
struct Environment {
  std::string_view plane;
  std::string_view machine;
};

Environment ReadEnvironment(std::string_view space) {
  Environment environment;
  Fields fields(space);
  while (fields.Next()) {
    const char* begin = fields.field_at();
    if (fields.tag() == Tag(field::XSpace::hostnames, kBytes)) {
      environment.machine = fields.Bytes();
    } else if (fields.tag() != Tag(field::XSpace::planes, kBytes)) {
      fields.Skip();
    } else if (NameOfPlane(fields.Bytes()) == "Task Environment") {
      environment.plane = {begin, static_cast<size_t>(fields.position() - begin)};
    }
  }
  return environment;
}

// True if `in` is true of the bytes of some field `tag` of a message.
template <class Predicate>
bool AnyField(std::string_view message, uint32_t tag, const Predicate& in) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() != tag) {
      fields.Skip();
    } else if (in(fields.Bytes())) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool HasEvents(std::string_view space) {
  return AnyField(space, Tag(field::XSpace::planes, kBytes), [](std::string_view plane) {
    return AnyField(plane, Tag(field::XPlane::lines, kBytes), [](std::string_view line) {
      return AnyField(line, Tag(field::XLine::events, kBytes),
                      [](std::string_view) { return true; });
    });
  });
}

std::optional<Recorded> ReadRecorded(std::string_view space) {
  const Environment environment = ReadEnvironment(space);
  const Layout layout = ReadLayout(environment.plane);
  if (layout.planes.empty()) return std::nullopt;
  const StatNames names(layout.planes[0].stat_metadata);
  Recorded recorded{.machine = environment.machine};
  for (const std::string_view message : layout.planes[0].stats) {
    const Detail detail = Resolve(ReadStat(message), names);
    const bool number = detail.kind == ValueKind::integer || detail.kind == ValueKind::natural;
    if (!number || detail.bits > static_cast<uint64_t>(kMaxPs)) continue;
    if (detail.key == "profile_start_time") recorded.begin_ns = static_cast<int64_t>(detail.bits);
    if (detail.key == "profile_stop_time") recorded.end_ns = static_cast<int64_t>(detail.bits);
  }
  if (recorded.begin_ns == 0) return std::nullopt;
  recorded.end_ns = std::max(recorded.begin_ns, recorded.end_ns);
  return recorded;
}

std::optional<RecorderOptions> ReadRecorderOptions(const Plane& plane, const StatNames& names) {
  using Options = field::ProfileOptions;
  for (const std::string_view message : plane.stats) {
    const Detail detail = Resolve(ReadStat(message), names);
    const bool has_bytes = detail.kind == ValueKind::bytes || detail.kind == ValueKind::text;
    if (detail.key != "profile_options" || !has_bytes) continue;
    RecorderOptions options;
    const char* bad = wire::ReadMessage(
        detail.text, wire::Number<Options::host_tracer_level>(&options.host_level),
        wire::Number<Options::device_tracer_level>(&options.device_level),
        wire::Number<Options::python_tracer_level>(&options.python_level));
    if (bad == nullptr) return options;
  }
  return std::nullopt;
}

}  // namespace tfprof::xspace
