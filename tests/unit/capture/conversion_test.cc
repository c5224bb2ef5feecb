// SPDX-License-Identifier: Apache-2.0
// Traces of the end of a spool that grows.
#include "capture/tool/spool_conversion.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "proto/xplane.pb.h"
#include "tests/support/spool_of.h"

namespace tfprof::capture::conversion_test {
namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

pb::XSpace TraceAt(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  pb::XSpace space;
  REQUIRE(space.ParseFromIstream(&in));
  return space;
}

// Looks at a spool whenever it has grown.
class Looks {
 public:
  Looks(Spool* spool, uint64_t last_ns)
      : spool_(*spool), last_ns_(last_ns), conversion_(spool->Write(), {.last_ns = last_ns}) {}

  // Returns the trace; empty: there is none.
  pb::XSpace Look() {
    spool_.Write();
    conversion_.Read();
    conversion_.Write(spool_.folder(), conversion_.End() - last_ns_, &taken_);
    REQUIRE(process().error.empty());
    return process().trace.empty() ? pb::XSpace() : TraceAt(spool_.folder() / process().trace);
  }
  const CapturedProcess& process() const { return conversion_.process(); }

 private:
  Spool& spool_;
  uint64_t last_ns_;
  SpoolConversion conversion_;
  std::set<std::string> taken_;
};

// A step of 100 ns with a range and a kernel.
void Step(Spool* spool, uint64_t at, uint32_t name, uint32_t correlation) {
  spool->Push(at, name);
  spool->Push(at + 10, 1);
  spool->Call(at + 20, at + 30, correlation);
  spool->Pop(at + 80);
  spool->Pop(at + 100);
  spool->Kernel(at + 40, at + 60, correlation);
  spool->Clock(at + 110);
}

uint64_t StartOf(const pb::XSpace& space) {
  for (const pb::XPlane& plane : space.planes()) {
    if (plane.lines_size() > 0) return static_cast<uint64_t>(plane.lines(0).timestamp_ns());
  }
  return 0;
}

Texts HostEvents(const pb::XSpace& space) { return Events(space.planes(0), StartOf(space)); }

TEST_CASE("a trace of the end begins with a step, and moves on with the spool") {
  Spool spool;
  spool.Name(1, "f");
  spool.Name(9, "k");
  spool.Gpu(9);
  Looks looks(&spool, 1000);
  for (uint32_t i = 0; i < 10; ++i) {
    const uint64_t at = 1000 * i + 1000;
    spool.Name(10 + i, ("step " + std::to_string(i)).c_str());
    Step(&spool, at, 10 + i, 1 + i);
    const pb::XSpace space = looks.Look();
    CHECK(looks.process().is_part == (i > 0));
    if (i == 0) continue;
    // The step that began 1100 before the end, and the last one.
    CHECK(StartOf(space) == kStart + at - 1000);
    const Texts host = HostEvents(space);
    REQUIRE(host.size() == 6);
    CHECK(host[0] == "thread 100: train step " + std::to_string(i - 1) + " " +
                         std::to_string(at - 1000) + "+100 step_num=" + std::to_string(i - 1) +
                         " _r=1 group_id=" + std::to_string(i - 1));
    const Texts device = Events(space.planes(1), StartOf(space));
    REQUIRE(device.size() == 4);
    CHECK(device[1].find("k " + std::to_string(at + 40) + "+20") != std::string::npos);
    CHECK(device[1].find("tf_op=f/k:k") != std::string::npos);
    CHECK(looks.process().definitions.steps.size() == 2);
    CHECK(looks.process().counts.unattributed == 0);
    CHECK(looks.process().definitions.counts.at(RecordKind::kernel) == i + 1);
  }
}

TEST_CASE("a range that began before the end begins with it; such a step is none") {
  Spool spool;
  spool.Name(1, "fit");
  spool.Name(2, "step 3");
  spool.Name(3, "f");
  spool.Name(4, "waiting");
  spool.Push(10, 1);
  spool.Push(20, 2);
  spool.Push(50, 4, 0, 200);  // another thread, which does nothing more
  spool.Call(30, 40, 1);
  spool.Clock(100);
  spool.Push(1000, 3);
  spool.Call(1010, 1020, 2);
  spool.Pop(1050);
  spool.Clock(1060);
  spool.Gpu(3);
  spool.Kernel(1000, 1010, 1);  // of a call that is not in the trace
  spool.Kernel(1020, 1030, 2);
  Looks looks(&spool, 500);
  const pb::XSpace space = looks.Look();
  REQUIRE(StartOf(space) == kStart + 550);
  const Texts host = HostEvents(space);
  CHECK(std::set<std::string>(host.begin(), host.end()) ==
        std::set<std::string>{
            "thread 100: fit:fit 550+500 unfinished=1", "thread 100: step 3 550+500 unfinished=1",
            "thread 100: fit/f:f 1000+50", "thread 100: call 307 1010+10 correlation_id=2",
            "thread 200: waiting:waiting 550+500 unfinished=1"});
  CHECK(Events(space.planes(1), StartOf(space)).size() == 1);
  CHECK(looks.process().counts.unattributed == 0);
  spool.Pop(1100);
  spool.Push(1110, 3);
  spool.Pop(1120);
  spool.Clock(1130);
  // The range in which the step was goes on, so that paths stay.
  const Texts later = HostEvents(looks.Look());
  CHECK(std::count(later.begin(), later.end(), "thread 100: fit/f:f 1110+10") == 1);
}

TEST_CASE("a block that was torn is read when it is whole") {
  Spool spool;
  spool.Name(1, "f");
  spool.Push(10, 1);
  spool.Pop(20);
  const fs::path path = spool.Write();
  Looks looks(&spool, 1000);
  CHECK(HostEvents(looks.Look()).size() == 1);
  const auto whole = fs::file_size(path);
  spool.Push(30, 1);
  spool.Pop(40);
  spool.Write();
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  fs::resize_file(path, bytes.size() - 8);
  CHECK(HostEvents(looks.Look()).size() == 1);
  CHECK(looks.process().definitions.damage.bytes == bytes.size() - 8 - whole);
  std::ofstream(path, std::ios::binary) << bytes;
  CHECK(HostEvents(looks.Look()).size() == 2);
  CHECK(looks.process().definitions.damage.bytes == 0);
  CHECK(looks.process().definitions.damage.lost_blocks == 0);
}

TEST_CASE("memory is added up over what is no longer shown") {
  Spool spool;
  spool.Name(1, "f");
  spool.Lane(1, 0, 7);
  Looks looks(&spool, 100);
  for (uint64_t i = 0; i < 6; ++i) {
    spool.Push(1000 * i + 10, 1);
    spool.Memory(1000 * i + 20, i == 3 ? 400 : 100, i == 3);
    spool.Pop(1000 * i + 30);
    spool.Clock(1000 * i + 40);
    const pb::XSpace space = looks.Look();
    const int64_t live =
        i < 3 ? 100 * (static_cast<int64_t>(i) + 1) : 100 * (static_cast<int64_t>(i) - 4);
    bool has_live = false;
    for (const std::string& event : HostEvents(space)) {
      has_live |= event.find(" bytes_allocated=" + std::to_string(live)) != std::string::npos;
    }
    CHECK(has_live);
    CHECK(looks.process().definitions.memory.at(0).size() == 1);
    CHECK(looks.process().definitions.memory.at(0)[0].peak_bytes ==
          std::min<int64_t>(300, 100 * (static_cast<int64_t>(i) + 1)));
  }
}

TEST_CASE("windows keep their numbers, and ranges in them") {
  Spool spool;
  spool.Name(1, "f");
  Looks looks(&spool, 100);
  for (uint32_t i = 0; i < 5; ++i) {
    const uint64_t at = 1000 * i + 1000;
    spool.Window(i + 1, at, at + 50);
    spool.Resume(i + 1, at,
                 i > 0 ? std::vector<std::pair<uint32_t, uint64_t>>{{1, 20}}
                       : std::vector<std::pair<uint32_t, uint64_t>>{});
    spool.Push(at + 10, 1);
    spool.Pop(at + 20);
    spool.Clock(at + 60);
    const Texts host = HostEvents(looks.Look());
    const std::string number = std::to_string(i);
    if (i == 0) continue;  // one window is the whole
    CHECK(host == Texts{"thread 100: f:f " + std::to_string(at) + "+50 group_id=" + number +
                            " unfinished=1",
                        "thread 100: f/f:f " + std::to_string(at + 10) + "+10 group_id=" + number,
                        "windows: train window " + number + " " + std::to_string(at) +
                            "+50 step_num=" + number + " _r=1 group_id=" + number});
    CHECK(looks.process().definitions.windows.size() == 1);
  }
}

TEST_CASE("a process that ended before what is shown has no trace, and is not read again") {
  Spool spool;
  spool.Name(1, "f");
  spool.Push(10, 1);
  spool.Pop(20);
  spool.Clock(30);
  SpoolConversion conversion(spool.Write(), {.last_ns = 1000});
  std::set<std::string> taken;
  const auto look = [&](uint64_t wanted) {
    conversion.Read();
    conversion.Write(spool.folder(), kStart + wanted, &taken);
  };
  look(0);
  const fs::path trace = spool.folder() / conversion.process().trace;
  CHECK(fs::is_regular_file(trace));
  look(500);  // it runs still
  CHECK_FALSE(fs::exists(trace));
  CHECK(conversion.process().trace.empty());
  spool.Push(600, 1);
  spool.Pop(610);
  spool.End();
  look(550);
  CHECK(fs::is_regular_file(trace));
  look(2000);
  CHECK_FALSE(fs::exists(trace));
  CHECK(conversion.process().definitions.counts.at(RecordKind::push) == 2);
  CHECK(conversion.process().definitions.names.empty());
  CHECK(conversion.process().definitions.has_end);
}

TEST_CASE("when the clock was set back, the end is that of the new time") {
  Spool spool;
  spool.Name(1, "f");
  Looks looks(&spool, 300);
  for (const uint64_t start : {10'000, 1000}) {
    for (uint64_t at = start; at < start + 2000; at += 100) {
      spool.Push(at + 10, 1);
      spool.Pop(at + 20);
      spool.Clock(at + 30);
      const Texts host = HostEvents(looks.Look());
      const std::string last = "thread 100: f:f " + std::to_string(at + 10) + "+10";
      CHECK(std::count(host.begin(), host.end(), last) == 1);
      if (at > start + 400) CHECK(host.size() == 3);
    }
  }
}

// What a trace has of events that begin at some time or later.
std::multiset<std::string> Since(const pb::XSpace& space, uint64_t from) {
  std::multiset<std::string> events;
  for (const pb::XPlane& plane : space.planes()) {
    if (plane.lines_size() == 0) continue;
    for (const std::string& event : Events(plane, StartOf(space))) {
      const size_t plus = event.find('+');
      const size_t digits = event.rfind(' ', plus) + 1;
      if (std::stoull(event.substr(digits, plus - digits)) + kStart <= from) continue;
      // A step that began before is none.
      const size_t group = std::min(event.find(" group_id="), event.size());
      const size_t after = std::min(event.find(' ', group + 1), event.size());
      events.insert(event.substr(0, group) + event.substr(after));
    }
  }
  return events;
}

// Threads that push, pop, call and mark; work that runs later; blocks of several threads in turn.
TEST_CASE("the end of any recording is what the whole trace has of it") {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto any = [&](uint32_t count) { return static_cast<uint32_t>(random() % count); };
    Spool spool;
    for (uint32_t name = 1; name <= 5; ++name)
      spool.Name(name, ("f" + std::to_string(name)).c_str());
    spool.Name(9, "k");
    spool.Gpu(9);
    Looks looks(&spool, 300 + any(600));
    uint64_t now = 10;
    uint32_t correlation = 0, steps = 0;
    std::vector<uint32_t> depth(3);
    std::vector<uint64_t> calls = {0};  // by correlation
    std::vector<std::pair<uint64_t, uint32_t>> work;
    for (uint32_t look = 0; look < 12; ++look) {
      for (uint32_t i = 0; i < 40; ++i) {
        const uint32_t thread = any(3);
        now += 1 + any(20);
        const uint32_t what = any(10);
        if (what == 0 && depth[thread] == 0) {
          spool.Name(100 + steps, ("step " + std::to_string(steps)).c_str());
          spool.Push(now, 100 + steps++, 0, kThread + thread);
          ++depth[thread];
        } else if (what < 4 && depth[thread] < 6) {
          spool.Push(now, 1 + any(5), 0, kThread + thread);
          ++depth[thread];
        } else if (what < 8 && depth[thread] > 0) {
          spool.Pop(now, 0, kThread + thread);
          --depth[thread];
        } else {
          spool.Call(now, now + 1, ++correlation, kThread + thread);
          calls.push_back(kStart + now);
          work.emplace_back(now + 1 + any(100), correlation);
          ++now;
        }
      }
      while (!work.empty() && work.front().first + 10 < now) {
        spool.Kernel(work.front().first, work.front().first + 10, work.front().second);
        work.erase(work.begin());
      }
      spool.Clock(now);
      const pb::XSpace part = looks.Look();
      TraceCounts counts;
      const pb::XSpace whole = spool.Trace(&counts);
      const uint64_t from = StartOf(part);
      const std::multiset<std::string> expected = Since(whole, from), found = Since(part, from);
      CHECK(!found.empty());
      std::vector<std::string> missing, further;
      std::ranges::set_difference(expected, found, std::back_inserter(missing));
      std::ranges::set_difference(found, expected, std::back_inserter(further));
      CHECK(further == Texts());
      // Work belongs to its call.
      for (const std::string& event : missing) {
        CAPTURE(event);
        const size_t at = event.find("correlation_id=");
        const bool is_work = event.starts_with("Stream") && at != event.npos;
        if (!event.starts_with("Steps: ")) REQUIRE(is_work);
        if (is_work) CHECK(calls[std::stoul(event.substr(at + 15))] < from);
      }
    }
  }
}

}  // namespace
}  // namespace tfprof::capture::conversion_test
