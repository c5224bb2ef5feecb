// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/report/fold.h"
#include "core/store/note_catalogue.h"
#include "tests/support/trace_of.h"
#include "views/columns/rates.h"

namespace tfprof::op_stats_test {
namespace {

constexpr int64_t kUs = 1'000'000;

// Layers of a TPU and of its host, and instructions that came from no operation.
StorePtr LayersOnBothSides() {
  std::vector<TestEvent> device, host;
  std::map<std::string, TestDetails> of_label;
  int64_t at = 0;
  const auto run = [&](const std::string& instruction, int64_t us, TestDetails facts) {
    device.push_back({instruction, at, us * kUs});
    at += us * kUs;
    facts["program"] = int64_t{1};
    of_label[instruction] = std::move(facts);
  };
  run("head", 9, {{"op", "head/MatMul:MatMul"}});
  for (const int64_t layer : {0, 1, 2}) {
    run("dot." + std::to_string(layer), 4,
        {{"op", "layer_" + std::to_string(layer) + "/MatMul:MatMul"},
         {"flops", 1000 * (layer + 1)},
         {"bytes_accessed", int64_t{500}}});
    run("copy." + std::to_string(layer), 1, {});
    host.push_back({"layer_" + std::to_string(layer) + "/Cast:Cast", 100 * layer * kUs, 50 * kUs});
  }
  return TraceOf({{.name = "/device:TPU:0",
                   .lanes = {{.name = "XLA Ops", .events = device, .role = LaneRole::ops}},
                   .device = DeviceKind::tpu,
                   .of_label = of_label},
                  {.lanes = {{.events = host}}}});
}

Report StatsOf(const StorePtr& store) {
  const Indexes indexes(store);
  Context context;
  return OpStats(store, indexes, {}, context).value();
}

// A TPU that starts and awaits a copy; the loop took what the copy did.
StorePtr AsynchronousCopy() {
  const auto moves = [](int64_t bytes) {
    return TestDetails{{"program", int64_t{1}}, {"flops", int64_t{0}}, {"bytes_accessed", bytes}};
  };
  const int64_t gigabyte = 1'000'000'000;
  return TraceOf({{.name = "/device:TPU:0",
                   .lanes = {{.name = "XLA Ops",
                              .events = {{"copy-start.1", 0, 100},
                                         {"fusion.1", kUs, 1000 * kUs},
                                         {"copy-done.1", 1002 * kUs, 1000 * kUs}},
                              .role = LaneRole::ops}},
                   .device = DeviceKind::tpu,
                   .of_label = {{"copy-start.1", moves(gigabyte)},
                                {"fusion.1", moves(gigabyte)},
                                {"copy-done.1", moves(gigabyte)}}}});
}

using Ask = Result<Report>(const StorePtr&, const Indexes&, const Query&, Context&);

// By the texts of column `name` of a table the reals of column `id`.
std::map<std::string_view, double> RealsOf(const Table& table, std::string_view name,
                                           std::string_view id) {
  std::map<std::string_view, double> reals;
  for (size_t row = 0; row < table.rows; ++row) {
    reals[table.Find(name)->texts[row]] = table.Find(id)->reals[row];
  }
  return reals;
}

std::map<std::string_view, std::string_view> TextsOf(const Table& table, std::string_view name,
                                                     std::string_view id) {
  std::map<std::string_view, std::string_view> texts;
  for (size_t row = 0; row < table.rows; ++row) {
    texts[table.Find(name)->texts[row]] = table.Find(id)->texts[row];
  }
  return texts;
}

}  // namespace

TEST_CASE("starts and dones of copies have no bandwidth, and notes explain it") {
  const StorePtr store = AsynchronousCopy();
  struct Asked {
    Ask* ask;
    size_t table;
    std::string_view name, rate, bound;
  };
  for (const Asked& asked : {Asked{OpStats, 1, "operation", "memory_rate", "limited_by"},
                             Asked{Hlo, 0, "hlo_op_name", "memory_rate", "limited_by"},
                             Asked{Roofline, 0, "name", "measured_memory_bw", "bound_by"}}) {
    INFO(asked.rate << " by " << asked.name);
    const Indexes indexes(store);
    Context context;
    const Report report = asked.ask(store, indexes, {}, context).value();
    const Table& table = report.tables.at(asked.table);
    const auto rates = RealsOf(table, asked.name, asked.rate);
    CHECK(std::isnan(rates.at("copy-start.1")));
    CHECK(std::isnan(rates.at("copy-done.1")));
    CHECK(rates.at("fusion.1") == Approx(1000));
    const auto bounds = TextsOf(table, asked.name, asked.bound);
    CHECK(bounds.at("copy-done.1") == "async");
    CHECK(bounds.at("copy-start.1").empty());
    REQUIRE(report.notes.size() == 2);
    CHECK(report.notes[0].what == note::awaiting_operations);
    CHECK(report.notes[0].cost_ps == 1000 * kUs);
    CHECK(report.notes[1].what == note::bytes_beyond_memory);
    for (const Note& note : report.notes) CHECK(note.count == 1);
  }
  // Scripts compare these with xprof's.
  const Report stats = StatsOf(store);
  const auto compared = RealsOf(stats.tables.at(1), "operation", "measured_memory_bw");
  CHECK(compared.at("copy-start.1") == Approx(1e19 / kGibi));
  CHECK(compared.at("copy-done.1") == Approx(1e12 / kGibi));
}

TEST_CASE("stalls are not in the sums of the roofline") {
  const StorePtr store = AsynchronousCopy();
  const Indexes indexes(store);
  Context context;
  const Report report = Roofline(store, indexes, {}, context).value();
  const auto rates = RealsOf(report.tables.at(0), "kind", "measured_memory_bw");
  CHECK(rates.at("total") == Approx(1000));
  CHECK(rates.at("program") == Approx(1000));
}

TEST_CASE("work over links is in no bound and no sum, and a note explains it") {
  const TestDetails moves = {
      {"program", int64_t{1}}, {"flops", int64_t{1000}}, {"bytes_accessed", int64_t{500'000'000}}};
  const std::string to_host = "%copy.3 = f32[256]{0:S(5)} copy(f32[256]{0} %x)";
  const StorePtr store =
      TraceOf({{.name = "/device:TPU:0",
                .lanes = {{.name = "XLA Ops",
                           .events = {{"fusion.1", 0, 1000 * kUs},
                                      {"all-reduce.2", 1000 * kUs, 900 * kUs},
                                      {to_host, 2000 * kUs, 800 * kUs}},
                           .role = LaneRole::ops}},
                .device = DeviceKind::tpu,
                .of_label = {{"fusion.1", moves}, {"all-reduce.2", moves}, {to_host, moves}}}});
  const_cast<Store&>(*store).devices[0].memory_bytes_per_s = 1'000'000'000'000;
  const Indexes indexes(store);
  Context context;
  const Report roofline = Roofline(store, indexes, {}, context).value();
  const Table& points = roofline.tables.at(0);
  const auto bounds = TextsOf(points, "name", "bound_by");
  const auto shares = RealsOf(points, "name", "efficiency");
  const auto roofs = RealsOf(points, "name", "optimal_flop_rate");
  CHECK(bounds.at("fusion.1") == "HBM");
  for (const std::string& name : {std::string("all-reduce.2"), to_host}) {
    CHECK(bounds.at(name).empty());
    CHECK(std::isnan(shares.at(name)));
    CHECK(std::isnan(roofs.at(name)));
    CHECK(RealsOf(points, "name", "measured_memory_bw").at(name) > 0);
  }
  CHECK(points.Find("occurrences")->integers.at(0) == 1);
  REQUIRE(roofline.notes.size() == 1);
  CHECK(roofline.notes[0].what == note::operations_over_links);
  CHECK(roofline.notes[0].count == 2);
  CHECK(roofline.notes[0].cost_ps == 1700 * kUs);
  // xprof's column is judged as xprof does.
  const Report report = StatsOf(store);
  const Table& stats = report.tables.at(1);
  CHECK(TextsOf(stats, "op", "bound_by").at("all-reduce.2").empty());
  CHECK(TextsOf(stats, "op", "original_bound_by").at("all-reduce.2") == "HBM");
}

TEST_CASE("rates above the peak are noted once, with possible causes") {
  StorePtr store = AsynchronousCopy();
  const auto notes = [&](const StorePtr& of) {
    const Indexes indexes(of);
    Context context;
    return Roofline(of, indexes, {}, context).value().notes;
  };
  REQUIRE(notes(store).size() == 2);  // those of the copy: no peak is told
  const_cast<Store&>(*store).devices[0].memory_bytes_per_s = 900'000'000'000;
  const std::vector<Note> beyond = notes(store);
  REQUIRE(beyond.size() == 3);
  CHECK(beyond[2].what == note::above_peak_bandwidth);
  CHECK(beyond[2].count == 1);
  const_cast<Store&>(*store).devices[0].memory_bytes_per_s = 1'000'000'000'000;
  CHECK(notes(store).size() == 2);
}

TEST_CASE("a rate near peak memory bandwidth, or far above it within the chip, is shown") {
  OpTime op;
  const auto rate = [&](const DevicePeaks& peaks, double bytes) {
    op.bytes = {bytes, 1'000'000'000'000};
    return MemoryRate(peaks, op);
  };
  DevicePeaks peaks;
  CHECK(rate(peaks, 999e12) == 999e12);
  CHECK(std::isnan(rate(peaks, 1001e12)));
  peaks.memory_bytes_per_s = 1e12;
  CHECK(rate(peaks, 49e12) == 49e12);
  CHECK(std::isnan(rate(peaks, 51e12)));
  CHECK_FALSE(IsBeyondMemory(peaks, {}));
}

TEST_CASE("rates of an operation cover the runs with known cost, and a note counts the rest") {
  std::vector<TestEvent> events;
  std::map<std::string, TestDetails> of_label;
  int64_t at_us = 0;
  const auto run = [&](const std::string& instruction, int64_t us, TestDetails facts) {
    events.push_back({instruction, at_us * kUs, us * kUs});
    at_us += us;
    facts["program"] = int64_t{1};
    of_label[instruction] = std::move(facts);
  };
  const TestDetails known{{"flops", int64_t{6000}}, {"bytes_accessed", int64_t{3000}}};
  for (const int64_t layer : {0, 1, 2}) {
    TestDetails dot = known, call;
    dot["op"] = call["op"] = "layer_" + std::to_string(layer) + "/MatMul:MatMul";
    run("dot." + std::to_string(layer), layer == 0 ? 54 : 36, dot);
    if (layer == 0) run("custom-call", 6, call);
  }
  run("head", 1, {{"op", "head/MatMul:MatMul"}});
  const StorePtr store =
      TraceOf({{.name = "/device:TPU:0",
                .lanes = {{.name = "XLA Ops", .events = events, .role = LaneRole::ops}},
                .device = DeviceKind::tpu,
                .of_label = of_label}});
  Report report = StatsOf(store);
  const auto of = [&](std::string_view id) { return report.tables.at(1).Find(id)->reals; };
  CHECK(of("flop_rate").at(0) == Approx(6.0 / 54));
  CHECK(of("memory_rate").at(0) == Approx(3.0 / 54));
  CHECK(of("operational_intensity").at(0) == Approx(2));
  CHECK(of("flop_rate").at(2) == Approx(6.0 / 36));
  CHECK(of("model_flop_rate").at(0) == Approx(6.0 / 60));  // as xprof has it
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].what == note::rates_of_a_part);
  CHECK(report.notes[0].cost_ps == 6 * kUs);
  Context context;
  const Report overview = Overview(store, Indexes(store), {}, context).value();
  CHECK(std::any_of(overview.notes.begin(), overview.notes.end(), [](const Note& note) {
    return note.what == note::rates_of_a_part && note.cost_ps == 6 * kUs;
  }));
  REQUIRE(Fold(&report, context));
  REQUIRE(report.tables.at(1).rows == 2);
  CHECK(of("flop_rate").at(0) == Approx(18.0 / 126));
  CHECK(of("memory_rate").at(0) == Approx(9.0 / 126));
}

