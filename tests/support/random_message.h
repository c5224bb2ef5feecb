// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <google/protobuf/message.h>

#include <random>

namespace tfprof {

// Fills `message` with a few values for every field, from small pools: device texts, names with and
// without a colon, bytes that are not UTF-8, numbers around 0 and plausible ones. The same seed
// gives the same message.
void FillRandomly(google::protobuf::Message* message, std::mt19937* random, int depth = 0);

// `message` as bytes whose fields are in another order, split into pieces that a reader has to
// merge, with unknown fields and groups between them.
std::string ScrambledBytes(const google::protobuf::Message& message, std::mt19937* random);

}  // namespace tfprof
