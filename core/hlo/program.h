// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/ids.h"
#include "core/base/result.h"

// A compiled program, an HLO module in XLA: computations made of instructions. Plain data in flat
// tables. Every Range refers to the table that its comment names; texts are in Program::texts. The
// facts are those of xla/service/hlo.proto and xla/xla_data.proto (openxla/xla).

namespace tfprof {

struct Store;

// Numbers of PrimitiveType; files may have any number.
enum class ElementType : uint8_t {
  invalid = 0,
  pred = 1,
  f16 = 10,
  f32 = 11,
  f64 = 12,
  tuple = 13,
  opaque = 14,
  bf16 = 16,
  token = 17,
};

// "bf16", "f32", "pred", ...; "?" for an unknown number.
std::string_view ElementName(ElementType type);
// The type of that name; invalid: it is not known.
ElementType ElementNamed(std::string_view name);
// Bits per element; 0 for types without a fixed size (tuples, tokens). Types below a byte (s4, u2)
// have less than 8; pred has 8.
int64_t ElementBits(ElementType type);

// The type of an instruction's result: an array, or a tuple of such types.
struct TensorType {
  ElementType element = ElementType::invalid;
  bool has_layout = false;  // without a layout it takes no memory
  int64_t memory_space = 0;
  Range dims;            // of numbers; bounds of dynamic dimensions
  Range is_dynamic;      // of numbers, by dimension; empty: none is
  Range minor_to_major;  // of numbers
  Range tiles;           // of tiles
  Range parts;           // of types: the elements of a tuple
};

// One dimension of a window that slides over an array.
struct WindowDimension {
  int64_t size = 0;
  int64_t stride = 1;
  int64_t padding_low = 0;
  int64_t padding_high = 0;
  int64_t window_dilation = 1;
  int64_t base_dilation = 1;
  bool reversed = false;
};

// The dimensions that a dot sums over.
struct DotDimensions {
  Range lhs_contracting;  // of numbers, like the others here
  Range rhs_contracting;
  Range lhs_batch;
  Range rhs_batch;
};

// The roles of the dimensions of a convolution's input, kernel and output.
struct ConvolutionDimensions {
  int64_t input_batch = 0;
  int64_t input_feature = 0;
  int64_t kernel_input_feature = 0;
  int64_t kernel_output_feature = 0;
  int64_t output_batch = 0;
  int64_t output_feature = 0;
  Range input_spatial;  // of numbers, like the others here
  Range kernel_spatial;
  Range output_spatial;
};

// A line of the framework's program and the function that it is in.
struct SourceFrame {
  Range file;
  Range function;  // empty: not recorded
  int32_t line = 0;
  uint32_t caller = 0xFFFFFFFFu;  // of frames; none: the outermost
};

struct Instruction {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  Range name;
  Range opcode;   // as XLA spells it: "dot", "fusion", "get-tuple-element"
  Range op_name;  // of the framework operation; empty: not recorded
  Range op_type;
  Range source_file;  // of the instruction; empty: not recorded
  int32_t source_line = 0;
  uint32_t frame = kNone;    // of frames: the innermost call that made it
  uint32_t type = 0;         // of types
  uint32_t computation = 0;  // that contains it
  Range operands;            // of references: instructions; kNone: not in the file
  Range called;              // of references: computations, likewise
  Range dimensions;      // of numbers, for reductions, transpositions, broadcasts, concatenations
  Range window;          // of windows
  Range slices;          // of numbers: start, limit, stride by dimension
  uint32_t dot = kNone;  // of dots
  uint32_t convolution = kNone;  // of convolutions
  Range fusion_kind;             // kLoop, kInput, kOutput, kCustom
  Range target;                  // of a custom call
  Range backend_config;          // of a custom call: JSON
  Range direction;               // of a comparison: LT, EQ, ...
  Range literal;                 // of a short constant, if the source is text; empty: not read
  Range attributes;              // ", NAME=VALUE, ..." as XLA printed those without a place here
  int64_t index = 0;             // of a parameter, or of the element that get-tuple-element reads
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
};

struct Computation {
  Range name;
  Range instructions;                  // of instructions, in file order: operands precede users
  uint32_t root = Instruction::kNone;  // the result
};

// ---- memory, if the compiler's assignment of buffers is recorded

// A value, or a part of a tuple, that has a place in memory.
struct Buffer {
  static constexpr uint32_t kNone = Instruction::kNone;

