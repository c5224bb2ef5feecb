// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/layout.h"

namespace tfprof::capture {
namespace {

constexpr uint32_t Version(uint32_t minor) { return 3 << 8 | minor; }

struct Known {
  uint32_t version;
  PythonLayout layout;
};
constexpr Known kKnown[] = {
    {Version(9),
     {.thread_frame = 24,
      .code = 32,
      .previous = 24,
      .instruction = 104,
      .first_line = 40,
      .file = 104,
      .name = 112,
      .line_table = 120,
      .code_size = 176}},
    {Version(10),
     {.thread_frame = 24,
      .code = 32,
      .previous = 24,
      .instruction = 96,
      .first_line = 40,
      .file = 104,
      .name = 112,
      .line_table = 120,
      .unit_bytes = 2,
      .code_size = 176}},
    {Version(11),
     {.thread_frame = 56,
      .is_frame_indirect = true,
      .indirect_frame = 8,
      .code = 32,
      .previous = 48,
      .instruction = 56,
      .owner = 69,
      .first_line = 72,
      .file = 112,
      .name = 128,  // co_qualname
      .line_table = 136,
      .code_bytes = 184,
      .code_size = 184}},
    {Version(12),
     {.thread_frame = 56,
      .is_frame_indirect = true,
      .indirect_frame = 0,
      .code = 0,
      .previous = 8,
      .instruction = 56,
      .owner = 70,
      .first_line = 68,
      .file = 112,
      .name = 128,
      .line_table = 136,
      .code_bytes = 192,
      .code_size = 192}},
};

// What _PyRuntime of 3.13 begins with: 8-byte numbers at these positions.
struct Published {
  static constexpr uint32_t kFreeThreaded = 2;
  static constexpr uint32_t kThreadFrame = 23;
  static constexpr uint32_t kFrame = 28;  // size, previous, executable, instruction, locals, owner
  static constexpr uint32_t kCode = 34;  // size, file, name, qualified name, line table, first line
  static constexpr uint32_t kCodeBytes = 43;
  static constexpr uint32_t kCount = 44;
};

// Returns false if the numbers cannot be offsets.
bool ReadPublished(const uint64_t* at, PythonLayout* layout) {
  for (uint32_t i = Published::kThreadFrame; i < Published::kCount; ++i) {
    if (at[i] > 4096) return false;
  }
  const auto number = [at](uint32_t position) { return static_cast<uint16_t>(at[position]); };
  *layout = {.thread_frame = number(Published::kThreadFrame),
             .code = number(Published::kFrame + 2),
             .previous = number(Published::kFrame + 1),
             .instruction = number(Published::kFrame + 3),
             .owner = number(Published::kFrame + 5),
             .first_line = number(Published::kCode + 5),
             .file = number(Published::kCode + 1),
             .name = number(Published::kCode + 3),
             .line_table = number(Published::kCode + 4),
             .code_bytes = number(Published::kCodeBytes),
             .code_size = number(Published::kCodeBytes)};
  return true;
}

}  // namespace

bool FindPythonLayout(uint32_t version, const void* runtime, PythonLayout* layout,
                      const char** why) {
  for (const Known& known : kKnown) {
    if (known.version == version) {
      *layout = known.layout;
      return true;
    }
  }
  *why = "stacks of this version of Python are not known";
  if (version != Version(13) || runtime == nullptr) return false;
  uint64_t published[Published::kCount];
  std::memcpy(published, runtime, sizeof published);
  if (std::memcmp(published, "xdebugpy", 8) != 0) return false;
  *why = "Python without the global interpreter lock";
  if (published[Published::kFreeThreaded] != 0) return false;
  *why = "Python publishes offsets that cannot be right";
  return ReadPublished(published, layout);
}

}  // namespace tfprof::capture
