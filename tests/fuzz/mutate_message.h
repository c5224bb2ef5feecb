// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <google/protobuf/message.h>

#include <cstddef>
#include <cstdint>

namespace tfprof {

// Changes one thing in `data`: mostly a field of some message in it, sometimes just bytes. What is
// no message of the kind of `prototype` is changed as bytes. Returns the new size.
size_t MutateMessage(const google::protobuf::Message& prototype, uint8_t* data, size_t size,
                     size_t max_size, unsigned seed);

// The same for the message that the bytes are for most likely.
size_t MutateLikeliest(uint8_t* data, size_t size, size_t max_size, unsigned seed);

}  // namespace tfprof
