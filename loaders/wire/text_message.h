// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <google/protobuf/message.h>

#include <span>
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "loaders/io/source.h"

namespace tfprof {

// Messages in protobuf's text format. Protobuf parses and reserializes them, so text and binary
// files go through one reader and give the same facts.

// Parses `file` into *message, which is on an arena of the caller, and returns its binary form with
// SourceFile::kPadding zeros after it (not part of the message: drop them from the view). `noun` is
// the expected kind of text in errors. Fields that the schema lacks are skipped, as in binary
// files; but a text without any known field is an error. Errors: corrupt, with line and column;
// more than 2 GiB; cancelled.
Result<std::string> BytesOfText(const SourceFile& file, std::string_view noun, Context& context,
                                google::protobuf::Message* message);

// Returns the first field of the text `bytes` if it is in `fields`; empty: it is not, or the bytes
// are not text.
std::string_view FirstTextField(std::string_view bytes, std::span<const std::string_view> fields);

}  // namespace tfprof
