// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/python_names.h"

#include <charconv>
#include <utility>

namespace tfprof::kineto {
namespace {

// `_thread.lock`, `_thread.RLock`
constexpr std::string_view kLocks = "_thread.";

// Functions are recorded without their module; these are known by name.
constexpr std::pair<std::string_view, std::string_view> kModules[] = {
    {"sleep", "time"}, {"collect", "gc"}, {"fsync", "os"}};

std::string_view ModuleOf(std::string_view function) {
  for (const auto& [name, module] : kModules) {
    if (name == function) return module;
  }
  return {};
}

// Removes `begin` and what is before the rest; false: the text has no such beginning.
bool Take(std::string_view begin, std::string_view* text) {
  if (!text->starts_with(begin)) return false;
  text->remove_prefix(begin.size());
  return true;
}

// "item of Tensor object at 0x7f35c444"
PythonText BoundMethod(std::string_view text) {
  constexpr std::string_view kOf = " of ", kObject = " object at 0x";
  const size_t of = text.find(kOf);
  if (of == text.npos) return {PythonForm::native, {}, text};
  std::string_view type = text.substr(of + kOf.size());
  type = type.substr(0, type.rfind(kObject));
  // Types that pybind11 makes for functions say nothing.
  if (type.starts_with("pybind11_builtins.") || type == "type" || type == "module") type = {};
  if (type.starts_with(kLocks)) type = kLocks.substr(0, kLocks.size() - 1);
  return {PythonForm::native, type, text.substr(0, of)};
}

PythonText NativeName(std::string_view name) {
  if (!name.ends_with('>')) return {};
  name.remove_suffix(1);
  if (Take("<built-in method ", &name)) return BoundMethod(name);
  if (Take("<built-in function ", &name)) return {PythonForm::native, ModuleOf(name), name};
  return {};
}

}  // namespace

PythonText ParsePythonName(std::string_view name) {
  if (Take("nn.Module: ", &name)) return {PythonForm::module, {}, name};
  if (name.starts_with("<built-in ")) return NativeName(name);
  constexpr std::string_view kAfterLine = "): ";
  // A file may have brackets in its name; a function has none.
  const size_t close = name.rfind(kAfterLine);
  if (close == name.npos) return {};
  const std::string_view place = name.substr(0, close);
  const size_t open = place.rfind('(');
  if (open == place.npos || open == 0) return {};
  PythonText text;
  text.file = place.substr(0, open);
  text.function = name.substr(close + kAfterLine.size());
  const char* const end = place.data() + place.size();
  const auto read = std::from_chars(place.data() + open + 1, end, text.line);
  if (read.ec != std::errc() || read.ptr != end || text.line < 0) return {};
  return text;
}

}  // namespace tfprof::kineto