TEST_CASE("a rate needs known work for nine tenths of the time") {
  const DevicePeaks peaks;
  OpTime op;
  op.total_ps = 10;
  op.model_flops.Add(100, 8);
  op.device_flops = op.bytes = op.model_flops;
  CHECK(std::isnan(ModelFlopRate(op)));
  CHECK(std::isnan(MemoryRate(peaks, op)));
  op.model_flops.Add(0, 2);
  CHECK(ModelFlopRate(op) == Approx(100 / 10e-12));
  op.bytes.Add(8, 1);
  CHECK(MemoryRate(peaks, op) == Approx(108 / 9e-12));
}

TEST_CASE("a tensor-core share needs conclusive names for half of the kernel time") {
  const auto share_of = [](int64_t telling_ns, int64_t other_ns) {
    const StorePtr store =
        TraceOf({{.name = "/device:GPU:0",
                  .lanes = {{.events = {TestKernel("h884gemm", 0, telling_ns, "a/MatMul:MatMul"),
                                        TestKernel("triton", 9000, other_ns, "a/MatMul:MatMul")}}},
                  .vendor = "Nvidia"}});
    return StatsOf(store).tables.at(1).Find("tensor_core_pct")->reals.at(0);
  };
  CHECK(share_of(500, 500) == Approx(1));
  CHECK(std::isnan(share_of(499, 501)));
}

