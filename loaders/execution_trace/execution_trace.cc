// SPDX-License-Identifier: Apache-2.0
// Execution traces, which torch.profiler.ExecutionTraceObserver writes: the operations of a run
// without their times. The trace of the profiler has all of them: docs/formats/execution_trace.md.
#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "loaders/wire/json_scan.h"

namespace tfprof {
namespace {

constexpr int kCertain = 100;
constexpr size_t kMaxHeader = 4096;  // bytes before the nodes

// The members before the nodes: the version of the schema, the process, times.
int ScoreOfGraph(std::string_view bytes) {
  json::Cursor cursor{bytes.data(), bytes.data() + bytes.size()};
  bool has_schema = false;
  int score = 0;
  SkipSpace(&cursor);
  if (!cursor.Is('{')) return 0;
  EachMember(&cursor, [&](std::string_view key, json::Cursor* value) {
    if (key == "nodes") score = has_schema && value->Is('[') ? kCertain : 0;
    if (key == "nodes" || static_cast<size_t>(value->at - bytes.data()) > kMaxHeader) return false;
    has_schema |= key == "schema" && value->Is('"');
    return SkipValue(value);
  });
  return score;
}

Result<void> LoadBeside(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                        Context&) {
  if (store.next_event().value == 0) {
    return Fail(ErrorKind::corrupt,
                "an execution trace of PyTorch: it has operations, but no times", file.path,
                "open the trace that torch.profiler wrote of the same run, NAME.pt.trace.json");
  }
  store.AddNote(note::execution_traces, file.path);
  return {};
}

}  // namespace

const Loader kExecutionTraceLoader = {
    .name = "execution_trace",
    .noun = "an execution trace of PyTorch",
    .summary =
        "operations without times (ExecutionTraceObserver): skipped beside the trace of "
        "the same run, which has them all",
    .order = 7,
    .role = MergeRole::extra,
    .score = ScoreOfGraph,
    .load = LoadBeside,
};

}  // namespace tfprof
