// SPDX-License-Identifier: Apache-2.0
#include "emitters/flame/markup.h"

namespace tfprof {

void AppendMarkup(std::string_view text, std::string* out) {
  constexpr std::string_view kForbidden = "\xef\xbf";  // U+FFFE: EF BF BE, U+FFFF: EF BF BF
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(kForbidden) && rest.size() > 2 &&
        (rest[2] == '\xbe' || rest[2] == '\xbf')) {
      out->append(rest[2] == '\xbe' ? "\\xef\\xbf\\xbe" : "\\xef\\xbf\\xbf");
      at += 2;
    } else if (rest[0] == '<') {
      out->append("&lt;");
    } else if (rest[0] == '>') {
      out->append("&gt;");
    } else if (rest[0] == '&') {
      out->append("&amp;");
    } else if (rest[0] == '"') {
      out->append("&quot;");
    } else if (rest[0] == '\'') {
      out->append("&#39;");
    } else {
      out->push_back(rest[0]);
    }
  }
}

}  // namespace tfprof
