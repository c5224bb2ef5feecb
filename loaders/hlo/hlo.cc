// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/hlo.h"

#include "loaders/hlo/reading.h"
#include "loaders/wire/wire.h"

namespace tfprof::hlo {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// Two numbers of a message, by field; others are skipped.
const char* ReadPair(std::string_view message, uint32_t a, int64_t* first, uint32_t b,
                     int64_t* second) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() == Tag(a, kVarint)) {
      *first = fields.Int64();
    } else if (fields.tag() == Tag(b, kVarint)) {
      *second = fields.Int64();
    } else {
      fields.Skip();
    }
  }
  return fields.bad();
}

const char* ReadFrameTables(std::string_view message, FrameTables* tables) {
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    int64_t unused = 0;
    switch (fields.tag()) {
      case Tag(1, kBytes):
        tables->files.push_back(fields.Bytes());
        break;
      case Tag(3, kBytes): {
        FrameTables::Location& location = tables->locations.emplace_back();
        bad = ReadPair(fields.Bytes(), 1, &location.file, 3, &location.line);
        break;
      }
      case Tag(4, kBytes):
        bad = ReadPair(fields.Bytes(), 1, &tables->location_of_frame.emplace_back(), 2, &unused);
        break;
      default:
        fields.Skip();
    }
  }
  return bad != nullptr ? bad : fields.bad();
}

const char* ReadComputation(std::string_view message, Reading* reading) {
  Program* program = reading->program;
  const uint32_t at = Size(program->computations);
  const uint32_t first = Size(program->instructions);
  program->computations.emplace_back();
  reading->pending.computation_ids.push_back(0);
  reading->pending.root_ids.push_back(0);
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        program->computations[at].name = Keep(fields.Bytes(), program);
        break;
      case Tag(2, kBytes):
        bad = ReadInstruction(fields.Bytes(), reading);
        break;
      case Tag(5, kVarint):
        reading->pending.computation_ids[at] = fields.Int64();
        break;
      case Tag(6, kVarint):
        reading->pending.root_ids[at] = fields.Int64();
        break;
      default:
        fields.Skip();
    }
  }
  program->computations[at].instructions = {first, Size(program->instructions) - first};
  return bad != nullptr ? bad : fields.bad();
}

const char* ReadHloModule(std::string_view message, Reading* reading) {
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        reading->program->name = Keep(fields.Bytes(), reading->program);
        break;
      case Tag(3, kBytes):
        bad = ReadComputation(fields.Bytes(), reading);
        break;
      case Tag(6, kVarint):
        reading->pending.entry_id = fields.Int64();
        break;
      case Tag(17, kBytes):
        bad = ReadFrameTables(fields.Bytes(), &reading->pending.sources);
        break;
      default:
        fields.Skip();
    }
  }
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace

const char* ReadModule(std::string_view message, Program* program) {
  if (message.size() > UINT32_MAX) return message.data();
  Reading reading{program};
  reading.most_instructions = message.size() / 16 + 16;
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    if (fields.tag() == Tag(1, kBytes)) {
      bad = ReadHloModule(fields.Bytes(), &reading);
    } else {
      fields.Skip();
    }
  }
  Resolve(&reading);
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace tfprof::hlo
