// SPDX-License-Identifier: Apache-2.0
// -output proto: the answer as the message that the original returns. The messages nest as deep as
// the row tree, so they are assembled here without recursion, from messages of single rows.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>

#include "core/base/context.h"
#include "core/base/wire_writer.h"
#include "core/report/table_def.h"
#include "emitters/classic/classic.h"
#include "emitters/data/proto_nodes.h"
#include "emitters/emitter.h"
#include "proto/tfprof_output_fields.h"

namespace tfprof {
namespace {

// Messages in depth-first order, each but the first in the field `children` of its parent.
// `fill(i)` makes message i without children; its result is valid until the next call.
template <class Fill>
struct Nest {
  std::vector<uint32_t> parent;  // of the first message: not read
  FieldNumber children;          // of the parent
  Fill fill;
};

int VarintBytes(uint64_t value) {
  int bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

// Returns the size of each message, nested messages included.
template <class Fill>
Result<std::vector<uint64_t>> Sizes(const Nest<Fill>& nest, Context& context) {
  std::vector<uint64_t> size(nest.parent.size());
  for (size_t i = size.size(); i-- > 0;) {
    if (i % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    size[i] += nest.fill(i).ByteSizeLong();  // the field's tag is one byte
    if (i > 0) size[nest.parent[i]] += 1 + static_cast<uint64_t>(VarintBytes(size[i])) + size[i];
  }
  return size;
}

// Serialization is deterministic, although maps have no order. A StringOutputStream would clear all
// that the text has room for, once per message.
void AppendTo(const google::protobuf::Message& message, std::string* out) {
  const size_t begin = out->size(), size = message.ByteSizeLong();
  out->resize(begin + size);
  google::protobuf::io::ArrayOutputStream stream(out->data() + begin, static_cast<int>(size));
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeWithCachedSizes(&coded);
}

template <class Fill>
Result<void> WriteBinary(const Nest<Fill>& nest, Sink& sink, Context& context) {
  TFPROF_ASSIGN(const std::vector<uint64_t> size, Sizes(nest, context));
  WireWriter out(&sink.buffer);
  for (size_t i = 0; i < size.size(); ++i) {
    if (i % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (i > 0) out.BeginMessage(nest.children, size[i]);
    AppendTo(nest.fill(i), &sink.buffer);
    TFPROF_TRY(sink.MaybeFlush());
  }
  return {};
}

// Each level indents by two spaces, up to this limit: a tree may be deep.
constexpr size_t kMaxIndent = 40;

void AppendLine(size_t level, std::string_view line, std::string* out) {
  out->append(2 * std::min(level, kMaxIndent), ' ').append(line).append("\n");
}

template <class Fill>
Result<void> WriteText(const Nest<Fill>& nest, Sink& sink, Context& context) {
  google::protobuf::TextFormat::Printer printer;
  std::vector<size_t> level(nest.parent.size(), 0);
  std::string text;
  size_t open = 0;
  for (size_t i = 0; i < level.size(); ++i) {
    if (i % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (i > 0) {
      level[i] = level[nest.parent[i]] + 1;
      while (open >= level[i]) AppendLine(--open, "}", &sink.buffer);
      AppendLine(open++, "children {", &sink.buffer);
    }
    printer.SetInitialIndentLevel(static_cast<int>(std::min(level[i], kMaxIndent)));
    printer.PrintToString(nest.fill(i), &text);
    sink.Append(text);
    TFPROF_TRY(sink.MaybeFlush());
  }
  while (open > 0) AppendLine(--open, "}", &sink.buffer);
  return {};
}

template <class Fill>
Result<void> Write(const Nest<Fill>& nest, const Query& query, Sink& sink, Context& context) {
  return query.output.path.ends_with("txt") ? WriteText(nest, sink, context)
                                            : WriteBinary(nest, sink, context);
}

// Each row of op nests in the row before it; the first one is in a root that is not a row.
Result<void> EmitOp(const Report& report, const Query& query, Sink& sink, Context& context) {
  const Table& table = report.tables[0];
  pb::MultiGraphNodeProto message;
  const auto fill = [&](size_t i) -> const pb::MultiGraphNodeProto& {
    i == 0 ? FillOpRoot(report, &message) : FillMultiNode(report, i - 1, &message);
    return message;
  };
  std::vector<uint32_t> parent(1 + table.PrintedRows());
  for (uint32_t i = 1; i < parent.size(); ++i) parent[i] = i - 1;
  return Write(Nest<decltype(fill)>{std::move(parent), field::MultiGraphNodeProto::children, fill},
               query, sink, context);
}

// `children`: the field that has the rows below a row.
template <class Message, void (*kFill)(const Report&, size_t, Message*)>
Result<void> EmitTree(const Report& report, FieldNumber children, const Query& query, Sink& sink,
                      Context& context) {
  Message message;
  const auto fill = [&](size_t i) -> const Message& {
    kFill(report, i, &message);
    return message;
  };
  return Write(Nest<decltype(fill)>{report.tables[0].parent, children, fill}, query, sink, context);
}

// The sections of advise, one checker each.
Result<void> EmitAdvice(const Report& report, const Query& query, Sink& sink) {
  TFPROF_ASSIGN(const std::vector<ClassicSection> sections, ClassicSections(report));
  pb::AdviceProto message;
  for (const ClassicSection& section : sections) {
    pb::AdviceProto::Checker& checker = (*message.mutable_checkers())[std::string(section.name)];
    for (const std::string& text : section.reports) checker.add_reports(text);
  }
  if (!query.output.path.ends_with("txt")) {
    AppendTo(message, &sink.buffer);
    return {};
  }
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  sink.Append(text);
  return {};
}

}  // namespace

Result<void> EmitProto(const Report& report, const Query& query, const Style&, Sink& sink,
                       Context& context) {
  if (report.view == "advise") return EmitAdvice(report, query, sink);
  switch (RowNamesOf(report)) {
    case RowNames::types: return EmitOp(report, query, sink, context);
    case RowNames::frames:
      return EmitTree<pb::MultiGraphNodeProto, FillMultiNode>(
          report, field::MultiGraphNodeProto::children, query, sink, context);
    case RowNames::scopes:
    case RowNames::nodes:
      return EmitTree<pb::GraphNodeProto, FillGraphNode>(report, field::GraphNodeProto::children,
                                                         query, sink, context);
    case RowNames::other: break;
  }
  return UsageError("the original tfprof has no message for " + report.view, Remedy::other_output,
                    "it has messages for scope, graph, op, code and advise");
}

}  // namespace tfprof
