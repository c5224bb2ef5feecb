// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/stacks.h"

#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/shim/names.h"
#include "capture/shim/python/api.h"
#include "capture/shim/python/check.h"
#include "capture/shim/python/frames.h"
#include "capture/shim/python/layout.h"
#include "capture/shim/python/samples.h"
#include "capture/shim/recorder.h"
#include "capture/shim/writer.h"

namespace tfprof::capture {

std::atomic<bool> g_reads_python_stacks{false};

namespace {

std::atomic<bool> g_is_asked{false};
// What is read agrees with what the interpreter says, and it has not ended.
std::atomic<bool> g_is_readable{false};
// Set before stacks are read, and never changed then.
PythonApi g_api;
PythonLayout g_layout;
const void* g_main_thread = nullptr;  // its state
// Threads that read their stack right now. The interpreter frees what they read when it ends, also
// that of threads that still run.
std::atomic<int32_t> g_readers{0};

void Refuse(const char* why) {
  AddFact("python.error", why);
  char what[160];
  std::snprintf(what, sizeof what, "Python calls are not recorded: %s", why);
  Say(what, "record without --python-stacks and --python-samples, or with CPython 3.9 to 3.14");
}

uint32_t NameOf(void* text) {
  constexpr ptrdiff_t kMost = 1000;
  // Before the text, an object has its references, and its type.
  const void* type = nullptr;
  if (text == nullptr || !DirectRead()(text, 8, &type) || type != g_api.text_type) return 0;
  const ptrdiff_t length = g_api.TextLength(text);
  wchar_t characters[kMost + 1];
  ptrdiff_t count = 0;
  // Of a long path the end says more.
  for (ptrdiff_t i = length > kMost ? length - kMost : 0; i < length; ++i) {
    characters[count++] = static_cast<wchar_t>(g_api.TextCharacter(text, i));
  }
  characters[count] = L'\0';
  const NameEntry* name = InternWide(characters);
  return name != nullptr ? name->id : 0;
}

// The function is one that the calling thread is in.
FrameFacts Describe(const RawFrame& frame) {
  void* file = nullptr;
  DirectRead()(frame.code, g_layout.file, &file);
  const int line = g_api.CodeLine(const_cast<void*>(frame.code), frame.offset);
  const auto first = static_cast<uint32_t>(frame.first_line);
  return {.file = NameOf(file),
          .function = NameOf(const_cast<void*>(frame.name)),
          .line = line > 0 ? static_cast<uint32_t>(line) : first,
          .first_line = first};
}

// The thread is the calling one, or the caller holds the GIL.
uint32_t StackIdOf(const void* thread) {
  RawStack stack;
  const bool is_read = ReadPythonStack(g_layout, thread, g_api.code_type, DirectRead(), &stack);
  return is_read ? InternStack(stack, Describe) : 0;
}

// The interpreter is about to end: waits until nobody reads, which takes a microsecond, unless a
// thread is kept from running.
void* EndStacks(void*, void*) {
  constexpr uint64_t kLongest = 100'000'000;
  g_reads_python_stacks.store(false);
  g_is_readable.store(false);
  EndSamples(g_api, kLongest);
  const uint64_t start = MonotonicTime();
  while (g_readers.load() > 0 && MonotonicTime() - start < kLongest) sched_yield();
  return g_api.FromLong(0);
}

bool RegisterEnd() {
  static struct {
    const char* name;
    void* (*function)(void*, void*);
    int flags;
    const char* text;
  } definition = {"tfprof_capture_end", EndStacks, 4, nullptr};  // METH_NOARGS
  void* function = g_api.NewFunction(&definition, nullptr, nullptr);
  void* module = g_api.Import("atexit");
  void* done = function != nullptr && module != nullptr
                   ? g_api.CallMethod(module, "register", "O", function)
                   : nullptr;
  for (void* object : {function, module, done}) {
    if (object != nullptr) g_api.Release(object);
  }
  if (done == nullptr) g_api.ClearError();
  return done != nullptr;
}

// The interpreter calls this on its main thread, between two instructions, with its lock held.
int Begin(void*) {
  if (g_recorder.mode.load() != Mode::on) return 0;
  const char* wrong = CheckPythonLayout(g_api, g_layout);
  if (wrong == nullptr && !RegisterEnd()) wrong = "the interpreter is ending";
  if (wrong != nullptr) {
    Refuse(wrong);
    return 0;
  }
  g_main_thread = g_api.GetThisThreadState();
  g_is_readable.store(true);
  g_reads_python_stacks.store(true);
  if (g_recorder.config.python_stacks) AddFact("python.stacks", "on");
  // What is between samples is known by the stacks of calls.
  if (g_recorder.config.python_samples) {
    const bool is_on = StartSamples(g_api, [] { return StackIdOf(g_main_thread); });
    AddFact("python.samples", is_on ? "on" : "no thread could be started");
  }
  return 0;
}

// "3.11.7 (main, ..." to 0x030B; 0: it is no version.
uint32_t VersionOf(const char* text) {
  char* end = nullptr;
  const unsigned long major = std::strtoul(text, &end, 10);
  if (*end != '.') return 0;
  const unsigned long minor = std::strtoul(end + 1, &end, 10);
  return major < 256 && minor < 256 ? static_cast<uint32_t>(major << 8 | minor) : 0;
}

void AskPython() {
  const char* text = g_api.GetVersion();
  AddFact("python.version", {text, std::strcspn(text, " ")});
  const char* why = "this version of Python does not report frames to others";
  if (!LoadPythonApi(&g_api)) return Refuse(why);
  if (!FindPythonLayout(VersionOf(text), g_api.runtime, &g_layout, &why)) return Refuse(why);
  if (g_api.AddPendingCall(Begin, nullptr) != 0) Refuse("the interpreter takes no calls");
}

}  // namespace

bool StartPython() {
  const Config& config = g_recorder.config;
  if (!config.python_stacks && !config.python_samples) return true;
  if (!FindPython(&g_api) || g_api.IsInitialized() == 0) return false;
  if (!g_is_asked.exchange(true)) AskPython();
  return true;
}

uint32_t PythonStackId() {
  uint32_t id = 0;
  g_readers.fetch_add(1);
  if (g_is_readable.load()) {
    const void* thread = g_api.GetThisThreadState();
    if (thread != nullptr) id = StackIdOf(thread);
  }
  g_readers.fetch_sub(1);
  return id;
}

void ForgetPython() {
  g_is_asked.store(false);
  g_is_readable.store(false);
  g_reads_python_stacks.store(false);
  g_readers.store(0);
  ForgetSamples();
  ForgetStacks();
}

}  // namespace tfprof::capture
