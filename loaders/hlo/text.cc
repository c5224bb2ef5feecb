// SPDX-License-Identifier: Apache-2.0
// XLA's text of a program:
//
//   HloModule NAME, ATTRIBUTE=VALUE, ...
//   %fused (p: f32[4]) -> f32[4] {
//     ROOT %add.1 = f32[4]{0} add(%p, %p), metadata={op_name="f/add"}
//   }
//   ENTRY %main ...
#include "loaders/hlo/hlo.h"
#include "loaders/hlo/reading_text.h"

namespace tfprof::hlo {
namespace {

// Adds the operands between the brackets of an instruction. Their types may stand before them.
void AddOperands(std::string_view operands, ReadingText* reading, Instruction* instruction) {
  std::vector<int64_t>& references = reading->reading.references;
  instruction->operands = {Size(references), 0};
  while (!operands.empty()) {
    std::string_view operand = NextPart(&operands);
    const size_t blank = operand.rfind(' ');  // after its type
    if (blank != operand.npos) operand.remove_prefix(blank + 1);
    TextCursor text(operand);
    const std::string_view name = text.Name();
    if (name.empty()) continue;
    references.push_back(reading->IdOf(name));
    ++instruction->operands.count;
  }
}

bool ReadArguments(ReadingText* reading, Instruction* instruction) {
  TextCursor& text = reading->text;
  if (text.Peek() != '(') return reading->Fails("the operands of an instruction are missing");
  std::string_view arguments = text.Balanced();
  if (arguments.data() == nullptr) return reading->Fails("the operands do not end");
  arguments = arguments.substr(1, arguments.size() - 2);
  const std::string_view opcode = reading->program()->Text(instruction->opcode);
  if (opcode == "parameter") {
    TextCursor number(arguments);
    number.SkipSpace();
    instruction->index = number.Number().value_or(0);
  } else if (opcode == "constant") {
    constexpr size_t kShort = 64;
    if (arguments.size() <= kShort) instruction->literal = Keep(arguments, reading->program());
  } else {
    AddOperands(arguments, reading, instruction);
  }
  return true;
}

// Skips the parameters and the result of a computation, which its instructions have too, up to the
// bracket that opens it.
bool SkipSignature(TextCursor& text) {
  while (!text.AtEnd() && text.Peek() != '{') {
    const char next = text.Peek();
    if (next != '(' && next != '[') {
      text.SkipOne();
      continue;
    }
    if (text.Balanced().data() == nullptr) return false;
    const bool has_layout = next == '[' && text.Peek() == '{';
    if (has_layout && text.Balanced().data() == nullptr) return false;
  }
  return text.Take("{");
}

bool ReadBody(ReadingText* reading) {
  TextCursor& text = reading->text;
  int64_t* root = &reading->reading.pending.root_ids.back();
  for (text.SkipSpace(); !text.Take("}"); text.SkipSpace()) {
    if (text.AtEnd()) return reading->Fails("a computation does not end");
    bool is_root = false;
    const size_t number = reading->reading.pending.instruction_ids.size();
    if (!ReadInstruction(reading, &is_root)) return false;
    // Without a mark, the last instruction makes the result.
    if (is_root || *root <= 0) {
      const int64_t id = reading->reading.pending.instruction_ids[number];
      *root = is_root ? id : -id;
    }
  }
  *root = *root < 0 ? -*root : *root;
  return true;
}

bool ReadComputationText(ReadingText* reading) {
  TextCursor& text = reading->text;
  Program* program = reading->program();
  Pending& pending = reading->reading.pending;
  const bool is_entry = text.TakeWord("ENTRY");
  const std::string_view name = text.Name();
  if (name.empty()) return reading->Fails("a computation needs a name");
  const int64_t id = reading->IdOf(name);
  // Without a mark, the last computation is the entry point.
  if (is_entry || pending.entry_id <= 0) pending.entry_id = is_entry ? id : -id;
  pending.computation_ids.push_back(id);
  pending.root_ids.push_back(0);
  Computation& computation = program->computations.emplace_back();
  computation.name = Keep(name, program);
  const uint32_t first = Size(program->instructions);
  if (!SkipSignature(text)) return reading->Fails("the text is not a computation");
  const bool ok = ReadBody(reading);
  program->computations.back().instructions = {first, Size(program->instructions) - first};
  if (ok) text.SkipLine();  // ", execution_thread=..."
  return ok;
}

bool ReadHeader(ReadingText* reading) {
  TextCursor& text = reading->text;
  text.SkipSpace();
  if (!text.TakeWord(kTextBegins)) return reading->Fails("the text is not an HLO module");
  Program* program = reading->program();
  program->name = Keep(text.Name(), program);
  if (program->name.count == 0) return reading->Fails("a module needs a name");
  const char* begin = text.place();
  text.SkipLine();
  program->attributes = Keep({begin, static_cast<size_t>(text.place() - begin)}, program);
  return true;
}

bool ReadAll(ReadingText* reading) {
  if (!ReadHeader(reading)) return false;
  TextCursor& text = reading->text;
  for (text.SkipSpace(); !text.AtEnd(); text.SkipSpace()) {
    bool is_table = false;
    if (!ReadFrameTable(reading, &is_table)) return false;
    if (!is_table && !ReadComputationText(reading)) return false;
  }
  return true;
}

}  // namespace

bool ReadInstruction(ReadingText* reading, bool* is_root) {
  TextCursor& text = reading->text;
  Program* program = reading->program();
  Pending& pending = reading->reading.pending;
  *is_root = text.TakeWord("ROOT");
  Instruction instruction;
  instruction.computation = Size(program->computations) - 1;
  const std::string_view name = text.Name();
  if (name.empty()) return reading->Fails("an instruction needs a name");
  instruction.name = Keep(name, program);
  text.SkipBlanks();
  if (!text.Take("=")) return reading->Fails("'=' must follow the name of an instruction");
  text.SkipSpace();
  if (!ReadType(text, program, &instruction.type)) return reading->Fails("a type is malformed");
  text.SkipSpace();
  instruction.opcode = Keep(text.Name(), program);
  if (instruction.opcode.count == 0) return reading->Fails("an instruction needs an opcode");
  const bool fits = program->instructions.size() < reading->reading.max_instructions;
  if (!fits) return reading->Fails("the text has too many instructions for its size");
  pending.instruction_ids.push_back(reading->IdOf(name));
  pending.frames.push_back(0);
  const bool ok = ReadArguments(reading, &instruction) && ReadAttributes(reading, &instruction);
  program->instructions.push_back(instruction);
  return ok;
}

TextError ReadModuleText(std::string_view text, Program* program) {
  if (text.size() > UINT32_MAX) return {text.data(), "a text of more than 4 GiB"};
  ReadingText reading{{program}, TextCursor(text)};
  reading.reading.max_instructions = text.size() / 16 + 16;
  const bool ok = ReadAll(&reading);
  Pending& pending = reading.reading.pending;
  if (pending.entry_id < 0) pending.entry_id = -pending.entry_id;
  for (int64_t& root : pending.root_ids) root = root < 0 ? -root : root;
  Resolve(&reading.reading);
  if (ok) return {};
  return {reading.text.place(), reading.problem};
}

}  // namespace tfprof::hlo
