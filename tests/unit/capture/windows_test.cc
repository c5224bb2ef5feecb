// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "capture/shim/config.h"
#include "capture/spool/control_file.h"
#include "capture/spool/format.h"
#include "capture/spool/step_names.h"
#include "proto/xplane.pb.h"
#include "tests/support/spool_of.h"

namespace tfprof::capture::windows_test {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("a range that a window cuts ends and begins with it") {
  Spool spool;
  spool.Name(1, "epoch");
  spool.Name(2, "f");
  spool.Name(3, "late");
  spool.Window(1, 10, 50);
  spool.Window(2, 100, 140);
  spool.Push(20, 1);
  spool.Push(30, 2);  // its end is in the pause, in which `late` begins
  spool.Resume(2, 100, {{1, 20}, {3, 0}});
  spool.Pop(120);
  spool.Pop(130);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(Events(space.planes(0)) ==
        Texts{"thread 100: epoch:epoch 20+30 group_id=0 unfinished=1",
              "thread 100: epoch/f:f 30+20 group_id=0 unfinished=1",
              "thread 100: epoch:epoch 100+30 group_id=1",
              "thread 100: epoch/late:late 100+20 group_id=1",
              "windows: train window 0 10+40 step_num=0 _r=1 group_id=0",
              "windows: train window 1 100+40 step_num=1 _r=1 group_id=1"});
  CHECK(counts.unfinished == 0);
  CHECK(counts.unmatched == 0);
}

TEST_CASE("windows are no steps where ranges are") {
  Spool spool;
  spool.Name(1, "step 7");
  spool.Window(1, 0, 100);
  spool.Push(10, 1);
  spool.Pop(20);
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) ==
        Texts{"thread 100: train step 7 10+10 step_num=7 _r=1 group_id=7"});
}

TEST_CASE("a step that a window cuts is one step in each") {
  Spool spool;
  spool.Name(1, "step 7");
  spool.Window(1, 0, 20);
  spool.Window(2, 50, 90);
  spool.Push(10, 1);
  spool.Resume(2, 50, {{1, 10}});
  spool.Pop(60);
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) ==
        Texts{"thread 100: train step 7 10+10 step_num=7 _r=1 group_id=0 unfinished=1",
              "thread 100: train step 7 50+10 step_num=7 _r=1 group_id=1"});
}

TEST_CASE("steps of a pattern are numbered from the first one of the window") {
  Spool spool;
  spool.Info(kStepRangeFact, "^batch");
  spool.Name(1, "batch");
  spool.Name(2, "step 3");  // a scope: the pattern replaces what is known
  spool.Window(1, 10, 90, WindowCause::steps, 40);
  for (uint64_t at : {20, 50}) {
    spool.Push(at, 1);
    spool.Push(at + 1, 2);
    spool.Pop(at + 2);
    spool.Pop(at + 10);
  }
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) ==
        Texts{"thread 100: train batch 20+10 step_num=40 _r=1 group_id=40",
              "thread 100: step_3:step_3 21+1 group_id=40",
              "thread 100: train batch 50+10 step_num=41 _r=1 group_id=41",
              "thread 100: step_3:step_3 51+1 group_id=41"});
}

TEST_CASE("of a ring, a thread is known from the first window that is kept") {
  // Records of the window before may be in the file, too, but not what they refer to.
  const bool has_earlier = GENERATE(false, true);
  Spool spool;
  spool.Name(1, "epoch");
  spool.Name(2, "f");
  spool.Window(1, 0, 50, WindowCause::start);
  spool.Window(2, 50, 100, WindowCause::ring);
  spool.Window(3, 100, 150, WindowCause::ring);
  SegmentRecord segment{.time = kStart + 50};
  segment.head.id = 2;
  spool.Add(segment);
  if (has_earlier) spool.Resume(1, 0, {{1, 3}, {2, 40}});
  spool.Pop(45);  // of a range that was dropped
  spool.Push(46, 2);
  spool.Resume(2, 50, {{1, 3}, {2, 46}});
  spool.Pop(60);
  spool.Push(90, 2);
  spool.Resume(3, 100, {{1, 3}, {2, 90}});  // goes on
  spool.Pop(110);
  spool.Pop(120);
  TraceCounts counts;
  CHECK(Events(spool.Trace(&counts).planes(0)) == Texts{"thread 100: epoch:epoch 50+70",
                                                        "thread 100: epoch/f:f 50+10",
                                                        "thread 100: epoch/f:f 90+20"});
  CHECK(counts.unmatched == 0);
}

