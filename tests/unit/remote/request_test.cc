// SPDX-License-Identifier: Apache-2.0
#include "remote/request.h"

#include <catch2/catch.hpp>

#include "proto/profiler_service.pb.h"

namespace tfprof::remote::request_test {
namespace {

TEST_CASE("a session as protobuf reads it") {
  pb::service::ProfileRequest request;
  REQUIRE(request.ParseFromString(ProfileRequest({"run/h1", "h1:6009", 2500, {3, 0, 1}})));
  CHECK(request.duration_ms() == 2500);
  CHECK(request.tools_size() == 1);
  CHECK(request.session_id() == "run/h1");
  CHECK(request.host_name() == "h1:6009");
  CHECK(request.emit_xspace());
  CHECK(request.repository_root().empty());  // the server writes no file
  CHECK(request.opts().version() == 1);
  CHECK(request.opts().duration_ms() == 2500);
  CHECK(request.opts().host_tracer_level() == 3);
  CHECK(request.opts().device_tracer_level() == 0);
  CHECK(request.opts().python_tracer_level() == 1);
  CHECK(request.opts().start_timestamp_ns() == 0);
}

TEST_CASE("the other requests") {
  pb::service::TerminateRequest terminate;
  REQUIRE(terminate.ParseFromString(TerminateRequest("run/h1")));
  CHECK(terminate.session_id() == "run/h1");
  pb::service::MonitorRequest monitor;
  REQUIRE(monitor.ParseFromString(MonitorRequest(1000, 2)));
  CHECK(monitor.duration_ms() == 1000);
  CHECK(monitor.monitoring_level() == 2);
  CHECK(monitor.timestamp());
}

}  // namespace
}  // namespace tfprof::remote::request_test
