// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/hlo.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "loaders/formats.h"
#include "proto/hlo.pb.h"
#include "proto/xplane.pb.h"
#include "tests/support/facts/program_facts.h"
#include "tests/support/random_message.h"
#include "tests/support/source_of.h"

namespace tfprof::hlo_test {
namespace {

void CompareWithLibprotobuf(const std::string& bytes) {
  pb::HloProto proto;
  REQUIRE(proto.ParseFromString(bytes));
  Program program;
  REQUIRE(hlo::ReadModule(SourceOf(bytes).bytes, &program) == nullptr);
  REQUIRE(ProgramFacts(program) == ProgramFacts(proto.hlo_module()));
}

// Every program of an XSpace, with the name of its module.
std::map<std::string, std::string> ModulesOf(const std::string& xspace) {
  std::map<std::string, std::string> modules;
  pb::XSpace space;
  REQUIRE(space.ParseFromString(xspace));
  for (const pb::XPlane& plane : space.planes()) {
    for (const auto& [id, metadata] : plane.event_metadata()) {
      for (const pb::XStat& stat : metadata.stats()) {
        const auto key = plane.stat_metadata().find(stat.metadata_id());
        if (key == plane.stat_metadata().end() || key->second.name() != "Hlo Proto") continue;
        modules[metadata.name()] = stat.bytes_value();
      }
    }
  }
  return modules;
}

StorePtr StoreOfFile(const std::filesystem::path& path) {
  StoreBuilder builder;
  Context context;
  REQUIRE(kXSpaceLoader.load(SourceOf(ReadFile(path)), {}, builder, context));
  return builder.Finish().value();
}

}  // namespace

TEST_CASE("random programs are read like libprotobuf reads them") {
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    pb::HloProto proto;
    FillRandomly(&proto, &random);
    CompareWithLibprotobuf(proto.SerializeAsString());
  }
}

TEST_CASE("recorded programs are read like libprotobuf reads them, also through the store") {
  namespace fs = std::filesystem;
  size_t programs = 0;
  for (const fs::path root : {"testdata/xspace", "../shared/data/xspace"}) {
    if (!fs::is_directory(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.path().string().ends_with(".xplane.pb")) continue;
      INFO(entry.path());
      const auto modules = ModulesOf(ReadFile(entry.path()));
      const StorePtr store = StoreOfFile(entry.path());
      for (const auto& [name, bytes] : modules) {
        INFO(name);
        CompareWithLibprotobuf(bytes);
        ++programs;
      }
      for (size_t i = 0; i < store->modules.size(); ++i) {
        const Result<Program> program = ReadProgram(*store, ModuleId(i));
        REQUIRE(program.has_value());
        REQUIRE(program->dangling == 0);
        pb::HloProto proto;
        REQUIRE(
            proto.ParseFromString(modules.at(std::string(store->Text(store->modules[i].name)))));
        REQUIRE(ProgramFacts(*program) == ProgramFacts(proto.hlo_module()));
      }
    }
  }
  REQUIRE(programs >= 4);
}

// The instructions that XLA printed, without the indent and the mark of results.
std::set<std::string> PrintedInstructions(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("  ")) continue;
    line.erase(0, line.starts_with("  ROOT ") ? 7 : 2);
    lines.insert(line);
  }
  return lines;
}

