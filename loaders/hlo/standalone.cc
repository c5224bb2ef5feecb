// SPDX-License-Identifier: Apache-2.0
// Files with one compiled program each: an HloProto, a bare HloModule or XLA's text. XLA writes
// them with --xla_dump_to, a file per program and stage of its compilation.
#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/hlo/hlo.h"
#include "loaders/inputs/opened.h"

namespace tfprof {
namespace {

// What the name of a dump tells: module_NUMBER.PROGRAM.STAGE, with an ending.
struct DumpName {
  std::string_view stem;  // without the ending
  std::string_view stage = {};
  int64_t number = kNoInt;
};

std::string_view StemOf(std::string_view path) {
  constexpr std::string_view kEndings[] = {".hlo.pb", ".hlo_proto.pb", ".hlo.txt",
                                           ".pb",     ".txt",          ".hlo"};
  if (path.ends_with(".gz")) path.remove_suffix(3);
  for (const std::string_view ending : kEndings) {
    if (!path.ends_with(ending)) continue;
    path.remove_suffix(ending.size());
    break;
  }
  return path;
}

constexpr std::string_view kDumpBegins = "module_";

DumpName ReadDumpName(std::string_view path, std::string_view program) {
  DumpName of{StemOf(path)};
  std::string_view rest = of.stem.substr(of.stem.rfind('/') + 1);
  if (rest.starts_with(kDumpBegins)) {
    const std::string_view digits = rest.substr(kDumpBegins.size());
    int64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [after, error] = std::from_chars(digits.data(), end, number);
    if (error == std::errc() && after != end && *after == '.') {
      of.number = number;
      rest = digits.substr(static_cast<size_t>(after - digits.data()) + 1);
    }
  }
  if (rest.starts_with(program)) {
    rest.remove_prefix(program.size());
    if (rest.starts_with('.')) rest.remove_prefix(1);
  }
  of.stage = rest;
  return of;
}

bool IsText(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && bytes.substr(first).starts_with(hlo::kTextBegins);
}

hlo::TextError ReadProgramOf(std::string_view bytes, Program* program) {
  if (IsText(bytes)) return hlo::ReadModuleText(bytes, program);
  const char* bad = ScoreBareHlo(bytes) > ScoreHloProto(bytes) ? hlo::ReadBareModule(bytes, program)
                                                               : hlo::ReadModule(bytes, program);
  return {bad, bad == nullptr ? "" : "the program is damaged or truncated"};
}

int ScoreHlo(std::string_view bytes) {
  if (IsText(bytes)) return 100;
  return std::max(ScoreHloProto(bytes), ScoreBareHlo(bytes));
}

Result<Program> ReadAgain(const SourceFile& file, const Store&, ModuleId) {
  return GuardReads(file, [&]() -> Result<Program> {
    Program program;
    (void)ReadProgramOf(file.bytes, &program);  // a damaged file was reported when it was opened
    return program;
  });
}

void AddProgram(const SourceFile& file, const Program& program, StoreBuilder& store) {
  const DumpName dump = ReadDumpName(file.path, program.Text(program.name));
  const SourceId source = store.AddSource({file.path, "hlo", file.file_bytes, file.bytes.size()});
  Process process;
  process.name = store.Name(program.Text(program.name));
  process.host = store.AddHost(store.Name(""));
  process.source = source;
  process.kind = ProcessKind::metadata;
  process.names = 1;
  const ProcessId id = store.AddProcess(process);
  const LabelId label = store.AddLabel(Label{process.name, NodeId(), NameId()});
  store.process(id).labels = {label.value, 1};
  Module module;
  module.program_id = static_cast<uint64_t>(dump.number != kNoInt  ? dump.number
                                            : program.id != kNoInt ? program.id
                                                                   : 0);
  module.name = process.name;
  module.process = id;
  module.label = label;
  if (!dump.stage.empty()) module.stage = store.Name(dump.stage);
  store.AddModule(module);
  store.source(source).details.program = std::bind_front(ReadAgain, file);
}

Result<void> LoadHlo(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                     Context& context) {
  TFPROF_TRY(Poll(context));
  Program program;
  const hlo::TextError error = ReadProgramOf(file.bytes, &program);
  if (error.at != nullptr) {
    TFPROF_TRY(Damaged(error.at, file, error.what, store, context));
  }
  if (program.instructions.empty()) {
    return Fail(ErrorKind::corrupt, "the program has no instructions", file.path);
  }
  AddProgram(file, program, store);
  return {};
}

// Stages in the order of the compilation: that before all passes, numbered ones, that after them.
int RankOfStage(std::string_view path) {
  if (path.find(".before_optimizations") != path.npos) return 0;
  return path.find("after_optimizations") != path.npos ? 2 : 1;
}

// A program dumped in both forms is read once: the serialized form also has buffers.
Result<void> LoadSeveralHlo(std::span<const FileToLoad> files, StoreBuilder& store,
                            Context& context) {
  std::set<std::string_view> serialized;
  std::vector<bool> is_text;
  for (const FileToLoad& of : files) {
    TFPROF_TRY(Guarded(of.file, [&]() -> Result<void> {
      is_text.push_back(IsText(of.file.bytes));
      return {};
    }));
    if (!is_text.back()) serialized.insert(StemOf(of.file.path));
  }
  std::vector<size_t> order(files.size());
  std::iota(order.begin(), order.end(), size_t{0});
  StableSort(order, {}, [&](size_t i) { return RankOfStage(files[i].file.path); });
  for (const size_t i : order) {
    const FileToLoad& of = files[i];
    if (is_text[i] && serialized.contains(StemOf(of.file.path))) {
      store.AddNote(note::program_in_two_forms, of.file.path);
      continue;
    }
    TFPROF_TRY(Guarded(of.file, [&] { return LoadHlo(of.file, of.arguments, store, context); }));
    NoteDamage(of.file, store);
  }
  return {};
}

}  // namespace

const Loader kHloLoader = {
    .name = "hlo",
    .noun = "a compiled program (HLO)",
    .summary = "compiled program of XLA: HloProto, HloModuleProto or text (--xla_dump_to)",
    .order = 5,
    .role = MergeRole::whole,
    .score = ScoreHlo,
    .load = LoadHlo,
    .load_several = LoadSeveralHlo,
    .name_begins = kDumpBegins,
    .found_by_content = true,
    .name_has_facts = true,
};

}  // namespace tfprof
