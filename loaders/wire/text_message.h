// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <google/protobuf/message.h>

#include <span>
#include <string>
#include <string_view>

#include "core/base/context.h"
#include "loaders/io/source.h"

namespace tfprof {

// Messages in protobuf's text format. Parsed by protobuf, then written out, so that what is said as
// text and what is said in binary form go through one reader and give the same facts.

// Parses `file` into *message, which is on an arena of the caller, and returns it in binary form
// with SourceFile::kPadding zeros behind it (not part of the message: drop them from the view).
// `noun` says in errors what the text should be. Fields that the schema lacks are skipped, as they
// are in binary form; but a text in which no field is known is something else.
// Errors: corrupt, with line and column; more than 2 GiB; cancelled.
Result<std::string> BytesOfText(const SourceFile& file, std::string_view noun, Context& context,
                                google::protobuf::Message* message);

// The first of `fields` that is the first field of the text `bytes`; empty: none, or no text.
std::string_view FirstTextField(std::string_view bytes, std::span<const std::string_view> fields);

}  // namespace tfprof
