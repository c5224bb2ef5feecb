// SPDX-License-Identifier: Apache-2.0
// The shapes of the classic formats, as far as they tell them apart; the whole truth is in proto/.
#include "loaders/detect/format_detection.h"

#include "loaders/detect/shape.h"

namespace tfprof {
namespace {

using F = FieldShape;

// A rule of one line each: {field, kind, shape, telling, expected}.
constexpr F kTupleFields[] = {{1, F::numbers}};
constexpr MessageShape kTuple{kTupleFields};

// ---- GraphDef, also inside RunMetadata

// Not the operation: an XPlane has its name there.
constexpr F kNodeDefFields[] = {{1, F::text, nullptr, true, true},
                                {2, F::text, nullptr, false, true},
                                {3, F::text},
                                {4, F::text},
                                {5, F::bytes},
                                {6, F::bytes},
                                {7, F::bytes}};
constexpr MessageShape kNodeDef{kNodeDefFields};
constexpr F kGraphFields[] = {
    {1, F::message, &kNodeDef}, {2, F::bytes}, {3, F::number}, {4, F::bytes}, {5, F::bytes}};
constexpr MessageShape kGraph{kGraphFields};
constexpr F kFunctionGraphsFields[] = {
    {1, F::message, &kGraph}, {2, F::message, &kGraph}, {3, F::message, &kGraph}};
constexpr MessageShape kFunctionGraphs{kFunctionGraphsFields};

// ---- MetaGraphDef and SavedModel

// The version of TensorFlow: a node has its attributes there, which are not readable.
constexpr F kMetaInfoFields[] = {
    {1, F::text}, {2, F::bytes},  {3, F::bytes}, {4, F::text}, {5, F::text, nullptr, true},
    {6, F::text}, {7, F::number}, {8, F::bytes}};
constexpr MessageShape kMetaInfo{kMetaInfoFields};
constexpr F kMetaGraphFields[] = {{1, F::message, &kMetaInfo},
                                  {2, F::message, &kGraph, false, true},
                                  {3, F::bytes},
                                  {4, F::bytes},
                                  {5, F::bytes},
                                  {6, F::bytes},
                                  {7, F::bytes}};
constexpr MessageShape kMetaGraph{kMetaGraphFields};
constexpr F kSavedModelFields[] = {{1, F::number, nullptr, false, true},
                                   {2, F::message, &kMetaGraph, false, true}};
constexpr MessageShape kSavedModel{kSavedModelFields};

// ---- RunMetadata

constexpr F kAllocatorFields[] = {{1, F::text},   {2, F::number}, {3, F::number},
                                  {4, F::number}, {5, F::number}, {6, F::bytes}};
constexpr MessageShape kAllocator{kAllocatorFields};
constexpr F kOutputFields[] = {{1, F::number}, {3, F::bytes}};
constexpr MessageShape kOutput{kOutputFields};
constexpr F kRecordFields[] = {{1, F::text, nullptr, true, true},
                               {2, F::number, nullptr, true},
                               {3, F::number},
                               {4, F::number},
                               {5, F::number},
                               {6, F::message, &kAllocator},
                               {7, F::message, &kOutput},
                               {8, F::text},
                               {9, F::number},
                               {10, F::number},
                               {11, F::bytes},
                               {12, F::bytes},
                               {13, F::number},
                               {14, F::number},
                               {15, F::number},
                               {16, F::number},
                               {17, F::number}};
constexpr MessageShape kRecord{kRecordFields};
constexpr F kThreadNameFields[] = {{1, F::number}, {2, F::text}};
constexpr MessageShape kThreadName{kThreadNameFields};
constexpr F kDeviceFields[] = {
    {1, F::text, nullptr, true, true}, {2, F::message, &kRecord}, {3, F::message, &kThreadName}};
constexpr MessageShape kDevice{kDeviceFields};
constexpr F kStepStatsFields[] = {{1, F::message, &kDevice}};
constexpr MessageShape kStepStats{kStepStatsFields};
constexpr F kRunMetadataFields[] = {{1, F::message, &kStepStats},
                                    {2, F::bytes},
                                    {3, F::message, &kGraph},
                                    {4, F::message, &kFunctionGraphs},
                                    {5, F::bytes}};
constexpr MessageShape kRunMetadata{kRunMetadataFields};

// ---- code, texts by id

constexpr F kTraceFields[] = {{1, F::text},   {2, F::number}, {3, F::text},   {4, F::bytes},
                              {5, F::number}, {6, F::number}, {7, F::number}, {8, F::number}};
constexpr MessageShape kTrace{kTraceFields};
constexpr F kCodeFields[] = {{1, F::message, &kTrace}};
constexpr MessageShape kCode{kCodeFields};
// The text may be a line of source, so any bytes.
constexpr F kTextOfIdFields[] = {{1, F::number, nullptr}, {2, F::bytes, nullptr, false, true}};
constexpr MessageShape kTextOfId{kTextOfIdFields};

// ---- OpLogProto

constexpr F kLogEntryFields[] = {
    {1, F::text, nullptr, true, true}, {2, F::number}, {3, F::text}, {4, F::message, &kCode}};
constexpr MessageShape kLogEntry{kLogEntryFields};
constexpr F kOpLogFields[] = {{1, F::message, &kLogEntry}, {2, F::message, &kTextOfId}};
constexpr MessageShape kOpLog{kOpLogFields};

// ---- ProfileProto

constexpr F kSlotFields[] = {{1, F::number}, {2, F::number}};
constexpr MessageShape kSlot{kSlotFields};
constexpr F kSlotShapeFields[] = {{1, F::number}, {2, F::message, &kTuple}};
constexpr MessageShape kSlotShape{kSlotShapeFields};
constexpr F kExecFields[] = {{1, F::number}, {2, F::number}, {3, F::number}, {4, F::bytes},
                             {5, F::bytes},  {6, F::text},   {7, F::bytes},  {11, F::bytes}};
constexpr MessageShape kExec{kExecFields};
constexpr F kStepExecFields[] = {{1, F::number}, {2, F::message, &kExec}};
constexpr MessageShape kStepExec{kStepExecFields};
constexpr F kProfileNodeFields[] = {{1, F::text, nullptr, true},
                                    {2, F::message, &kSlot},
                                    {3, F::message, &kSlot},
                                    {4, F::numbers},
                                    {5, F::text},
                                    {6, F::text},
                                    {7, F::text},
                                    {8, F::number},
                                    {9, F::text, nullptr, true},
                                    {10, F::message, &kCode},
                                    {11, F::bytes},
                                    {12, F::message, &kStepExec},
                                    {13, F::number},
                                    {14, F::message, &kSlot},
                                    {15, F::message, &kSlotShape},
                                    {16, F::message, &kSlotShape}};
constexpr MessageShape kProfileNode{kProfileNodeFields};
constexpr F kNodeEntryFields[] = {{1, F::number}, {2, F::message, &kProfileNode, false, true}};
constexpr MessageShape kNodeEntry{kNodeEntryFields};
constexpr F kProfileFields[] = {{1, F::message, &kNodeEntry},
                                {2, F::number},
                                {3, F::numbers},
                                {4, F::message, &kTextOfId},
                                {5, F::number}};
constexpr MessageShape kProfile{kProfileFields};

// ---- XSpace

constexpr F kEventFields[] = {{1, F::number, nullptr, false, true},
                              {2, F::number},
                              {3, F::number},
                              {4, F::bytes},
                              {5, F::number}};
constexpr MessageShape kEvent{kEventFields};
constexpr F kLineFields[] = {
    {1, F::number}, {2, F::text},    {3, F::number}, {4, F::message, &kEvent},
    {9, F::number}, {10, F::number}, {11, F::text}};
constexpr MessageShape kLine{kLineFields};
constexpr F kEventNameFields[] = {{1, F::number}, {2, F::bytes}, {3, F::bytes},
                                  {4, F::bytes},  {5, F::bytes}, {6, F::numbers}};
constexpr MessageShape kEventName{kEventNameFields};
constexpr F kEventNamesFields[] = {{1, F::number}, {2, F::message, &kEventName, true}};
constexpr MessageShape kEventNames{kEventNamesFields};
constexpr F kPlaneFields[] = {{1, F::number},
                              {2, F::text, nullptr, true, true},
                              {3, F::message, &kLine},
                              {4, F::message, &kEventNames},
                              {5, F::message, &kTextOfId},
                              {6, F::bytes}};
constexpr MessageShape kPlane{kPlaneFields};
constexpr F kSpaceFields[] = {{1, F::message, &kPlane}, {2, F::bytes}, {3, F::bytes}, {4, F::text}};
constexpr MessageShape kSpace{kSpaceFields};

}  // namespace

int ScoreGraphDef(std::string_view bytes) { return ScoreShape(bytes, kGraph); }
int ScoreMetaGraph(std::string_view bytes) { return ScoreShape(bytes, kMetaGraph); }
int ScoreSavedModel(std::string_view bytes) { return ScoreShape(bytes, kSavedModel); }
int ScoreRunMetadata(std::string_view bytes) { return ScoreShape(bytes, kRunMetadata); }
int ScoreProfile(std::string_view bytes) { return ScoreShape(bytes, kProfile); }
int ScoreOpLog(std::string_view bytes) { return ScoreShape(bytes, kOpLog); }
int ScoreXSpace(std::string_view bytes) { return ScoreShape(bytes, kSpace); }

}  // namespace tfprof
