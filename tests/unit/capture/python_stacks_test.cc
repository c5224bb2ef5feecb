// SPDX-License-Identifier: Apache-2.0
// Stacks as numbers, from what is read to events of a trace.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "capture/model/definition_reader.h"
#include "capture/shim/chunks.h"
#include "capture/shim/python/frames.h"
#include "capture/shim/python/gradients.h"
#include "capture/shim/python/layout.h"
#include "capture/shim/spool_file.h"
#include "capture/spool/format.h"
#include "capture/spool/reader.h"
#include "capture/writers/python_calls.h"
#include "capture/writers/xspace.h"
#include "proto/xplane.pb.h"

namespace tfprof::capture::capture_python_stacks_test {
namespace {

uint32_t g_described = 0;

FrameFacts Describe(const RawFrame& frame) {
  ++g_described;
  return {.file = 1, .function = 2, .line = static_cast<uint32_t>(frame.offset), .first_line = 3};
}

std::unique_ptr<RawStack> StackOf(const std::vector<RawFrame>& frames) {
  auto stack = std::make_unique<RawStack>();
  stack->count = static_cast<uint32_t>(frames.size());
  stack->is_cut = false;
  std::copy(frames.begin(), frames.end(), stack->frames);
  return stack;
}

TEST_CASE("a stack is described once, and functions at the same place are told apart") {
  const RawFrame f{.code = &g_described,
                   .name = "f",
                   .line_table = "l",
                   .texts = 0,
                   .offset = 4,
                   .first_line = 1};
  RawFrame g = f;
  g.offset = 6;
  g_described = 0;
  const uint32_t first = InternStack(*StackOf({g, f}), Describe);
  CHECK(first != 0);
  CHECK(InternStack(*StackOf({g, f}), Describe) == first);
  CHECK(g_described == 2);
  const uint32_t other = InternStack(*StackOf({f, g}), Describe);
  CHECK(other != first);
  CHECK(InternStack(*StackOf({g}), Describe) != first);
  CHECK(g_described == 2);
  RawFrame later = f;
  later.line_table = "m";
  CHECK(InternStack(*StackOf({g, later}), Describe) != first);
  later = f;
  later.first_line = 2;
  CHECK(InternStack(*StackOf({g, later}), Describe) != first);
  later = f;
  later.name = "h";
  CHECK(InternStack(*StackOf({g, later}), Describe) != first);
  later = f;
  later.texts = 1;
  CHECK(InternStack(*StackOf({g, later}), Describe) != first);
  CHECK(g_described == 6);
  CHECK(InternStack(*StackOf({}), Describe) == 0);
  // Frame g, frame f, the stack of both.
  const Chunk* chunk = StackDefinitions()->first.load();
  REQUIRE(chunk != nullptr);
  std::vector<std::string> records;
  EachRecord({reinterpret_cast<const std::byte*>(chunk->records), chunk->used.load()},
             [&](const RecordHead& head) {
               std::string text = std::to_string(head.id) + ":";
               if (head.kind == RecordKind::frame) {
                 text += " line " + std::to_string(As<FrameRecord>(head)->line);
               } else {
                 const auto* stack = As<StackRecord>(head);
                 const auto* frames = reinterpret_cast<const uint32_t*>(stack + 1);
                 for (uint32_t i = 0; i < stack->count; ++i) {
                   text += " frame " + std::to_string(frames[i]);
                 }
               }
               records.push_back(text);
             });
  REQUIRE(records.size() >= 4);
  records.resize(4);
  CHECK(records == std::vector<std::string>{"1: line 6", "2: line 4", "1: frame 1 frame 2",
                                            "2: frame 2 frame 1"});
}

TEST_CASE("a thread without Python code takes the stack of the operator whose gradient it runs") {
  const auto log = [](std::vector<int64_t> sequences) {
    auto made = std::make_unique<ThreadLog>();
    for (const int64_t sequence : sequences) {
      PushPayloadRecord& range = made->open[made->open_count++].push;
      if (sequence < 0) continue;
      range.push.payload_type = PayloadType::sequence;
      range.payload = static_cast<uint64_t>(sequence);
    }
    return made;
  };
  const auto is = [](CallStack stack, uint32_t id, bool is_gradient) {
    return stack.id == id && stack.is_gradient == is_gradient;
  };
  CHECK(is(StackOfCall(*log({}), 9), 9, false));
  CHECK(is(StackOfCall(*log({-1}), 0), 0, false));
  CHECK(is(StackOfCall(*log({5}), 0), 0, false));  // its forward pass launched nothing
  CHECK(is(StackOfCall(*log({0}), 3), 3, false));
  CHECK(is(StackOfCall(*log({5}), 7), 7, false));
  CHECK(is(StackOfCall(*log({4, 5, -1}), 8), 8, false));
  CHECK(is(StackOfCall(*log({-1, 5, -1}), 0), 7, true));  // the first stack
  CHECK(is(StackOfCall(*log({0}), 0), 3, true));
  CHECK(is(StackOfCall(*log({5 + (1 << 17)}), 0), 0, false));
  CHECK(is(StackOfCall(*log({5 + (1 << 17)}), 2), 2, false));
  CHECK(is(StackOfCall(*log({5}), 0), 0, false));  // replaced
}

// ---- the trace

void Frame(uint32_t id, uint32_t function, uint32_t line, SpoolFile* to) {
  FrameRecord frame{.file = 1, .function = function, .line = line, .first_line = 1};
  frame.head.id = id;
  to->Add(0, frame);
}

void Stack(uint32_t id, std::vector<uint32_t> frames, uint32_t claimed, SpoolFile* to) {
  StackRecord stack{.count = claimed};
  stack.head.id = id;
  stack.head.bytes = static_cast<uint16_t>(StackRecordBytes(static_cast<uint32_t>(frames.size())));
  frames.resize((frames.size() + 1) / 2 * 2);
  std::vector<char> bytes(stack.head.bytes);
  std::memcpy(bytes.data(), &stack, sizeof stack);
  std::memcpy(bytes.data() + sizeof stack, frames.data(), frames.size() * 4);
  to->Add(0, bytes.data(), stack.head.bytes);
}

// Names 1 to 4 are a.py, main, f, g; frames: 1 main:5, 2 f:7, 3 g:9, 4 f:7 at another instruction,
// 5 main:6.
Definitions Defined(const std::string& folder) {
  auto file = std::make_unique<SpoolFile>();
  REQUIRE(file->Create(folder.c_str(), 1 << 20) == 0);
  uint32_t name = 0;
  for (const char* text : {"a.py", "main", "f", "g"}) {
    file->AddText(RecordKind::name, ++name, text);
  }
  Frame(1, 2, 5, file.get());
  Frame(2, 3, 7, file.get());
  Frame(3, 4, 9, file.get());
  Frame(4, 3, 7, file.get());
  Frame(5, 2, 6, file.get());
  Stack(1, {3, 2, 1}, 3, file.get());
  Stack(2, {4, 1}, 2, file.get());
  Stack(3, {5}, 1, file.get());
  Stack(4, {1}, 100, file.get());  // says more than it has
  REQUIRE(file->Flush() == 0);
  SpoolReader reader;
  REQUIRE(reader.Open(std::filesystem::directory_iterator(folder + "/spool")->path()) == 0);
  return ReadDefinitions(&reader);
}

struct Call {
  uint32_t stack;
  uint64_t start;
  uint64_t end;
  bool is_gradient = false;
};

// "name start+duration" of events of calls and functions, in the order of the trace. A call of
// stack 100 stands for the beginning of a range.
std::vector<std::string> EventsOf(const std::vector<Call>& calls) {
  constexpr uint64_t kStart = 1'000'000;
  char folder[] = "/tmp/capture-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const Definitions definitions = Defined(folder);
  XSpace space(folder, kStart);
  const auto plane = space.AddPlane("/host:CPU");
  const auto line = space.AddLine(plane, 1, "t");
  space.HoldEvents(line);
  PythonCalls python(definitions, &space, plane);
  PythonCalls::Open open;
  for (const Call& call : calls) {
    if (call.stack == 100) {
      python.Close(line, &open);
      continue;
    }
    space.Begin(line, space.EventName(plane, "call"), kStart + call.start, kStart + call.end);
    space.End();
    python.Take({call.stack, call.is_gradient}, kStart + call.start, kStart + call.end, line,
                &open);
  }
  python.Close(line, &open);
  const std::string path = std::string(folder) + "/a.pb";
  const int out = ::open(path.c_str(), O_CREAT | O_RDWR, 0600);
  REQUIRE(space.Write(out) == 0);
  lseek(out, 0, SEEK_SET);
  pb::XSpace parsed;
  REQUIRE(parsed.ParseFromFileDescriptor(out));
  close(out);
  std::filesystem::remove_all(folder);
  std::vector<std::string> events;
  for (const pb::XEvent& event : parsed.planes(0).lines(0).events()) {
    events.push_back(parsed.planes(0).event_metadata().at(event.metadata_id()).name() + " " +
                     std::to_string(event.offset_ps() / 1000) + "+" +
                     std::to_string(event.duration_ps() / 1000));
  }
  return events;
}

using Texts = std::vector<std::string>;

TEST_CASE("functions last from their first call to the last of those in a row") {
  CHECK(EventsOf({{1, 10, 12}, {2, 20, 22}, {3, 30, 31}, {1, 40, 41}}) ==
        Texts{"$a.py:5 main 10+12", "$a.py:7 f 10+12", "$a.py:9 g 10+2", "call 10+2", "call 20+2",
              "$a.py:6 main 30+1", "call 30+1",  // another line of main
              "$a.py:5 main 40+1", "$a.py:7 f 40+1", "$a.py:9 g 40+1", "call 40+1"});
}

TEST_CASE("functions do not cross ranges, nor calls without a stack") {
  CHECK(EventsOf({{3, 10, 12}, {100, 0, 0}, {3, 20, 22}, {0, 30, 32}, {4, 33, 34}, {3, 40, 42}}) ==
        Texts{"$a.py:6 main 10+2", "call 10+2", "$a.py:6 main 20+2", "call 20+2", "call 30+2",
              "call 33+1", "$a.py:6 main 40+2", "call 40+2"});
}

TEST_CASE("gradients have the functions of what they are the gradient of, and say so") {
  CHECK(EventsOf({{3, 10, 12}, {3, 20, 22, true}, {3, 30, 32, true}, {3, 40, 42}}) ==
        Texts{"$a.py:6 main 10+2", "call 10+2", "$a.py:6 main(gradient) 20+12", "call 20+2",
              "call 30+2", "$a.py:6 main 40+2", "call 40+2"});
}

TEST_CASE("a call that contains another is recorded after it") {
  CHECK(EventsOf({{3, 12, 14}, {3, 10, 16}}) ==
        Texts{"$a.py:6 main 10+6", "call 10+6", "call 12+2"});
}

}  // namespace
}  // namespace tfprof::capture::capture_python_stacks_test
