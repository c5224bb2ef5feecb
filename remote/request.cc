// SPDX-License-Identifier: Apache-2.0
#include "remote/request.h"

#include "core/base/wire_writer.h"
#include "proto/profiler_service_fields.h"

namespace tfprof::remote {
namespace {

namespace service = field::service;

// With another version, a server takes its own levels.
constexpr int64_t kVersion = 1;
// As many as the other clients allow; servers of today ignore it.
constexpr int64_t kMaxEvents = 1'000'000;

}  // namespace

std::string ProfileRequest(const Session& session) {
  std::string bytes;
  WireWriter writer(&bytes);
  writer.Int(service::ProfileRequest::duration_ms, session.duration_ms);
  writer.Int(service::ProfileRequest::max_events, kMaxEvents);
  // Older servers fill no field for the trace itself, and choose by this what to record.
  writer.Bytes(service::ProfileRequest::tools, "xplane.pb");
  writer.Message(service::ProfileRequest::opts, [&] {
    using Options = service::ProfileOptions;
    writer.Int(Options::include_dataset_ops, 1);
    writer.Int(Options::host_tracer_level, session.levels.host);
    writer.Int(Options::device_tracer_level, session.levels.device);
    writer.Int(Options::python_tracer_level, session.levels.python);
    writer.Int(Options::version, kVersion);
    writer.Int(Options::enable_hlo_proto, 1);
    writer.Int(Options::duration_ms, session.duration_ms);
  });
  writer.Bytes(service::ProfileRequest::session_id, session.id);
  writer.Bytes(service::ProfileRequest::host_name, session.host);
  writer.Int(service::ProfileRequest::emit_xspace, 1);
  return bytes;
}

std::string TerminateRequest(const std::string& session_id) {
  std::string bytes;
  WireWriter(&bytes).Bytes(service::TerminateRequest::session_id, session_id);
  return bytes;
}

std::string MonitorRequest(int64_t duration_ms, int64_t level) {
  std::string bytes;
  WireWriter writer(&bytes);
  writer.Int(service::MonitorRequest::duration_ms, duration_ms);
  writer.Int(service::MonitorRequest::monitoring_level, level);
  writer.Int(service::MonitorRequest::timestamp, 1);
  return bytes;
}

}  // namespace tfprof::remote
