// SPDX-License-Identifier: Apache-2.0
// Where CPython keeps the calls that a thread is in. A thread may read its own without the
// GIL: while it is in a call of ours, nobody changes or frees them. Who holds the GIL may read
// those of any thread.
#pragma once

#include <cstdint>
#include <cstring>

#include "capture/spool/format.h"

namespace tfprof::capture {

// Offsets in bytes. They do not change between releases of one minor version.
struct PythonLayout {
  // A frame has no owner before 3.11: all are of Python code.
  static constexpr uint16_t kNoOwner = UINT16_MAX;
  // Greater owners are frames of the interpreter itself.
  static constexpr uint8_t kLastOwner = 2;

  uint16_t thread_frame = 0;       // in a thread's state
  bool is_frame_indirect = false;  // that is a pointer to what has the frame
  uint16_t indirect_frame = 0;
  // In a frame
  uint16_t code = 0;
  uint16_t previous = 0;
  uint16_t instruction = 0;
  uint16_t owner = kNoOwner;
  // In a code object
  uint16_t first_line = 0;
  uint16_t file = 0;
  uint16_t name = 0;
  uint16_t line_table = 0;
  uint16_t code_bytes = 0;  // where its instructions begin; 0: frames have a number instead
  uint16_t unit_bytes = 1;  // of that number
  uint16_t code_size = 0;   // tp_basicsize of its type: another one is another layout
};

// `version` is PY_VERSION_HEX >> 16, `runtime` is _PyRuntime, which publishes offsets from 3.13 on.
// Returns false if the layout is not known; `why` says it.
bool FindPythonLayout(uint32_t version, const void* runtime, PythonLayout* layout,
                      const char** why);

// An instruction of a function. The rest tells functions apart that had the same place in memory,
// one after the other: their names often have one place, too.
struct RawFrame {
  const void* code;
  const void* name;
  const void* line_table;
  uint64_t texts;  // hashes and length of its name and its file, as far as Python knows them
  int32_t offset;  // in bytes, of the instruction; below 0: before the first
  int32_t first_line;
};

// Not initialized: that would take longer than reading a stack.
struct RawStack {
  uint32_t count;
  bool is_cut;                        // there are further calls outside
  RawFrame frames[kMostStackFrames];  // the innermost first
};

// Reads without a check: for layouts that were verified.
struct DirectRead {
  template <class Value>
  bool operator()(const void* base, uint32_t offset, Value* value) const {
    std::memcpy(value, static_cast<const char*>(base) + offset, sizeof *value);
    return true;
  }
};

namespace layout_detail {

template <class Read>
bool ReadOffset(const PythonLayout& layout, const void* frame, const void* code, const Read& read,
                int32_t* offset) {
  if (layout.code_bytes == 0) {
    if (!read(frame, layout.instruction, offset)) return false;
    if (*offset > 0) *offset *= layout.unit_bytes;
    return true;
  }
  const char* instruction = nullptr;
  if (!read(frame, layout.instruction, &instruction)) return false;
  *offset =
      static_cast<int32_t>(instruction - (static_cast<const char*>(code) + layout.code_bytes));
  return true;
}

template <class Read>
bool ReadTexts(const PythonLayout& layout, const void* code, const void* name, const Read& read,
               uint64_t* texts) {
  constexpr uint32_t kLength = 16;  // of any text
  constexpr uint32_t kHash = 24;    // -1: not known yet
  const void* file = nullptr;
  uint64_t name_hash = 0;
  uint64_t file_hash = 0;
  uint64_t file_length = 0;
  if (!read(code, layout.file, &file) || !read(file, kLength, &file_length) ||
      !read(file, kHash, &file_hash) || !read(name, kHash, &name_hash)) {
    return false;
  }
  *texts = name_hash ^ (file_hash << 1) ^ (file_length << 48);
  return true;
}

template <class Read>
bool ReadFrame(const PythonLayout& layout, const void* frame, const void* code, const Read& read,
               RawFrame* to) {
  to->code = code;
  return ReadOffset(layout, frame, code, read, &to->offset) &&
         read(code, layout.first_line, &to->first_line) && read(code, layout.name, &to->name) &&
         read(code, layout.line_table, &to->line_table) &&
         ReadTexts(layout, code, to->name, read, &to->texts);
}

// From 3.14 on, the lowest bits say who holds a reference.
inline const void* WithoutTag(const void* object) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(object) & ~uintptr_t{7});
}

}  // namespace layout_detail

// Reads the calls that the thread of this state is in: the caller's own, or those of another one
// while the caller holds the GIL. `code_type` is PyCode_Type. Returns false if `read` fails.
template <class Read>
bool ReadPythonStack(const PythonLayout& layout, const void* thread, const void* code_type,
                     const Read& read, RawStack* stack) {
  constexpr uint32_t kTypeOffset = 8;  // of any object
  stack->count = 0;
  stack->is_cut = false;
  const void* frame = nullptr;
  if (!read(thread, layout.thread_frame, &frame)) return false;
  if (layout.is_frame_indirect && frame != nullptr && !read(frame, layout.indirect_frame, &frame))
    return false;
  // Frames that are no calls of functions are skipped, and are few.
  for (uint32_t seen = 0; frame != nullptr && seen < 4 * kMostStackFrames; ++seen) {
    uint8_t owner = 0;
    if (layout.owner != PythonLayout::kNoOwner && !read(frame, layout.owner, &owner)) return false;
    if (owner <= PythonLayout::kLastOwner) {
      const void* code = nullptr;
      const void* type = nullptr;
      if (!read(frame, layout.code, &code)) return false;
      code = layout_detail::WithoutTag(code);
      if (code == nullptr) return false;
      if (!read(code, kTypeOffset, &type)) return false;
      if (type == code_type) {
        stack->is_cut = stack->count == kMostStackFrames;
        if (stack->is_cut) return true;
        if (!layout_detail::ReadFrame(layout, frame, code, read, &stack->frames[stack->count]))
          return false;
        ++stack->count;
      }
    }
    if (!read(frame, layout.previous, &frame)) return false;
  }
  return true;
}

}  // namespace tfprof::capture
