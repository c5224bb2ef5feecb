// SPDX-License-Identifier: Apache-2.0
// Operations of a GraphDef and of the functions in its library. Schema: proto/graph.proto.
#include "loaders/tensorflow/graph/ops.h"

#include <charconv>
#include <unordered_map>

#include "loaders/tensorflow/graph/binary.h"
#include "loaders/wire/map_entry.h"
#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "proto/graph_fields.h"

namespace tfprof {
namespace {

using wire::Tag;

constexpr size_t kOpsPerPoll = 4096;

uint32_t Count(const auto& list) { return static_cast<uint32_t>(list.size()); }

// Outputs of operations with several of them, by their names; an output that is not listed is the
// first one, or the only one, which may be a list.
struct NamedOutput {
  std::string_view type;  // the beginning of the type; empty: any
  std::string_view name;
  int32_t slot;
};
constexpr NamedOutput kNamedOutputs[] = {
    {"", "batch_mean", 1},
    {"", "batch_variance", 2},
    {"", "reserve_space_1", 3},
    {"", "reserve_space_2", 4},
    {"", "reserve_space_3", 5},
    {"", "scale_backprop", 1},
    {"", "offset_backprop", 2},
    {"", "indices", 1},
    {"", "output_true", 1},
    {"", "value_index", 1},
    {"", "backprop", 1},
    {"", "idx", 1},
    {"", "r1", 1},
    {"", "output_h", 1},
    {"", "output_c", 2},
    {"", "reserve_space", 3},
    {"", "cs", 1},
    {"", "ci", 4},
    {"", "co", 5},
    {"LSTMBlockCell", "h", 6},
    {"BlockLSTM", "h", 6},
    {"GRUBlockCell", "h", 3},
    {"GRUBlockCell", "u", 1},
    {"GRUBlockCell", "c", 2},
    {"", "updated_value", 1},
    {"Svd", "u", 1},
};

// The nodes of one function body, by name.
using BodyNames = std::unordered_map<std::string_view, uint32_t>;

struct BodyReader {
  GraphOps& out;
  BodyNames names = {};
  std::vector<std::string_view> inputs = {};  // of all nodes
  std::vector<uint32_t> input_counts = {};    // by node
};

// Reads the fields of a node. Returns false if it is malformed.
bool ReadNode(std::string_view message, std::vector<std::string_view>* inputs, GraphOp* op,
              GraphOps* out) {
  op->attributes.first = Count(out->attributes);
  wire::Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::NodeDef::name, wire::kBytes): op->name = fields.Bytes(); break;
      case Tag(field::NodeDef::op, wire::kBytes): op->type = fields.Bytes(); break;
      case Tag(field::NodeDef::input, wire::kBytes):
        if (inputs == nullptr) {
          fields.Skip();
        } else {
          inputs->push_back(fields.Bytes());
        }
        break;
      case Tag(field::NodeDef::attr, wire::kBytes): ReadOpAttribute(fields.Bytes(), out); break;
      default: fields.Skip();
    }
  }
  op->attributes.count = Count(out->attributes) - op->attributes.first;
  return fields.bad() == nullptr;
}

