// SPDX-License-Identifier: Apache-2.0
#include "views/categories/tables.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "loaders/open.h"
#include "tests/support/source_of.h"

namespace tfprof::tables_test {
namespace {

// A step of 100 us on one thread. The region begins in an operation and ends after it:
//   op      10 ........ 40
//   region       20 ............ 60
//   call           30 . 35               launches a kernel, 50 to 80
// A copy, 70 to 90, has no launch in the file. A collective runs from 85 to 95.
constexpr std::string_view kTrace = R"json({"distributedInfo":{"rank":2},"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":1,"ts":1000,"dur":100},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":1,"ts":1010,"dur":30},
{"ph":"X","cat":"user_annotation","name":"region","pid":9,"tid":1,"ts":1020,"dur":40},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":1,"ts":1030,"dur":5,
 "args":{"correlation":8}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1050,"dur":30,
 "args":{"device":0,"stream":7,"correlation":8,"est. achieved occupancy %":25}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pinned)",
                           "pid" : 0, "tid" : 9, "ts" : 1070, "dur" : 20, "args" : {
  "device" : 0, "stream" : 9, "correlation" : -1, "bytes" : 256
}
},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":9,"ts":1085,"dur":10,
 "args":{"device":0,"stream":9,"correlation":0}},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":1,"ts":1005,
 "args":{"Bytes":512,"Total Allocated":512,"Total Reserved":2048,"Device Type":1,"Device Id":0}},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":1,"ts":1006,
 "args":{"Bytes":-128,"Total Allocated":384,"Total Reserved":2048,"Device Type":1,"Device Id":0}}
]
})json";

Report ReportOf(AddTables* add, std::string_view trace = kTrace) {
  const TestFolder folder;
  WriteFile(folder / "trace.json", trace);
  Context context;
  const StorePtr store = Load({{folder / "trace.json"}}, context).value();
  Report report = NewReport("view", store);
  REQUIRE(add(store, Indexes(store), context, &report).has_value());
  return report;
}

constexpr int64_t kUs = 1'000'000;

int64_t At(const Table& table, std::string_view id, size_t row) {
  return table.Find(id)->Integer(row);
}

size_t RowOf(const Table& table, std::string_view id, std::string_view text) {
  const auto& texts = table.Find(id)->texts;
  const auto found = std::ranges::find(texts, text);
  REQUIRE(found != texts.end());
  return static_cast<size_t>(found - texts.begin());
}

}  // namespace

TEST_CASE("every instant of a thread belongs to the innermost event") {
  const Report report = ReportOf(AddOpTable);
  const Table& ops = report.tables[0];
  const auto self = [&](std::string_view name) {
    return At(ops, "total_self_time", RowOf(ops, "operation", name));
  };
  CHECK(self("ProfilerStep#4") == 50 * kUs);  // 0 to 10 and 60 to 100
  CHECK(self("aten::mm") == 10 * kUs);        // 10 to 20
  CHECK(self("region") == 35 * kUs);          // 20 to 60 without the call
  CHECK(self("cudaLaunchKernel") == 5 * kUs);
}

TEST_CASE("device time goes to all events around the launch, and to one operation") {
  const Report report = ReportOf(AddOpTable);
  const Table& ops = report.tables[0];
  const auto device = [&](std::string_view id, std::string_view name) {
    return At(ops, id, RowOf(ops, "operation", name));
  };
  CHECK(device("device_time", "region") == 30 * kUs);
  CHECK(device("device_time", "ProfilerStep#4") == 30 * kUs);
  // The operation ends before the region does, so it does not contain it.
  CHECK(device("device_time", "aten::mm") == 0);
  CHECK(device("self_device_time", "region") == 30 * kUs);
  CHECK(device("self_device_time", "ProfilerStep#4") == 0);
  CHECK(device("device_time", "gemm") == kNoInt);
}

TEST_CASE("of events with one start the longest is outermost, then annotations are") {
  // The call launches 7 us; the operation is around it, and the region around that.
  const Report report = ReportOf(AddOpTable, R"([
{"ph":"X","cat":"cuda_runtime","name":"call","pid":9,"tid":1,"ts":10,"dur":5,
 "args":{"correlation":8}},
{"ph":"X","cat":"cpu_op","name":"op","pid":9,"tid":1,"ts":10,"dur":20},
{"ph":"X","cat":"user_annotation","name":"region","pid":9,"tid":1,"ts":10,"dur":20},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":30,"dur":7,"args":{"correlation":8}}])");
  const Table& ops = report.tables[0];
  const auto of = [&](std::string_view id, std::string_view name) {
    return At(ops, id, RowOf(ops, "operation", name));
  };
  CHECK(of("total_self_time", "region") == 0);
  CHECK(of("total_self_time", "op") == 15 * kUs);
  CHECK(of("total_self_time", "call") == 5 * kUs);
  CHECK(of("self_device_time", "op") == 7 * kUs);
  CHECK(of("self_device_time", "region") == 0);
  CHECK(of("device_time", "region") == 7 * kUs);
}

