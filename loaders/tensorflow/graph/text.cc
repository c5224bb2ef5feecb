// SPDX-License-Identifier: Apache-2.0
// Reader of GraphDef in protobuf's text format.
#include <google/protobuf/arena.h>

#include <string>

#include "loaders/formats.h"
#include "loaders/tensorflow/graph/binary.h"
#include "loaders/wire/text_message.h"
#include "proto/graph.pb.h"

namespace tfprof {
namespace {

Result<void> LoadGraphText(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                           Context& context) {
  store.AddSource({file.path, "graphdef-text", file.file_bytes, file.bytes.size()});
  std::string bytes;
  {
    google::protobuf::Arena arena;
    auto* graph = google::protobuf::Arena::CreateMessage<pb::GraphDef>(&arena);
    TFPROF_ASSIGN(bytes, BytesOfText(file, "a graph", context, graph));
  }
  const std::string_view graph =
      std::string_view(bytes).substr(0, bytes.size() - SourceFile::kPadding);
  return ReadGraph({{graph}, file, /*in_file=*/false}, store, context);
}

int Score(std::string_view bytes) {
  constexpr std::string_view kFields[] = {"node", "library", "versions", "version", "debug_info"};
  const std::string_view first = FirstTextField(bytes, kFields);
  return first.empty() ? 0 : first == "node" ? 95 : 80;
}

}  // namespace

const Loader kGraphTextLoader = {
    .name = "graphdef-text",
    .noun = "a GraphDef in text form",
    .flag = "--graph_path",
    .summary = "TensorFlow graph (GraphDef as text, .pbtxt)",
    .order = 0,
    .is_text = true,
    .score = Score,
    .load = LoadGraphText,
};

}  // namespace tfprof