TEST_CASE("a GPU whose kernels name no operation is not reported as idle") {
  const auto stats_of = [](const std::string& op) {
    TestEvent kernel{"kernel", 0, 10 * kUs, {{"work", int64_t{0}}}};
    TestEvent bare{"bare", 30 * kUs, 20 * kUs, {{"work", int64_t{0}}}};
    if (!op.empty()) kernel.details["op"] = op;
    return StatsOf(TraceOf({{.name = "/device:GPU:0", .lanes = {{.events = {kernel, bare}}}}}));
  };
  const Report named = stats_of("m/MatMul:MatMul");
  CHECK(named.Find("device_idle_us")->integer == 20 * kUs);
  CHECK(named.Find("device_idle_share")->real == Approx(2 / 3.0));
  CHECK(named.Find("device_unattributed_us")->integer == 20 * kUs);
  const Report unnamed = stats_of("");
  CHECK(unnamed.Find("device_idle_us")->integer == kNoInt);
  CHECK(std::isnan(unnamed.Find("device_idle_share")->real));
  CHECK(unnamed.Find("device_unattributed_us")->integer == 30 * kUs);
  // Scripts compare this table with xprof's.
  CHECK(unnamed.tables.at(0).Find("total_self_time")->integers.at(0) == 20 * kUs);
}

