// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/layout.h"

#include <algorithm>
#include <iterator>

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

// What _PyRuntime begins with from 3.13 on: 8-byte numbers, these at these positions.
struct Published {
  uint32_t version;
  uint32_t thread_frame;
  uint32_t frame;  // size, previous, executable, instruction, locals, owner
  uint32_t code;   // size, file, name, qualified name, line table, first line
  uint32_t code_bytes;
};
constexpr Published kPublished[] = {{Version(13), 23, 28, 34, 43}, {Version(14), 26, 31, 39, 48}};
constexpr uint32_t kFreeThreaded = 2;
constexpr uint32_t kMostPublished = 49;

// Returns false if the numbers cannot be offsets.
bool ReadPublished(const Published& where, const uint64_t* at, PythonLayout* layout) {
  for (uint32_t i = where.thread_frame; i <= where.code_bytes; ++i) {
    if (at[i] > 4096) return false;
  }
  const auto number = [at](uint32_t position) { return static_cast<uint16_t>(at[position]); };
  *layout = {.thread_frame = number(where.thread_frame),
             .code = number(where.frame + 2),
             .previous = number(where.frame + 1),
             .instruction = number(where.frame + 3),
             .owner = number(where.frame + 5),
             .first_line = number(where.code + 5),
             .file = number(where.code + 1),
             .name = number(where.code + 3),
             .line_table = number(where.code + 4),
             .code_bytes = number(where.code_bytes),
             .code_size = number(where.code_bytes)};
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
  const auto* where = std::find_if(std::begin(kPublished), std::end(kPublished),
                                   [=](const Published& of) { return of.version == version; });
  if (where == std::end(kPublished) || runtime == nullptr) return false;
  uint64_t published[kMostPublished];
  std::memcpy(published, runtime, sizeof published);
  if (std::memcmp(published, "xdebugpy", 8) != 0) return false;
  *why = "Python without the global interpreter lock";
  if (published[kFreeThreaded] != 0) return false;
  *why = "Python publishes offsets that cannot be right";
  return ReadPublished(*where, published, layout);
}

}  // namespace tfprof::capture
