// SPDX-License-Identifier: Apache-2.0
// GraphDef in protobuf's text format. Parsed by protobuf into the message, which is written out
// and then read as a binary graph, so both forms give the same facts.
#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <limits>
#include <string>

#include "loaders/formats.h"
#include "loaders/graph_def.h"
#include "loaders/text_file.h"
#include "proto/graph.pb.h"

namespace tfprof {
namespace {

// Keeps the first message of each kind instead of printing them all.
class FirstMessages : public google::protobuf::io::ErrorCollector {
 public:
  struct Message {
    std::string what;
    int line = -1;  // from 0
    int column = 0;
  };
  void AddError(int line, int column, const std::string& what) override {
    if (error.what.empty()) error = {what, line, column};
  }
  void AddWarning(int line, int column, const std::string& what) override {
    if (warning.what.empty()) warning = {what, line, column};
  }
  Message error;
  Message warning;
};

Failure At(const SourceFile& file, const FirstMessages::Message& message) {
  std::string where = file.path;
  if (message.line >= 0) {
    where = fmt::format("{}:{}:{}", file.path, message.line + 1, message.column + 1);
  }
  return Fail(ErrorKind::corrupt, fmt::format("no text form of a graph: {}", message.what),
              std::move(where));
}

// Fields that the schema lacks are skipped, as they are in binary form. But a text in which no
// field is known is something else.
Result<void> Parse(const SourceFile& file, std::string_view text, int max_nesting,
                   pb::GraphDef* graph) {
  FirstMessages messages;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&messages);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(max_nesting);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, graph)) return At(file, messages.error);
  if (graph->node_size() == 0 && !messages.warning.what.empty()) {
    return At(file, messages.warning);
  }
  return {};
}

// Deepest nesting of braces outside of strings and comments. Protobuf limits the depth of known
// fields only; skipping unknown ones would follow a hostile file down the whole stack.
int Nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at) {
        if (text[at] == '\\') ++at;
      }
    } else if (c == '{' || c == '<' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == '>' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

Result<void> LoadGraphText(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                           Context& context) {
  const std::string_view text = WithoutByteOrderMark(file.bytes);
  if (text.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
    return Fail(ErrorKind::corrupt, "a text graph of more than 2 GiB", file.path,
                "save the graph in binary form");
  }
  if (Nesting(text) > context.limits.max_nesting) {
    return Fail(ErrorKind::corrupt, "braces nest too deep for a graph", file.path);
  }
  TFPROF_TRY(Poll(context));
  store.AddSource({file.path, "graphdef-text", file.file_bytes, file.bytes.size()});
  std::string bytes;
  {
    google::protobuf::Arena arena;
    auto* graph = google::protobuf::Arena::CreateMessage<pb::GraphDef>(&arena);
    TFPROF_TRY(Parse(file, text, context.limits.max_nesting, graph));
    if (graph->ByteSizeLong() > static_cast<size_t>(std::numeric_limits<int>::max()) ||
        !graph->SerializeToString(&bytes)) {
      return Fail(ErrorKind::corrupt, "a graph of more than 2 GiB", file.path);
    }
  }
  const size_t size = bytes.size();
  bytes.append(SourceFile::kPadding, '\0');
  return ReadGraph({std::string_view(bytes).substr(0, size), file, /*in_file=*/false}, store,
                   context);
}

// ---- is it one?

// Without comments and white space at its beginning.
std::string_view FirstToken(std::string_view text) {
  while (!text.empty()) {
    const size_t at = text.find_first_not_of(" \t\r\n\v\f");
    if (at == text.npos) return {};
    text.remove_prefix(at);
    if (text.front() != '#') return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return text;
}

int Score(std::string_view bytes) {
  const std::string_view text = WithoutByteOrderMark(bytes);
  if (!LooksLikeTextFile(text)) return 0;
  const std::string_view token = FirstToken(text);
  for (const std::string_view field : {"node", "library", "versions", "version", "debug_info"}) {
    if (!token.starts_with(field)) continue;
    const std::string_view next = FirstToken(token.substr(field.size()));
    const bool opens = next.starts_with('{') || next.starts_with(':') || next.starts_with('<');
    if (opens) return field == "node" ? 95 : 80;
  }
  return 0;
}

}  // namespace

const Loader kGraphTextLoader = {
    .name = "graphdef-text",
    .summary = "TensorFlow graph (GraphDef as text, .pbtxt)",
    .order = 0,
    .whole_profile = false,
    .score = Score,
    .load = LoadGraphText,
};

}  // namespace tfprof
