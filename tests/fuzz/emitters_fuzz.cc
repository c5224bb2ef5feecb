// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profile, in every form that a file or a screen can have.
#include "cli/export/writing.h"
#include "emitters/emitter.h"
#include "tests/fuzz/asking.h"
#include "tests/fuzz/mutate_message.h"

namespace tfprof {
namespace {

void EmitAll(const Asker& asker, const View& view, std::span<const Emitter> emitters,
             uint32_t choice) {
  const Style style{.columns = static_cast<int>(choice % 200),
                    .utf8 = choice % 3 != 0,
                    .color = choice % 5 == 0,
                    .numbered = choice % 7 == 0};
  for (const Emitter& emitter : emitters) {
    Context context;
    Query query;
    (void)SetOption(*FindOption("format"), emitter.name, query);
    Result<Report> report = Answer(asker.session.profile, view, query, context);
    if (!report) return;
    Sink sink;
    (void)Emit(emitter, std::move(*report), query, style, sink, context);
  }
}

// `timeline`, `flame`, `pprof` and `save`, into memory.
void WriteAll(const Asker& asker) {
  for (const WritingCommand& command : WritingCommands()) {
    for (const std::string ending : {"", ".html", ".svg", ".folded", ".speedscope.json"}) {
      const std::string out = "out" + ending;
      if (command.check != nullptr ? !command.check(out, {}) : !ending.empty()) continue;
      Sink sink;
      Context context;
      const Result<Written> written =
          command.write({asker.session, {}, {}, out, std::string(command.name), sink, context});
      if (!written) Require(written.error().kind == ErrorKind::usage, written.error().what);
    }
  }
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateLikeliest(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  const StorePtr store = LoadLikeliest(bytes);
  if (store == nullptr) return 0;
  const Asker asker(store);
  const uint32_t choice = ChoiceOf(bytes);
  EmitAll(asker, Views()[choice % Views().size()], Emitters(), choice);
  EmitAll(asker, Views()[choice / 7 % 4], FileEmitters(), choice);  // scope, graph, op, code
  WriteAll(asker);
  return 0;
}
