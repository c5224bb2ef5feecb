// SPDX-License-Identifier: Apache-2.0
#include "emitters/screen.h"

#include <algorithm>

namespace tfprof {

void AppendWrapped(std::string_view text, size_t indent, const Style& style, std::string* out) {
  const size_t columns = style.columns > 0 ? static_cast<size_t>(style.columns) : text.size();
  const size_t most = style.columns > 0 && columns > indent ? columns - indent : columns;
  while (text.size() > most) {
    size_t at = text.rfind(' ', most);
    if (at == std::string_view::npos || at == 0) at = text.find(' ', most);
    if (at == std::string_view::npos) break;
    out->append(indent, ' ').append(text.substr(0, text.find_last_not_of(' ', at) + 1));
    out->push_back('\n');
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', at)));
  }
  out->append(indent, ' ').append(text).push_back('\n');
}

}  // namespace tfprof