  int64_t bytes = 0;
  int64_t offset = 0;            // in the allocation
  uint32_t allocation = kNone;   // of allocations; none: not assigned
  uint32_t instruction = kNone;  // that makes it; none: not in the file
  uint32_t type = kNone;         // of types; none: not in the file
};

enum class MemoryUse : uint8_t { argument, output, constant, temporary, thread_local_use };

// A block of memory that the program holds while it runs. Buffers whose lives do not overlap share
// it.
struct BufferAllocation {
  int64_t bytes = 0;
  int64_t memory_space = 0;
  int64_t parameter = 0;  // of an argument
  MemoryUse use = MemoryUse::temporary;
};

// In the order of the program's schedule.
struct HeapEvent {
  enum Kind : uint8_t { allocated, freed, shares };
  Kind kind = allocated;
  uint32_t buffer = Buffer::kNone;       // of buffers
  uint32_t shared = Buffer::kNone;       // of buffers: the one whose memory it shares
  uint32_t instruction = Buffer::kNone;  // that makes the buffer
};

// The events of one allocation.
struct HeapTrace {
  uint32_t allocation = Buffer::kNone;
  Range events;  // of heap_events
};

struct Program {
  std::string texts;
  std::vector<int64_t> numbers;
  std::vector<Range> tiles;  // of numbers
  std::vector<WindowDimension> windows;
  std::vector<DotDimensions> dots;
  std::vector<ConvolutionDimensions> convolutions;
  std::vector<TensorType> types;
  std::vector<uint32_t> references;
  std::vector<Instruction> instructions;
  std::vector<Computation> computations;
  std::vector<SourceFrame> frames;
  std::vector<Buffer> buffers;
  std::vector<BufferAllocation> allocations;
  std::vector<HeapEvent> heap_events;
  std::vector<HeapTrace> heap_traces;
  Range name;
  Range attributes;                     // of the module, as XLA printed them
  int64_t id = kNoInt;                  // as recorded
  uint32_t entry = Instruction::kNone;  // of computations: the entry point
  int64_t dangling = 0;                 // references to missing instructions or computations

  std::string_view Text(Range text) const {
    return std::string_view(texts).substr(text.first, text.count);
  }
  std::span<const int64_t> Numbers(Range range) const {
    return std::span(numbers).subspan(range.first, range.count);
  }
  std::span<const uint32_t> References(Range range) const {
    return std::span(references).subspan(range.first, range.count);
  }
  std::span<const TensorType> Parts(const TensorType& type) const {
    return std::span(types).subspan(type.parts.first, type.parts.count);
  }
  const TensorType& TypeOf(const Instruction& instruction) const { return types[instruction.type]; }
};

// The program of a module, read from its source. Empty if the source has no text of it. Errors:
// corrupt, placed.
Result<Program> ReadProgram(const Store& store, ModuleId module);

// The number of elements of an array, or of all parts of a tuple. Saturates.
int64_t ElementsOf(const Program& program, const TensorType& type);
// The size in memory; for a tuple, the size of its parts without the table of pointers. 0 without a
// layout.
int64_t BytesOf(const Program& program, const TensorType& type);

// Returns the calls that made an instruction, outermost first. Without calls of its own, those of
// the result of the computation that it runs. Empty: not recorded.
std::vector<const SourceFrame*> CallStackOf(const Program& program, const Instruction& instruction);

// Appends "bf16[8192,1024]{1,0:T(8,128)}"; tuples in parentheses.
void AppendType(const Program& program, const TensorType& type, std::string* out);
// The text that XLA prints: "%add.1 = f32[4]{0} add(f32[4]{0} %x, f32[4]{0} %y), dimensions={0}".
std::string InstructionText(const Program& program, const Instruction& instruction);
// Returns true if each element of the result depends on one element of each operand.
bool IsElementwise(std::string_view opcode);
// The category of work, in XLA's words: "loop fusion", "convolution", "data formatting".
std::string CategoryOf(const Program& program, const Instruction& instruction);

}  // namespace tfprof
