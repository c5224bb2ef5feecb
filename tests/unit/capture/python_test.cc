// SPDX-License-Identifier: Apache-2.0
// Frames are read from the memory of an interpreter that is made here.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capture/shim/python/api.h"
#include "capture/shim/python/check.h"
#include "capture/shim/python/layout.h"
#include "capture/spool/format.h"

namespace tfprof::capture::python_test {
namespace {

// Objects of an interpreter; each begins as those of CPython.
struct Object {
  int64_t references = 1;
  const void* type = nullptr;
};
struct Text : Object {
  int64_t length = 4;
  int64_t hash = -1;
};
struct Type : Object {
  int64_t count = 0;
  const char* name = "code";
  int64_t instance_bytes = 0;
};
struct Number : Object {
  long value = 0;
};
struct Code : Object {
  const Text* file = nullptr;
  const Text* name = nullptr;
  const Text* lines = nullptr;
  int32_t first_line = 0;
  char instructions[64] = {};
};
struct Frame {
  const Code* code = nullptr;
  const Frame* previous = nullptr;
  const char* instruction = nullptr;
  uint8_t owner = 0;
};
struct Inner {
  uint64_t unused = 0;
  const Frame* frame = nullptr;
};
struct Thread {
  uint64_t unused = 0;
  const Inner* inner = nullptr;
};

template <class Class, class Member>
uint16_t OffsetOf(Member Class::*member) {
  static const Class object{};
  return static_cast<uint16_t>(reinterpret_cast<const char*>(&(object.*member)) -
                               reinterpret_cast<const char*>(&object));
}

PythonLayout Layout() {
  return {.thread_frame = OffsetOf(&Thread::inner),
          .is_frame_indirect = true,
          .indirect_frame = OffsetOf(&Inner::frame),
          .code = OffsetOf(&Frame::code),
          .previous = OffsetOf(&Frame::previous),
          .instruction = OffsetOf(&Frame::instruction),
          .owner = OffsetOf(&Frame::owner),
          .first_line = OffsetOf(&Code::first_line),
          .file = OffsetOf(&Code::file),
          .name = OffsetOf(&Code::name),
          .line_table = OffsetOf(&Code::lines),
          .code_bytes = OffsetOf(&Code::instructions),
          .code_size = 96};
}

Type g_code_type;
Text g_text;  // stands for any text

// main calls f calls g, with a frame of the interpreter itself in between.
struct Program {
  Code codes[3];
  Frame frames[4];
  Inner inner;
  Thread thread;

  Program() {
    g_code_type.instance_bytes = 96;
    for (int i = 0; i < 3; ++i) {
      codes[i].type = &g_code_type;
      codes[i].file = codes[i].name = codes[i].lines = &g_text;
      codes[i].first_line = 10 * (i + 1);
    }
    frames[0] = {&codes[0], nullptr, codes[0].instructions + 4, 0};
    frames[1] = {nullptr, &frames[0], nullptr, 3};
    frames[2] = {&codes[1], &frames[1], codes[1].instructions + 8, 1};
    frames[3] = {&codes[2], &frames[2], codes[2].instructions - 2, 0};
    inner.frame = &frames[3];
    thread.inner = &inner;
  }
};

TEST_CASE("the calls of a thread are read from the innermost on") {
  const Program program;
  const auto stack = std::make_unique<RawStack>();
  REQUIRE(ReadPythonStack(Layout(), &program.thread, &g_code_type, DirectRead(), stack.get()));
  REQUIRE(stack->count == 3);
  CHECK_FALSE(stack->is_cut);
  CHECK(stack->frames[0].code == &program.codes[2]);
  CHECK(stack->frames[0].offset == -2);
  CHECK(stack->frames[0].first_line == 30);
  CHECK(stack->frames[1].offset == 8);
  CHECK(stack->frames[2].code == &program.codes[0]);
  CHECK(stack->frames[2].offset == 4);
}

TEST_CASE("a thread outside of Python has no calls, and a deep one is cut") {
  const auto stack = std::make_unique<RawStack>();
  const Thread idle;
  REQUIRE(ReadPythonStack(Layout(), &idle, &g_code_type, DirectRead(), stack.get()));
  CHECK(stack->count == 0);
  Program program;
  std::vector<Frame> deep(kMostStackFrames + 1, program.frames[0]);
  for (size_t i = 1; i < deep.size(); ++i) deep[i].previous = &deep[i - 1];
  program.inner.frame = &deep[kMostStackFrames - 1];
  REQUIRE(ReadPythonStack(Layout(), &program.thread, &g_code_type, DirectRead(), stack.get()));
  CHECK(stack->count == kMostStackFrames);
  CHECK_FALSE(stack->is_cut);
  program.inner.frame = &deep[kMostStackFrames];
  REQUIRE(ReadPythonStack(Layout(), &program.thread, &g_code_type, DirectRead(), stack.get()));
  CHECK(stack->count == kMostStackFrames);
  CHECK(stack->is_cut);
}

TEST_CASE("numbers of instructions are those of bytes in older versions") {
  struct OldFrame {
    const Code* code = nullptr;
    const OldFrame* previous = nullptr;
    int32_t instruction = 21;
  };
  Program program;
  const OldFrame frame{.code = &program.codes[0]};
  const void* thread = &frame;
  PythonLayout layout = Layout();
  layout.thread_frame = 0;
  layout.is_frame_indirect = false;
  layout.owner = PythonLayout::kNoOwner;
  layout.code_bytes = 0;
  layout.unit_bytes = 2;
  const auto stack = std::make_unique<RawStack>();
  REQUIRE(ReadPythonStack(layout, &thread, &g_code_type, DirectRead(), stack.get()));
  REQUIRE(stack->count == 1);
  CHECK(stack->frames[0].offset == 42);
}

// ---- what the interpreter says itself

const Program* g_program = nullptr;
Number g_number;

void* Mutable(const void* object) { return const_cast<void*>(object); }

// Skips what is no call, as the interpreter does.
void* Visible(const Frame* frame) {
  while (frame != nullptr && frame->code == nullptr) frame = frame->previous;
  return Mutable(frame);
}

void* Attribute(void* object, const char* name) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("co_filename")) return Mutable(static_cast<Code*>(object)->file);
  if (is("co_qualname")) return nullptr;  // an old interpreter
  if (is("co_name")) return Mutable(static_cast<Code*>(object)->name);
  if (is("co_firstlineno")) g_number.value = static_cast<Code*>(object)->first_line;
  if (is("f_lasti")) {
    const auto* frame = static_cast<Frame*>(object);
    g_number.value = frame->instruction - frame->code->instructions;
  }
  if (is("f_lineno")) g_number.value = 7;
  return &g_number;
}

