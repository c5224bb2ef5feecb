// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/check.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace tfprof::capture {
namespace {

// The kernel reads the memory: it refuses a wrong address where a load would end the process.
class CheckedRead {
 public:
  CheckedRead() {
    if (pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) pipe_[0] = pipe_[1] = -1;
  }
  CheckedRead(const CheckedRead&) = delete;
  CheckedRead& operator=(const CheckedRead&) = delete;
  ~CheckedRead() {
    if (pipe_[0] >= 0) close(pipe_[0]);
    if (pipe_[1] >= 0) close(pipe_[1]);
  }

  template <class Value>
  bool operator()(const void* base, uint32_t offset, Value* value) const {
    const auto at = reinterpret_cast<uintptr_t>(base) + offset;
    const auto bytes = static_cast<ssize_t>(sizeof *value);
    // Not by the function of libc, which a sanitizer would replace by one that loads.
    return syscall(SYS_write, pipe_[1], at, sizeof *value) == bytes &&
           read(pipe_[0], value, sizeof *value) == bytes;
  }

 private:
  int pipe_[2];
};

// A reference to an object, which may be null.
class Held {
 public:
  Held(const PythonApi& api, void* object) : api_(api), object_(object) {
    if (object == nullptr) api.ClearError();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (object_ != nullptr) api_.Release(object_);
  }
  void* get() const { return object_; }

 private:
  const PythonApi& api_;
  void* object_;
};

bool IsNumber(const PythonApi& api, void* object, const char* name, long expected) {
  const Held number(api, api.Attribute(object, name));
  return number.get() != nullptr && api.AsLong(number.get()) == expected;
}

bool IsSame(const PythonApi& api, void* object, const char* name, const void* expected) {
  const Held found(api, api.Attribute(object, name));
  return found.get() != nullptr && found.get() == expected;
}

bool IsSameFrame(const PythonApi& api, const PythonLayout& layout, const CheckedRead& read,
                 void* frame, const RawFrame& raw) {
  const Held code(api, api.CodeOf(frame));
  if (code.get() != raw.code) return false;
  const void* file = nullptr;
  if (!read(raw.code, layout.file, &file) || !IsSame(api, code.get(), "co_filename", file)) {
    return false;
  }
  // Names are qualified where the interpreter has such.
  if (!IsSame(api, code.get(), "co_qualname", raw.name) &&
      !IsSame(api, code.get(), "co_name", raw.name)) {
    return false;
  }
  return IsNumber(api, code.get(), "co_firstlineno", raw.first_line) &&
         IsNumber(api, frame, "f_lasti", raw.offset) &&
         IsNumber(api, frame, "f_lineno", api.CodeLine(code.get(), raw.offset));
}

}  // namespace

const char* CheckPythonLayout(const PythonApi& api, const PythonLayout& layout) {
  constexpr uint32_t kSizeOffset = 32;  // tp_basicsize of any type
  constexpr const char* kOther = "Python keeps its calls otherwise than this version does";
  const CheckedRead read;
  int64_t code_size = 0;
  if (!read(api.code_type, kSizeOffset, &code_size)) return "memory cannot be checked";
  if (code_size != layout.code_size) return kOther;
  void* thread = api.GetThisThreadState();
  if (thread == nullptr || thread != api.CurrentThreadState()) return "a further interpreter";
  RawStack stack;
  if (!ReadPythonStack(layout, thread, api.code_type, read, &stack)) return kOther;
  if (stack.count == 0) return "no Python code runs";
  void* frame = api.InnermostFrame(thread);
  uint32_t same = 0;
  while (frame != nullptr && same < stack.count &&
         IsSameFrame(api, layout, read, frame, stack.frames[same])) {
    ++same;
    void* caller = api.CallerOf(frame);
    api.Release(frame);
    frame = caller;
  }
  const bool has_more = frame != nullptr;
  if (has_more) api.Release(frame);
  return same == stack.count && has_more == stack.is_cut ? nullptr : kOther;
}

}  // namespace tfprof::capture
