// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Scores how certain the format of a file is; see Loader::score and ScoreShape.
int ScoreGraphDef(std::string_view bytes);
int ScoreMetaGraph(std::string_view bytes);
int ScoreSavedModel(std::string_view bytes);
int ScoreRunMetadata(std::string_view bytes);
int ScoreProfile(std::string_view bytes);
int ScoreOpLog(std::string_view bytes);
int ScoreXSpace(std::string_view bytes);
int ScoreHloProto(std::string_view bytes);
int ScoreBareHlo(std::string_view bytes);  // an HloModule that is in no HloProto

}  // namespace tfprof