PythonApi Api() {
  PythonApi api = {};
  api.GetThisThreadState = [] { return Mutable(&g_program->thread); };
  api.CurrentThreadState = api.GetThisThreadState;
  api.InnermostFrame = [](void*) { return Visible(g_program->inner.frame); };
  api.CallerOf = [](void* frame) { return Visible(static_cast<Frame*>(frame)->previous); };
  api.CodeOf = [](void* frame) { return Mutable(static_cast<Frame*>(frame)->code); };
  api.CodeLine = [](void*, int) { return 7; };
  api.Attribute = Attribute;
  api.AsLong = [](void* number) { return static_cast<Number*>(number)->value; };
  api.ClearError = [] {};
  api.Release = [](void*) {};
  api.code_type = &g_code_type;
  return api;
}

TEST_CASE("stacks are read only if the interpreter agrees") {
  const Program program;
  g_program = &program;
  CHECK(CheckPythonLayout(Api(), Layout()) == nullptr);
  const auto is_refused = [](auto member, uint16_t offset) {
    PythonLayout layout = Layout();
    layout.*member = offset;
    return CheckPythonLayout(Api(), layout) != nullptr;
  };
  // Places that have something else, or are no addresses at all: none of it may end the process.
  CHECK(is_refused(&PythonLayout::code_size, 104));
  CHECK(is_refused(&PythonLayout::thread_frame, 0));
  CHECK(is_refused(&PythonLayout::indirect_frame, 0));
  CHECK(is_refused(&PythonLayout::previous, OffsetOf(&Frame::code)));
  CHECK(is_refused(&PythonLayout::previous, OffsetOf(&Frame::instruction)));
  CHECK(is_refused(&PythonLayout::code, OffsetOf(&Frame::previous)));
  CHECK(is_refused(&PythonLayout::instruction, OffsetOf(&Frame::previous)));
  CHECK(is_refused(&PythonLayout::first_line, OffsetOf(&Code::file)));
  CHECK(is_refused(&PythonLayout::file, OffsetOf(&Code::first_line)));
  CHECK(is_refused(&PythonLayout::name, OffsetOf(&Code::first_line)));
  CHECK(is_refused(&PythonLayout::code_bytes, OffsetOf(&Code::file)));
  CHECK(is_refused(&PythonLayout::owner, OffsetOf(&Frame::instruction)));
  PythonApi other = Api();
  other.CurrentThreadState = [] { return Mutable(&g_text); };
  CHECK(CheckPythonLayout(other, Layout()) != nullptr);
  other = Api();
  other.InnermostFrame = [](void*) { return Mutable(nullptr); };
  CHECK(CheckPythonLayout(other, Layout()) != nullptr);
  other = Api();
  other.CodeLine = [](void*, int) { return 8; };
  CHECK(CheckPythonLayout(other, Layout()) != nullptr);
}

TEST_CASE("layouts are known by version, or published by the interpreter") {
  PythonLayout layout;
  const char* why = nullptr;
  for (const uint32_t version : {0x0309u, 0x030Au, 0x030Bu, 0x030Cu}) {
    CHECK(FindPythonLayout(version, nullptr, &layout, &why));
  }
  for (const uint32_t version : {0x0207u, 0x0308u, 0x030Du, 0x030Eu, 0x030Fu, 0x0400u, 0u}) {
    CHECK_FALSE(FindPythonLayout(version, nullptr, &layout, &why));
  }
  uint64_t published[49] = {};
  std::memcpy(published, "xdebugpy", 8);
  published[23] = 72;   // the frame of a thread
  published[29] = 8;    // the frame before
  published[31] = 56;   // its instruction
  published[43] = 200;  // where instructions begin
  REQUIRE(FindPythonLayout(0x030D, published, &layout, &why));
  CHECK(layout.thread_frame == 72);
  CHECK(layout.previous == 8);
  CHECK(layout.instruction == 56);
  CHECK(layout.code_bytes == 200);
  CHECK_FALSE(layout.is_frame_indirect);
  published[31] = 1 << 20;
  CHECK_FALSE(FindPythonLayout(0x030D, published, &layout, &why));
  published[31] = 56;
  published[2] = 1;
  CHECK_FALSE(FindPythonLayout(0x030D, published, &layout, &why));
  CHECK(std::string(why) == "Python without the global interpreter lock");
  published[2] = 0;
  published[26] = 80;
  published[32] = 16;
  published[34] = 64;
  published[48] = 208;
  REQUIRE(FindPythonLayout(0x030E, published, &layout, &why));
  CHECK(layout.thread_frame == 80);
  CHECK(layout.previous == 16);
  CHECK(layout.instruction == 64);
  CHECK(layout.code_bytes == 208);
}

}  // namespace
}  // namespace tfprof::capture::python_test