TEST_CASE("a thread that was not in the window before a ring turned is known from then on") {
  Spool spool;
  spool.Name(1, "a");
  spool.Name(2, "b");
  spool.Name(3, "c");
  spool.Window(1, 0, 20);
  spool.Window(2, 30, 40);  // the thread did nothing in it
  spool.Window(3, 40, 60, WindowCause::ring);
  spool.Window(4, 60, 90, WindowCause::ring);
  spool.Resume(1, 0, {});
  spool.Push(10, 1);
  spool.Resume(3, 40, {{2, 25}});  // in the pause it left `a`
  spool.Push(50, 3);
  spool.Resume(4, 60, {{2, 25}, {3, 50}});  // these are known
  spool.Pop(70);
  spool.Pop(80);
  TraceCounts counts;
  const Texts events = Events(spool.Trace(&counts).planes(0));
  REQUIRE(events.size() >= 3);
  CHECK(events[0].starts_with("thread 100: a:a 10+10 "));
  CHECK(events[1].starts_with("thread 100: b:b 40+40 "));
  CHECK(events[2].starts_with("thread 100: b/c:c 50+20 "));
}

TEST_CASE("work belongs to the window of its call, and memory of pauses is held") {
  Spool spool;
  spool.Name(1, "k");
  spool.Window(1, 10, 50);
  spool.Gpu(1);
  const auto allocate = [&](uint64_t at, uint64_t bytes) {
    MemoryRecord memory{
        .time = kStart + at, .address = 1, .bytes = bytes, .correlation = 0, .kind = 3};
    memory.head.id = 1;
    spool.Add(memory);
  };
  allocate(5, 100);
  spool.Call(20, 21, 7);
  spool.Kernel(200, 210, 7);  // after the window; launched in it
  spool.Kernel(30, 40, 8);    // in the window; launched before it
  allocate(30, 20);
  allocate(60, 1);
  TraceCounts counts;
  const pb::XSpace space = spool.Trace(&counts);
  CHECK(counts.unattributed == 0);
  const Texts host = Events(space.planes(0));
  REQUIRE(host.size() == 2);  // the call, and the window
  const Texts device = Events(space.planes(1));
  REQUIRE(device.size() == 2);  // the kernel, and the step of the window
  CHECK(device[0].find(" 200+10 ") != std::string::npos);
}

TEST_CASE("values of options") {
  int64_t first = -1;
  int64_t last = -1;
  CHECK((ParseSteps("10:20", &first, &last) && first == 10 && last == 20));
  CHECK((ParseSteps("3", &first, &last) && first == 3 && last == 3));
  CHECK((ParseSteps("4:", &first, &last) && first == 4 && last == INT64_MAX));
  CHECK((ParseSteps(":5", &first, &last) && first == 0 && last == 5));
  for (const char* wrong : {"", ":", "5:4", "a", "1:b", "-1", "1:2:3"}) {
    INFO(wrong);
    CHECK_FALSE(ParseSteps(wrong, &first, &last));
  }
  bool is_list = false;
  CHECK(IsInList("0,2,4-7", 5, &is_list));
  CHECK(is_list);
  CHECK_FALSE(IsInList("0,2,4-7", 3, &is_list));
  for (const char* wrong : {"", ",", "1,", "a", "1-", "1-x", "3-1"}) {
    INFO(wrong);
    IsInList(wrong, 0, &is_list);
    CHECK_FALSE(is_list);
  }
  uint64_t ns = 0;
  CHECK((ParseSeconds("1.5", &ns) && ns == 1'500'000'000));
  CHECK_FALSE(ParseSeconds("x", &ns));
  char value[] = "a%2Cb%27%25%zz%2";
  DecodeValue(value);
  CHECK(std::string(value) == "a,b'%%zz%2");
}

TEST_CASE("commands of ctl") {
  ControlCommand command;
  CHECK(ParseCommand("12 stop 1700000000000000000\n", &command));
  CHECK(command.number == 12);
  CHECK(command.state == ControlState::stop);
  CHECK(command.time == 1'700'000'000'000'000'000);
  for (const char* wrong :
       {"", "12", "12 \n", "12 sto 1\n", "12 stop", "12 stop 1", "x start 1\n"}) {
    INFO(wrong);
    CHECK_FALSE(ParseCommand(wrong, &command));
  }
}

}  // namespace
}  // namespace tfprof::capture::windows_test
