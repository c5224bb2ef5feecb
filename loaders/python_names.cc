// SPDX-License-Identifier: Apache-2.0
#include "loaders/python_names.h"

#include <charconv>
#include <string>

namespace tfprof {

PythonText ParseXlaPythonName(std::string_view name) {
  if (!name.starts_with('$')) return {};
  const size_t space = name.rfind(' ');  // "<frozen importlib._bootstrap>:1053" has a space, too
  if (space == name.npos || space < 2) return {};
  const std::string_view place = name.substr(1, space - 1), function = name.substr(space + 1);
  const PythonText native{PythonForm::native, place, function};
  const size_t colon = place.rfind(':');
  if (colon == place.npos || colon == 0) return native;
  PythonText text{PythonForm::function, place.substr(0, colon), function};
  const char* const end = place.data() + place.size();
  const auto read = std::from_chars(place.data() + colon + 1, end, text.line);
  const bool is_line = read.ec == std::errc() && read.ptr == end && text.line >= 0;
  return is_line ? text : native;
}

PythonFunctionId AddPythonFunction(const PythonText& text, StoreBuilder* store) {
  if (text.function.empty()) return {};
  // The texts may lie in the store's names, which may move when one is added.
  const std::string file(text.file), function(text.function);
  return store->AddPythonFunction(
      {file.empty() ? NameId() : store->Name(file), store->Name(function), text.line, text.form});
}

}  // namespace tfprof
