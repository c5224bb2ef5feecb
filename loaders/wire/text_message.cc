// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/text_message.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <limits>

#include "loaders/detect/detect.h"

namespace tfprof {
namespace {

constexpr auto kMaxBytes = static_cast<size_t>(std::numeric_limits<int>::max());

// Keeps the first message of each kind instead of printing all of them.
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

Failure At(const SourceFile& file, std::string_view noun, const FirstMessages::Message& message) {
  std::string where = file.path;
  if (message.line >= 0) {
    where = fmt::format("{}:{}:{}", file.path, message.line + 1, message.column + 1);
  }
  return Fail(ErrorKind::corrupt, fmt::format("invalid text form of {}: {}", noun, message.what),
              std::move(where));
}

// Returns the maximum nesting of braces outside of strings and comments. Protobuf limits the depth
// of known fields only; skipping unknown fields recurses, so a hostile file would exhaust the
// stack.
int NestingOf(std::string_view text) {
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

// Returns the first token after comments and white space.
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

}  // namespace

Result<std::string> BytesOfText(const SourceFile& file, std::string_view noun, Context& context,
                                google::protobuf::Message* message) {
  // The parser must see the checked bytes: a mapped file may change meanwhile.
  const std::string copy(file.mapping != nullptr ? file.bytes : std::string_view());
  const std::string_view text = WithoutByteOrderMark(copy.empty() ? file.bytes : copy);
  if (text.size() > kMaxBytes) {
    return Fail(ErrorKind::corrupt, fmt::format("more than 2 GiB of text for {}", noun), file.path,
                "save it in binary form");
  }
  if (NestingOf(text) > context.limits.max_nesting) {
    return Fail(ErrorKind::corrupt, fmt::format("braces are nested too deep for {}", noun),
                file.path);
  }
  TFPROF_TRY(Poll(context));
  FirstMessages messages;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&messages);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(context.limits.max_nesting);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, message)) return At(file, noun, messages.error);
  const size_t size = message->ByteSizeLong();
  if (size == 0 && !messages.warning.what.empty()) return At(file, noun, messages.warning);
  std::string bytes;
  if (size > kMaxBytes || !message->SerializeToString(&bytes)) {
    return Fail(ErrorKind::corrupt, fmt::format("more than 2 GiB for {}", noun), file.path);
  }
  bytes.append(SourceFile::kPadding, '\0');
  return bytes;
}

std::string_view FirstTextField(std::string_view bytes, std::span<const std::string_view> fields) {
  const std::string_view text = WithoutByteOrderMark(bytes);
  if (!LooksLikeTextFile(text)) return {};
  const std::string_view token = FirstToken(text);
  for (const std::string_view field : fields) {
    if (!token.starts_with(field)) continue;
    const std::string_view next = FirstToken(token.substr(field.size()));
    if (next.starts_with('{') || next.starts_with(':') || next.starts_with('<')) return field;
  }
  return {};
}

}  // namespace tfprof