TEST_CASE("at equal times a launch precedes a start of work") {
  const Report report = ReportOf(AddLaunchTables, R"([
{"ph":"X","cat":"cuda_runtime","name":"a","pid":9,"tid":1,"ts":10,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"b","pid":9,"tid":1,"ts":20,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":20,"dur":7,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":40,"dur":7,"args":{"correlation":2}}])");
  const Table& queues = report.tables[1];
  CHECK(At(queues, "max_queue_length", 0) == 2);
  CHECK(queues.Find("avg_queue_length")->reals[0] == Approx(1));  // 1, 2, 1, 0
}

TEST_CASE("the time of a device is divided by kinds of work") {
  const Report report = ReportOf(AddDeviceTable);
  const Table& devices = report.tables[0];
  REQUIRE(devices.rows == 1);
  CHECK(At(devices, "global_rank", 0) == 2);
  CHECK(At(devices, "span_us", 0) == 45 * kUs);  // 50 to 95
  CHECK(At(devices, "busy_us", 0) == 45 * kUs);
  CHECK(At(devices, "kernels_us", 0) == 30 * kUs);  // 50 to 80
  CHECK(At(devices, "comm_us", 0) == 10 * kUs);     // 85 to 95
  CHECK(At(devices, "exposed_comm_us", 0) == 10 * kUs);
  CHECK(At(devices, "memory_us", 0) == 20 * kUs);         // 70 to 90
  CHECK(At(devices, "exposed_memory_us", 0) == 5 * kUs);  // 80 to 85
  CHECK(At(devices, "kernels", 0) == 2);
  CHECK(At(devices, "streams", 0) == 2);
}

TEST_CASE("steps have the work in them, and the work that they launched") {
  const Report report = ReportOf(AddStepTable);
  const Table& steps = report.tables[0];
  REQUIRE(steps.rows == 1);
  CHECK(At(steps, "step_number", 0) == 4);
  CHECK(At(steps, "start_us", 0) == 0);
  CHECK(At(steps, "duration_us", 0) == 100 * kUs);
  CHECK(At(steps, "device_busy_us", 0) == 45 * kUs);
  CHECK(At(steps, "launched", 0) == 1);
  CHECK(At(steps, "launched_device_us", 0) == 30 * kUs);
}

TEST_CASE("launches have delays and queues") {
  const Report report = ReportOf(AddLaunchTables);
  const Table& launches = report.tables[0];
  REQUIRE(launches.rows == 1);
  CHECK(At(launches, "min_launch_delay_us", 0) == 15 * kUs);  // 35 to 50
  CHECK(At(launches, "max_start_delay_us", 0) == 20 * kUs);   // 30 to 50
  const Table& queues = report.tables[1];
  REQUIRE(queues.rows == 1);
  CHECK(At(queues, "max_queue_length", 0) == 1);
  CHECK(queues.Find("avg_queue_length")->reals[0] == Approx(0.5));
  CHECK(report.properties[0].integer == 1);
  CHECK(report.properties[1].integer == 2);  // the copy and the collective
}

TEST_CASE("memory has the allocations and frees of each device") {
  const Report report = ReportOf(AddMemoryTables);
  const Table& usage = report.tables[0];
  REQUIRE(usage.rows == 1);
  CHECK(usage.Find("device_type")->texts[0] == "CUDA");
  CHECK(At(usage, "given_bytes", 0) == 512);
  CHECK(At(usage, "deallocated_bytes", 0) == 128);
  CHECK(At(usage, "net_bytes", 0) == 384);
  CHECK(At(usage, "peak_allocated_bytes", 0) == 512);
  CHECK(At(usage, "peak_reserved_bytes", 0) == 2048);
  const Table& copies = report.tables[1];
  REQUIRE(copies.rows == 1);
  CHECK(At(copies, "bytes", 0) == 256);
  CHECK(At(copies, "total_duration_us", 0) == 20 * kUs);
}

TEST_CASE("kernels are credited to operations, and have an occupancy") {
  const Report report = ReportOf(AddKernelTable);
  const Table& kernels = report.tables[0];
  REQUIRE(kernels.rows == 2);
  const size_t row = RowOf(kernels, "kernel_name", "gemm");
  CHECK(kernels.Find("op_name")->texts[row] == "region");
  CHECK(kernels.Find("recorded_occupancy_pct")->reals[row] == 25);
  CHECK(kernels.Find("grid_dim")->texts[row].data() == nullptr);
  CHECK(At(kernels, "registers_per_thread", row) == kNoInt);
}

TEST_CASE("instants are no events of a thread") {
  const Report report = ReportOf(AddThreadTables);
  const Table& threads = report.tables[0];
  REQUIRE(threads.rows == 3);
  CHECK(At(threads, "events", 0) == 4);
  CHECK(At(threads, "sum_us", 0) == 175 * kUs);
  CHECK(At(threads, "busy_us", 0) == 100 * kUs);
  CHECK(threads.Find("thread")->texts[0] == "1");
  CHECK(threads.Find("process_name")->texts[0].data() == nullptr);
  const Table& categories = report.tables[1];
  CHECK(categories.rows == 6);
}

}  // namespace tfprof::tables_test