TEST_CASE("every table with times by a TPU's clock has a note") {
  const TestDetails own{{"own_duration_ps", 5 * kUs}};
  const StorePtr store = TraceOf({{.name = "/device:TPU:0",
                                   .lanes = {{.name = "XLA Ops",
                                              .events = {{"copy-done.1", 0, 10 * kUs, own}},
                                              .role = LaneRole::ops}},
                                   .device = DeviceKind::tpu}});
  for (Ask* ask : {OpStats, Hlo, Roofline, Overview}) {
    const Indexes indexes(store);
    Context context;
    const Report report = ask(store, indexes, {}, context).value();
    CHECK(std::count_if(report.notes.begin(), report.notes.end(), [](const Note& note) {
            return note.what.Text().find("differ by 100.0%") != std::string::npos;
          }) == 1);
  }
}

TEST_CASE("layers fold in op_stats, instructions of programs do not") {
  Report report = StatsOf(LayersOnBothSides());
  Context context;
  REQUIRE(Fold(&report, context));
  const Table& table = report.tables.at(1);
  REQUIRE(table.name == "without_idle");
  const auto texts = [&](std::string_view id) { return table.Find(id)->texts; };
  // Those of the device take 12 us together and so stand first, of the host's 150 us nobody asks.
  CHECK(texts("operation") == std::vector<std::string_view>{"layer_{0..2}/MatMul", "head/MatMul",
                                                            "copy.0", "copy.1", "copy.2",
                                                            "layer_{0..2}/Cast"});
  CHECK(texts("host_or_device").front() == "Device");
  CHECK(texts("host_or_device").back() == "Host");
  CHECK(texts("type").front() == "MatMul");
  CHECK(table.Find("rows")->integers == std::vector<int64_t>{3, 1, 1, 1, 1, 3});
  CHECK(table.Find("total_self_time")->integers.front() == 12 * kUs);
  CHECK(table.Find("occurrences")->integers.front() == 3);
  CHECK(table.Find("avg_time")->reals.front() == Approx(4));
  CHECK(table.Find("self_time_share")->reals.front() == Approx(12.0 / 24));
  // 6000 flops in 12 us, 1500 bytes in 12 us.
  CHECK(table.Find("flop_rate")->reals.front() == Approx(0.5));
  CHECK(table.Find("model_flop_rate")->reals.front() == Approx(0.5));
  CHECK(table.Find("memory_rate")->reals.front() == Approx(0.125));
  CHECK(table.Find("rank")->integers.front() == kNoInt);
  CHECK(std::isnan(table.Find("model_flop_rate")->reals.back()));
}

}  // namespace tfprof::op_stats_test
