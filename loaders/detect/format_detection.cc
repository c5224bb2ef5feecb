// SPDX-License-Identifier: Apache-2.0
// Shapes of the classic formats, as detailed as detection needs. The full schemas are in proto/.
#include "loaders/detect/format_detection.h"

#include "loaders/detect/shape.h"
#include "proto/graph_fields.h"
#include "proto/hlo_fields.h"
#include "proto/meta_graph_fields.h"
#include "proto/run_metadata_fields.h"
#include "proto/step_stats_fields.h"
#include "proto/tfprof_log_fields.h"
#include "proto/xplane_fields.h"

namespace tfprof {
namespace {

using F = FieldShape;

// One row per field: {field, kind, shape, telling, expected}. Fields that the schemas leave out are
// given by number.
constexpr MessageShape kTuple{{{field::Tuple::int64_values, F::numbers}}};

// ---- GraphDef, also inside RunMetadata

// `op` is not a telling field: an XPlane has its name there.
constexpr MessageShape kNodeDef{{{field::NodeDef::name, F::text, nullptr, true, true},
                                 {field::NodeDef::op, F::text, nullptr, false, true},
                                 {field::NodeDef::input, F::text},
                                 {field::NodeDef::device, F::text},
                                 {field::NodeDef::attr, F::bytes},
                                 {field::NodeDef::experimental_debug_info, F::bytes},
                                 {FieldNumber(7), F::bytes}}};
constexpr MessageShape kGraph{{{field::GraphDef::node, F::message, &kNodeDef},
                               {field::GraphDef::library, F::bytes},
                               {field::GraphDef::version, F::number},
                               {field::GraphDef::versions, F::bytes},
                               {FieldNumber(5), F::bytes}}};
constexpr MessageShape kFunctionGraphs{
    {{field::RunMetadata_FunctionGraphs::partition_graphs, F::message, &kGraph},
     {field::RunMetadata_FunctionGraphs::pre_optimization_graph, F::message, &kGraph},
     {field::RunMetadata_FunctionGraphs::post_optimization_graph, F::message, &kGraph}}};

// ---- MetaGraphDef and SavedModel

// TensorFlow version. A node has its attributes in that field, and they are not readable text.
constexpr MessageShape kMetaInfo{{{FieldNumber(1), F::text},
                                  {FieldNumber(2), F::bytes},
                                  {FieldNumber(3), F::bytes},
                                  {field::MetaGraphDef_MetaInfoDef::tags, F::text},
                                  {FieldNumber(5), F::text, nullptr, true},
                                  {FieldNumber(6), F::text},
                                  {FieldNumber(7), F::number},
                                  {FieldNumber(8), F::bytes}}};
constexpr MessageShape kMetaGraph{
    {{field::MetaGraphDef::meta_info_def, F::message, &kMetaInfo},
     {field::MetaGraphDef::graph_def, F::message, &kGraph, false, true},
     {FieldNumber(3), F::bytes},
     {FieldNumber(4), F::bytes},
     {FieldNumber(5), F::bytes},
     {FieldNumber(6), F::bytes},
     {FieldNumber(7), F::bytes}}};
constexpr MessageShape kSavedModel{
    {{field::SavedModel::saved_model_schema_version, F::number, nullptr, false, true},
     {field::SavedModel::meta_graphs, F::message, &kMetaGraph, false, true}}};

// ---- RunMetadata

constexpr MessageShape kAllocator{{{field::AllocatorMemoryUsed::allocator_name, F::text},
                                   {field::AllocatorMemoryUsed::total_bytes, F::number},
                                   {field::AllocatorMemoryUsed::peak_bytes, F::number},
                                   {field::AllocatorMemoryUsed::live_bytes, F::number},
                                   {field::AllocatorMemoryUsed::allocator_bytes_in_use, F::number},
                                   {field::AllocatorMemoryUsed::allocation_records, F::bytes}}};
constexpr MessageShape kOutput{
    {{field::NodeOutput::slot, F::number}, {field::NodeOutput::tensor_description, F::bytes}}};
constexpr MessageShape kRecord{{{field::NodeExecStats::node_name, F::text, nullptr, true, true},
                                {field::NodeExecStats::all_start_micros, F::number, nullptr, true},
                                {field::NodeExecStats::op_start_rel_micros, F::number},
                                {field::NodeExecStats::op_end_rel_micros, F::number},
                                {field::NodeExecStats::all_end_rel_micros, F::number},
                                {field::NodeExecStats::memory, F::message, &kAllocator},
                                {field::NodeExecStats::output, F::message, &kOutput},
                                {field::NodeExecStats::timeline_label, F::text},
                                {field::NodeExecStats::scheduled_micros, F::number},
                                {field::NodeExecStats::thread_id, F::number},
                                {field::NodeExecStats::referenced_tensor, F::bytes},
                                {field::NodeExecStats::memory_stats, F::bytes},
                                {field::NodeExecStats::all_start_nanos, F::number},
                                {field::NodeExecStats::op_start_rel_nanos, F::number},
                                {field::NodeExecStats::op_end_rel_nanos, F::number},
                                {field::NodeExecStats::all_end_rel_nanos, F::number},
                                {field::NodeExecStats::scheduled_nanos, F::number}}};
constexpr MessageShape kThreadName{
    {{MapEntryField::key, F::number}, {MapEntryField::value, F::text}}};
constexpr MessageShape kDevice{{{field::DeviceStepStats::device, F::text, nullptr, true, true},
                                {field::DeviceStepStats::node_stats, F::message, &kRecord},
                                {field::DeviceStepStats::thread_names, F::message, &kThreadName}}};
constexpr MessageShape kStepStats{{{field::StepStats::dev_stats, F::message, &kDevice}}};
constexpr MessageShape kRunMetadata{
    {{field::RunMetadata::step_stats, F::message, &kStepStats},
     {FieldNumber(2), F::bytes},
     {field::RunMetadata::partition_graphs, F::message, &kGraph},
     {field::RunMetadata::function_graphs, F::message, &kFunctionGraphs},
     {FieldNumber(5), F::bytes}}};

// ---- code, texts by id

constexpr MessageShape kTrace{{{field::CodeDef_Trace::file, F::text},
                               {field::CodeDef_Trace::lineno, F::number},
                               {field::CodeDef_Trace::function, F::text},
                               {field::CodeDef_Trace::line, F::bytes},
                               {field::CodeDef_Trace::func_start_line, F::number},
                               {field::CodeDef_Trace::file_id, F::number},
                               {field::CodeDef_Trace::function_id, F::number},
                               {field::CodeDef_Trace::line_id, F::number}}};
constexpr MessageShape kCode{{{field::CodeDef::traces, F::message, &kTrace}}};
// The text may be a line of source code, so any bytes are valid.
constexpr MessageShape kTextOfId{{{MapEntryField::key, F::number, nullptr},
                                  {MapEntryField::value, F::bytes, nullptr, false, true}}};

// ---- OpLogProto

constexpr MessageShape kLogEntry{{{field::OpLogEntry::name, F::text, nullptr, true, true},
                                  {field::OpLogEntry::float_ops, F::number},
                                  {field::OpLogEntry::types, F::text},
                                  {field::OpLogEntry::code_def, F::message, &kCode}}};
constexpr MessageShape kOpLog{{{field::OpLogProto::log_entries, F::message, &kLogEntry},
                               {field::OpLogProto::id_to_string, F::message, &kTextOfId}}};

// ---- ProfileProto

constexpr MessageShape kSlot{{{MapEntryField::key, F::number}, {MapEntryField::value, F::number}}};
constexpr MessageShape kSlotShape{
    {{MapEntryField::key, F::number}, {MapEntryField::value, F::message, &kTuple}}};
constexpr MessageShape kExec{{{field::ExecProfile::run_count, F::number},
                              {field::ExecProfile::all_start_micros, F::number},
                              {field::ExecProfile::latest_end_micros, F::number},
                              {field::ExecProfile::accelerator_execs, F::bytes},
                              {field::ExecProfile::cpu_execs, F::bytes},
                              {field::ExecProfile::devices, F::text},
                              {field::ExecProfile::memory_execs, F::bytes},
                              {field::ExecProfile::allocations, F::bytes}}};
constexpr MessageShape kStepExec{
    {{MapEntryField::key, F::number}, {MapEntryField::value, F::message, &kExec}}};
constexpr MessageShape kProfileNode{{{field::ProfileNode::name, F::text, nullptr, true},
                                     {field::ProfileNode::inputs, F::message, &kSlot},
                                     {field::ProfileNode::outputs, F::message, &kSlot},
                                     {field::ProfileNode::shape, F::numbers},
                                     {field::ProfileNode::op_types, F::text},
                                     {field::ProfileNode::canonical_device, F::text},
                                     {field::ProfileNode::host_device, F::text},
                                     {field::ProfileNode::float_ops, F::number},
                                     {field::ProfileNode::op, F::text, nullptr, true},
                                     {field::ProfileNode::trace, F::message, &kCode},
                                     {field::ProfileNode::attrs, F::bytes},
                                     {field::ProfileNode::execs, F::message, &kStepExec},
                                     {field::ProfileNode::id, F::number},
                                     {field::ProfileNode::src_output_index, F::message, &kSlot},
                                     {field::ProfileNode::output_shapes, F::message, &kSlotShape},
                                     {field::ProfileNode::input_shapes, F::message, &kSlotShape}}};
constexpr MessageShape kNodeEntry{{{MapEntryField::key, F::number},
                                   {MapEntryField::value, F::message, &kProfileNode, false, true}}};
constexpr MessageShape kProfile{{{field::ProfileProto::nodes, F::message, &kNodeEntry},
                                 {field::ProfileProto::has_trace, F::number},
                                 {field::ProfileProto::steps, F::numbers},
                                 {field::ProfileProto::id_to_string, F::message, &kTextOfId},
                                 {field::ProfileProto::miss_accelerator_stream, F::number}}};

// ---- XSpace

constexpr MessageShape kEvent{{{field::XEvent::metadata_id, F::number, nullptr, false, true},
                               {field::XEvent::offset_ps, F::number},
                               {field::XEvent::duration_ps, F::number},
                               {field::XEvent::stats, F::bytes},
                               {field::XEvent::num_occurrences, F::number}}};
constexpr MessageShape kLine{{{field::XLine::id, F::number},
                              {field::XLine::name, F::text},
                              {field::XLine::timestamp_ns, F::number},
                              {field::XLine::events, F::message, &kEvent},
                              {field::XLine::duration_ps, F::number},
                              {field::XLine::display_id, F::number},
                              {field::XLine::display_name, F::text}}};
constexpr MessageShape kEventName{{{field::XEventMetadata::id, F::number},
                                   {field::XEventMetadata::name, F::bytes},
                                   {field::XEventMetadata::metadata, F::bytes},
                                   {field::XEventMetadata::display_name, F::bytes},
                                   {field::XEventMetadata::stats, F::bytes},
                                   {field::XEventMetadata::child_id, F::numbers}}};
constexpr MessageShape kEventNames{
    {{MapEntryField::key, F::number}, {MapEntryField::value, F::message, &kEventName, true}}};
constexpr MessageShape kPlane{{{field::XPlane::id, F::number},
                               {field::XPlane::name, F::text, nullptr, true, true},
                               {field::XPlane::lines, F::message, &kLine},
                               {field::XPlane::event_metadata, F::message, &kEventNames},
                               {field::XPlane::stat_metadata, F::message, &kTextOfId},
                               {field::XPlane::stats, F::bytes}}};
constexpr MessageShape kSpace{{{field::XSpace::planes, F::message, &kPlane},
                               {field::XSpace::errors, F::bytes},
                               {field::XSpace::warnings, F::bytes},
                               {field::XSpace::hostnames, F::text}}};

// ---- HloProto

constexpr MessageShape kInstruction{{{field::HloInstruction::name, F::text, nullptr, false, true},
                                     {field::HloInstruction::opcode, F::text, nullptr, true, true},
                                     {field::HloInstruction::shape, F::bytes, nullptr, false, true},
                                     {field::HloInstruction::metadata, F::bytes},
                                     {FieldNumber(8), F::bytes},  // literal
                                     {field::HloInstruction::parameter_number, F::number},
                                     {field::HloInstruction::fusion_kind, F::text},
                                     {field::HloInstruction::tuple_index, F::number},
                                     {field::HloInstruction::dimensions, F::numbers},
                                     {field::HloInstruction::window, F::bytes},
                                     {field::HloInstruction::custom_call_target, F::text},
                                     {field::HloInstruction::dot_dimension_numbers, F::bytes},
                                     {field::HloInstruction::id, F::number},
                                     {field::HloInstruction::operand_ids, F::numbers},
                                     {field::HloInstruction::called_computation_ids, F::numbers},
                                     {field::HloInstruction::backend_config, F::bytes},
                                     {field::HloInstruction::feature_group_count, F::number},
                                     {FieldNumber(51), F::bytes},  // precision_config
                                     {field::HloInstruction::batch_group_count, F::number},
                                     {field::HloInstruction::comparison_direction, F::text},
                                     {FieldNumber(68), F::bytes},
                                     {FieldNumber(72), F::bytes},
                                     {FieldNumber(77), F::number},
                                     {FieldNumber(82), F::bytes}}};
constexpr MessageShape kComputation{
    {{field::HloComputation::name, F::text, nullptr, false, true},
     {field::HloComputation::instructions, F::message, &kInstruction, false, true},
     {FieldNumber(4), F::bytes},  // program_shape
     {field::HloComputation::id, F::number},
     {field::HloComputation::root_id, F::number},
     {FieldNumber(7), F::number},
     {FieldNumber(8), F::text}}};
constexpr MessageShape kHloModule{
    {{field::HloModule::name, F::text, nullptr, false, true},
     {FieldNumber(2), F::text},  // name of the entry
     {field::HloModule::computations, F::message, &kComputation, false, true},
     {FieldNumber(4), F::bytes},  // host_program_shape
     {field::HloModule::id, F::number},
     {field::HloModule::entry_computation_id, F::number},
     {FieldNumber(7), F::bytes},
     {FieldNumber(8), F::bytes},
     {FieldNumber(15), F::bytes},
     {field::HloModule::stack_frame_index, F::bytes},
     {FieldNumber(18), F::bytes},
     {FieldNumber(19), F::bytes}}};
constexpr MessageShape kHloProto{
    {{field::HloProto::hlo_module, F::message, &kHloModule, false, true},
     {field::HloProto::buffer_assignment, F::bytes}}};

}  // namespace

int ScoreGraphDef(std::string_view bytes) { return ScoreShape(bytes, kGraph); }
int ScoreMetaGraph(std::string_view bytes) { return ScoreShape(bytes, kMetaGraph); }
int ScoreSavedModel(std::string_view bytes) { return ScoreShape(bytes, kSavedModel); }
int ScoreRunMetadata(std::string_view bytes) { return ScoreShape(bytes, kRunMetadata); }
int ScoreProfile(std::string_view bytes) { return ScoreShape(bytes, kProfile); }
int ScoreOpLog(std::string_view bytes) { return ScoreShape(bytes, kOpLog); }
int ScoreXSpace(std::string_view bytes) { return ScoreShape(bytes, kSpace); }
int ScoreHloProto(std::string_view bytes) { return ScoreShape(bytes, kHloProto); }
int ScoreBareHlo(std::string_view bytes) { return ScoreShape(bytes, kHloModule); }

}  // namespace tfprof
