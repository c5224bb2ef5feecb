// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// How surely a file is of that format; see Loader::score and ScoreShape.
int ScoreGraphDef(std::string_view bytes);
int ScoreMetaGraph(std::string_view bytes);
int ScoreSavedModel(std::string_view bytes);
int ScoreRunMetadata(std::string_view bytes);
int ScoreProfile(std::string_view bytes);
int ScoreOpLog(std::string_view bytes);
int ScoreXSpace(std::string_view bytes);

}  // namespace tfprof