// "argument", "node:output:index"; control inputs are none.
OpOutput FindOutput(std::string_view text, const BodyReader& body) {
  const size_t colon = text.find(':');
  const auto found = body.names.find(text.substr(0, colon));
  if (found == body.names.end()) return {};
  OpOutput output{found->second, 0};
  if (colon == text.npos) return output;
  std::string_view name = text.substr(colon + 1);
  const size_t second = name.find(':');
  int32_t index = 0;
  if (second != name.npos) {
    const std::string_view digits = name.substr(second + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    name = name.substr(0, second);
  }
  output.slot = SlotOfOutput(body.out.ops[found->second].type, name, index);
  return output;
}

// Names of the arguments or results in an OpDef.
std::vector<std::string_view> NamesOf(const std::vector<std::string_view>& arguments) {
  std::vector<std::string_view> names;
  for (const std::string_view argument : arguments) {
    wire::ReadMessage(argument, wire::Text<field::OpDef_ArgDef::name>(&names.emplace_back()));
  }
  return names;
}

// What a FunctionDef consists of, in pieces.
struct FunctionParts {
  std::string_view name;
  std::vector<std::string_view> arguments, results, nodes, returned, argument_attributes;
};

FunctionParts PartsOf(std::string_view message) {
  FunctionParts parts;
  std::string_view signature;
  using Of = field::FunctionDef;
  wire::ReadMessage(message, wire::Text<Of::signature>(&signature),
                    wire::Each<Of::node_def>(wire::PushTo(&parts.nodes)),
                    wire::Each<Of::ret>(wire::PushTo(&parts.returned)),
                    wire::Each<Of::arg_attr>(wire::PushTo(&parts.argument_attributes)));
  wire::ReadMessage(signature, wire::Text<field::OpDef::name>(&parts.name),
                    wire::Each<field::OpDef::input_arg>(wire::PushTo(&parts.arguments)),
                    wire::Each<field::OpDef::output_arg>(wire::PushTo(&parts.results)));
  return parts;
}

// Reads the attributes of one argument, and its number.
Range ReadArgument(std::string_view entry, uint32_t* number, GraphOps* out) {
  const uint32_t first = Count(out->attributes);
  std::string_view list;
  wire::ReadMessage(entry, wire::Number<field::FunctionDef_ArgAttrEntry::key>(number),
                    wire::Text<field::FunctionDef_ArgAttrEntry::value>(&list));
  const auto read = [&](std::string_view attribute) -> const char* {
    ReadOpAttribute(attribute, out);
    return nullptr;
  };
  wire::ReadMessage(list, wire::Each<field::FunctionDef_ArgAttrs::attr>(read));
  return {first, Count(out->attributes) - first};
}

void AddArguments(const FunctionParts& parts, BodyReader* body) {
  const std::vector<std::string_view> names = NamesOf(parts.arguments);
  std::vector<Range> attributes(names.size());
  for (const std::string_view entry : parts.argument_attributes) {
    uint32_t of = 0;
    const Range read = ReadArgument(entry, &of, &body->out);
    if (of < names.size()) attributes[of] = read;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    body->names.emplace(names[i], Count(body->out.ops));
    GraphOp& argument = body->out.ops.emplace_back();
    argument.name = names[i];
    argument.attributes = attributes[i];
    body->input_counts.push_back(0);
  }
}

void LinkBody(uint32_t first, const BodyReader& body) {
  GraphOps& out = body.out;
  size_t next = 0;
  for (size_t i = 0; i < body.input_counts.size(); ++i) {
    GraphOp& op = out.ops[first + i];
    op.inputs.first = Count(out.inputs);
    for (const size_t end = next + body.input_counts[i]; next < end; ++next) {
      if (body.inputs[next].starts_with('^')) continue;
      out.inputs.push_back(FindOutput(body.inputs[next], body));
    }
    op.inputs.count = Count(out.inputs) - op.inputs.first;
  }
}

void AddResults(const FunctionParts& parts, const BodyReader& body, GraphFunction* function) {
  std::unordered_map<std::string_view, std::string_view> returned;
  for (const std::string_view message : parts.returned) {
    std::string_view key, value;
    wire::ReadMessage(message, wire::Text<field::FunctionDef_TextEntry::key>(&key),
                      wire::Text<field::FunctionDef_TextEntry::value>(&value));
    returned[key] = value;
  }
  function->results.first = Count(body.out.inputs);
  for (const std::string_view name : NamesOf(parts.results)) {
    body.out.inputs.push_back(FindOutput(returned[name], body));
  }
  function->results.count = Count(body.out.inputs) - function->results.first;
}

void ReadFunction(std::string_view message, GraphOps* out) {
  const FunctionParts parts = PartsOf(message);
  BodyReader body{*out};
  GraphFunction function;
  function.name = parts.name;
  function.ops.first = Count(out->ops);
  AddArguments(parts, &body);
  function.arguments = Count(body.input_counts);
  for (const std::string_view node : parts.nodes) {
    const size_t before = body.inputs.size();
    GraphOp op;
    if (!ReadNode(node, &body.inputs, &op, out)) {
      body.inputs.resize(before);
      continue;
    }
    body.names.emplace(op.name, Count(out->ops));
    out->ops.push_back(op);
    body.input_counts.push_back(static_cast<uint32_t>(body.inputs.size() - before));
  }
  function.ops.count = Count(out->ops) - function.ops.first;
  LinkBody(function.ops.first, body);
  AddResults(parts, body, &function);
  out->functions.push_back(function);
}

}  // namespace

int32_t SlotOfOutput(std::string_view type, std::string_view name, int32_t index) {
  for (const NamedOutput& output : kNamedOutputs) {
    if (output.name == name && type.starts_with(output.type)) return output.slot;
  }
  return index < 0 ? 0 : index;
}

Result<void> ReadGraphOps(std::string_view graph, const Store& store, GraphOps* out,
                          Context& context) {
  std::vector<bool> seen(store.nodes.size());
  wire::Fields fields(graph);
  while (fields.Next()) {
    if (out->ops.size() % kOpsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (fields.tag() == Tag(field::GraphDef::node, wire::kBytes)) {
      GraphOp op;
      if (!ReadNode(fields.Bytes(), nullptr, &op, out)) break;
      op.node = store.NodeNamed(store.names.Find(op.name));
      if (!op.node.some() || seen[op.node.value]) continue;  // of equal names the first one counts
      seen[op.node.value] = true;
      out->ops.push_back(op);
    } else if (fields.tag() == Tag(field::GraphDef::library, wire::kBytes)) {
      const auto read = [&](std::string_view function) -> const char* {
        ReadFunction(function, out);
        return nullptr;
      };
      wire::ReadMessage(fields.Bytes(), wire::Each<field::FunctionDefLibrary::function>(read));
    } else {
      fields.Skip();
    }
  }
  return {};
}

}  // namespace tfprof