TEST_CASE("the path of a source file is stored once for all instructions") {
  pb::HloProto proto;
  pb::StackFrameIndex* frames = proto.mutable_hlo_module()->mutable_stack_frame_index();
  const std::string path(50'000, 'p');
  frames->add_file_names(path);
  frames->add_file_locations()->set_file_name_id(1);
  frames->add_stack_frames()->set_file_location_id(1);
  pb::HloComputation* computation = proto.mutable_hlo_module()->add_computations();
  for (int i = 0; i < 1000; ++i) {
    computation->add_instructions()->mutable_metadata()->set_stack_frame_id(1);
  }
  const std::string bytes = proto.SerializeAsString();
  Program program;
  REQUIRE(hlo::ReadModule(SourceOf(bytes).bytes, &program) == nullptr);
  REQUIRE(program.instructions.size() == 1000);
  REQUIRE(program.Text(program.instructions[999].source_file) == path);
  REQUIRE(program.texts.size() < 2 * path.size());
}

TEST_CASE("an instruction has the calls that made it, else those of what it runs") {
  pb::HloProto proto;
  pb::HloModule* module = proto.mutable_hlo_module();
  pb::StackFrameIndex* frames = module->mutable_stack_frame_index();
  frames->add_file_names("/home/me/train.py");
  for (const char* name : {"<module>", "step"}) frames->add_function_names(name);
  for (const int number : {1, 2}) {
    auto* location = frames->add_file_locations();
    location->set_file_name_id(1);
    location->set_function_name_id(number);
    location->set_line(10 * number);
    auto* frame = frames->add_stack_frames();
    frame->set_file_location_id(number);
    frame->set_parent_frame_id(number - 1);
  }
  auto* cycle = frames->add_stack_frames();  // a damaged file: the frame is its own parent
  cycle->set_file_location_id(1);
  cycle->set_parent_frame_id(3);
  pb::HloComputation* fused = module->add_computations();
  fused->set_id(1);
  fused->set_root_id(5);
  pb::HloInstruction* root = fused->add_instructions();
  root->set_id(5);
  root->mutable_metadata()->set_stack_frame_id(2);
  pb::HloComputation* entry = module->add_computations();
  entry->set_id(2);
  entry->add_instructions()->add_called_computation_ids(1);
  entry->add_instructions()->mutable_metadata()->set_stack_frame_id(3);
  entry->add_instructions();
  const std::string bytes = proto.SerializeAsString();
  Program program;
  REQUIRE(hlo::ReadModule(SourceOf(bytes).bytes, &program) == nullptr);
  REQUIRE(program.instructions.size() == 4);
  for (const size_t at : {0, 1}) {
    const auto stack = CallStackOf(program, program.instructions[at]);
    REQUIRE(stack.size() == 2);
    CHECK(program.Text(stack[0]->function) == "<module>");
    CHECK(stack[0]->line == 10);
    CHECK(program.Text(stack[1]->function) == "step");
    CHECK(stack[1]->line == 20);
    CHECK(program.Text(stack[1]->file) == "/home/me/train.py");
  }
  CHECK(CallStackOf(program, program.instructions[2]).size() <= 5);
  CHECK(CallStackOf(program, program.instructions[3]).empty());
}

TEST_CASE("instructions are printed as XLA prints them") {
  const auto expected = PrintedInstructions(ReadFile("testdata/xspace/programs/train_step.txt"));
  Program program;
  const SourceFile file = SourceOf(ReadFile("testdata/xspace/programs/train_step.hlo.pb"));
  REQUIRE(hlo::ReadModule(file.bytes, &program) == nullptr);
  REQUIRE(program.instructions.size() == expected.size());
  for (const Instruction& of : program.instructions) {
    const std::string text = InstructionText(program, of);
    INFO(text);
    if (program.Text(of.opcode) == "constant") continue;  // its value is not read
    REQUIRE(expected.count(text) == 1);
  }
}

TEST_CASE("a truncated program reports the place, and no prefix of it crashes the reader") {
  const auto modules = ModulesOf(ReadFile("testdata/xspace/jax_loop.xplane.pb"));
  const std::string bytes = modules.at("jit_step(6)");
  for (size_t cut = 0; cut < bytes.size(); cut += 7) {
    const SourceFile file = SourceOf(std::string_view(bytes).substr(0, cut));
    Program program;
    const char* bad = hlo::ReadModule(file.bytes, &program);
    if (bad != nullptr) REQUIRE(static_cast<size_t>(bad - file.bytes.data()) <= cut);
    for (const Instruction& of : program.instructions)
      REQUIRE(!InstructionText(program, of).empty());
  }
}

TEST_CASE("a damaged program is an error with its place in the file; others are read") {
  pb::XSpace space;
  REQUIRE(space.ParseFromString(ReadFile("testdata/xspace/jax_loop.xplane.pb")));
  for (pb::XPlane& plane : *space.mutable_planes()) {
    for (auto& [id, metadata] : *plane.mutable_event_metadata()) {
      for (pb::XStat& stat : *metadata.mutable_stats()) {
        if (metadata.name() != "jit_step(6)" || stat.bytes_value().empty()) continue;
        stat.mutable_bytes_value()->resize(stat.bytes_value().size() - 5);
      }
    }
  }
  StoreBuilder builder;
  Context context;
  REQUIRE(kXSpaceLoader.load(SourceOf(space.SerializeAsString()), {}, builder, context));
  const StorePtr store = builder.Finish().value();
  int damaged = 0;
  for (size_t i = 0; i < store->modules.size(); ++i) {
    const Result<Program> program = ReadProgram(*store, ModuleId(i));
    if (program) continue;
    ++damaged;
    REQUIRE(program.error().kind == ErrorKind::corrupt);
    REQUIRE(program.error().what.find("jit_step(6)") != std::string::npos);
    REQUIRE(program.error().where.find("file: byte ") == 0);
  }
  REQUIRE(damaged == 1);
}

TEST_CASE("deeply nested tuples are read and printed") {
  constexpr int kDeep = 20'000;
  const auto field = [](char tag, const std::string& bytes) {
    std::string size;
    for (size_t n = bytes.size();; n >>= 7) {
      size.push_back(static_cast<char>((n & 0x7F) | (n > 0x7F ? 0x80 : 0)));
      if (n <= 0x7F) break;
    }
    return tag + size + bytes;
  };
  std::string shape = "\x10\x0B";  // f32
  for (int i = 0; i < kDeep; ++i) shape = "\x10\x0D" + field('\x22', shape);
  const std::string module =
      field('\x0A', field('\x1A', field('\x12', "\x0A\x01x" + field('\x1A', shape))));
  Program program;
  REQUIRE(hlo::ReadModule(SourceOf(module).bytes, &program) == nullptr);
  const std::string text = InstructionText(program, program.instructions.at(0));
  REQUIRE(text.find(std::string(kDeep, '(') + "f32[]" + std::string(kDeep, ')')) != text.npos);
  REQUIRE(ElementsOf(program, program.types[program.instructions[0].type]) == 1);
}

TEST_CASE("a trace of memory is of the block that has its buffers, whatever it records") {
  pb::HloProto proto;
  proto.mutable_hlo_module()->add_computations()->add_instructions()->set_id(1);
  auto* assignment = proto.mutable_buffer_assignment();
  for (const int64_t block : {0, 1}) {
    auto* buffer = assignment->add_logical_buffers();
    buffer->set_id(10 + block);
    buffer->mutable_defined_at()->set_instruction_id(1);
    auto* allocation = assignment->add_buffer_allocations();
    allocation->set_index(block);
    allocation->add_assigned()->set_logical_buffer_id(10 + block);
  }
  auto* trace = assignment->add_heap_simulator_traces();
  trace->set_buffer_allocation_index(0);
  trace->add_events()->set_buffer_id(99);  // of no block
  const auto allocation_of_trace = [&] {
    const std::string bytes = proto.SerializeAsString();
    Program program;
    REQUIRE(hlo::ReadModule(SourceOf(bytes).bytes, &program) == nullptr);
    REQUIRE(program.heap_traces.size() == 1);
    return program.heap_traces[0].allocation;
  };
  CHECK(allocation_of_trace() == 0);
  trace->add_events()->set_buffer_id(11);
  CHECK(allocation_of_trace() == 1);
}

TEST_CASE("a custom call is printed as XLA prints it") {
  pb::HloProto proto;
  pb::HloModule* module = proto.mutable_hlo_module();
  pb::HloComputation* called = module->add_computations();
  called->set_id(1);
  called->set_name("region");
  called->add_instructions();
  pb::HloComputation* entry = module->add_computations();
  entry->set_id(2);
  const auto set_shape = [](pb::XlaShape* shape) {
    shape->set_element_type(11);
    shape->add_dimensions(2);
    shape->add_dimensions(3);
    shape->mutable_layout()->add_minor_to_major(1);
    shape->mutable_layout()->add_minor_to_major(0);
  };
  pb::HloInstruction* operand = entry->add_instructions();
  operand->set_id(1);
  operand->set_name("p");
  operand->set_opcode("parameter");
  set_shape(operand->mutable_shape());
  pb::HloInstruction* call = entry->add_instructions();
  call->set_id(2);
  call->set_name("call");
  call->set_opcode("custom-call");
  set_shape(call->mutable_shape());
  call->add_operand_ids(1);
  call->set_custom_call_target("__cublas$gemm");
  const auto text_of = [&] {
    const std::string bytes = proto.SerializeAsString();
    Program program;
    REQUIRE(hlo::ReadModule(SourceOf(bytes).bytes, &program) == nullptr);
    return InstructionText(program, program.instructions.at(2));
  };
  const std::string plain =
      "%call = f32[2,3]{1,0} custom-call(f32[2,3]{1,0} %p), custom_call_target=\"__cublas$gemm\"";
  CHECK(text_of() == plain);
  call->set_custom_call_api_version(1);  // the original one, which XLA does not print
  CHECK(text_of() == plain);

  call->set_constrain_layout(true);
  set_shape(call->add_operand_shapes_with_layout());
  call->set_custom_call_has_side_effect(true);
  call->add_output_operand_aliasing()->set_operand_index(0);
  pb::OutputOperandAliasing* second = call->add_output_operand_aliasing();
  second->add_output_shape_index(1);
  second->add_output_shape_index(0);
  second->set_operand_index(2);
  second->add_operand_shape_index(4);
  call->set_custom_call_schedule(1);
  call->set_custom_call_api_version(4);
  call->add_called_computation_ids(1);
  CHECK(text_of() == plain +
                         ", operand_layout_constraints={f32[2,3]{1,0}}, "
                         "custom_call_has_side_effect=true, "
                         "output_to_operand_aliasing={{}: (0, {}), {1,0}: (2, {4})}, "
                         "schedule=SCHEDULE_LATEST, api_version=API_VERSION_TYPED_FFI, "
                         "called_computations={%region}");
}

}  // namespace tfprof::hlo_test
