// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/python_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/nodes/framework_files.h"
#include "analysis/wall/python_files.h"

namespace tfprof {
namespace {

// The modules under which users call the public functions of a file.
constexpr std::pair<std::string_view, std::string_view> kPublic[] = {
    {"_npyio_impl.py", "np"},
    {"npyio.py", "np"},
    {"numeric.py", "np"},
    {"fromnumeric.py", "np"},
    {"shape_base.py", "np"},
    {"numpy", "np"},
    {"array_constructors.py", "jnp"},
    {"lax_numpy.py", "jnp"},
    {"reductions.py", "jnp"},
    {"posix", "os"},
    {"torch/serialization.py", "torch"},
};

PythonKind KindOfFile(std::string_view file) {
  if (file.starts_with('<')) return PythonKind::library;  // <frozen os>, <string>
  if (IsLibraryFile(file)) return PythonKind::library;
  return MayBeLibraryFile(file) ? PythonKind::ambiguous : PythonKind::user;
}

// Where folders are recorded, packages are known by them: a file without any lies beside the
// program or is one of Python's.
PythonKind KindOfPath(std::string_view path, bool is_trimmed) {
  if (IsFrameworkFile(path, is_trimmed)) return PythonKind::library;
  if (path.find('/') != path.npos) return PythonKind::user;
  const bool is_library = IsPythonFile(path) || KindOfFile(path) == PythonKind::library;
  return is_library ? PythonKind::library : PythonKind::user;
}

PythonKind KindOfFunction(const Store& store, std::string_view file, std::string_view function) {
  const bool has_folders = store.has_trimmed_paths || file.find('/') != file.npos;
  const PythonKind kind =
      has_folders ? KindOfPath(file, store.has_trimmed_paths) : KindOfFile(file);
  // Operators of the classes of libraries are called from anywhere.
  const bool is_operator = kind == PythonKind::ambiguous && function.starts_with("__");
  if (is_operator || kind == PythonKind::library) return PythonKind::library;
  return function.starts_with('<') ? PythonKind::nameless : kind;
}

PythonAction ActionOf(std::string_view module, std::string_view function) {
  // queues.py: of multiprocessing.
  const bool is_queue = module == "queue.py" || module == "queues.py";
  if (is_queue && (function == "get" || function == "put")) {
    return PythonAction::waits_for_queue;
  }
  const bool may_be_lock = module == "<unknown>" || module == "_thread";
  if (may_be_lock && (function == "acquire" || function == "__enter__")) {
    return PythonAction::waits_for_lock;
  }
  if (may_be_lock && (function == "release" || function == "__exit__")) {
    return PythonAction::releases_lock;
  }
  if (module == "gc" && function == "collect") return PythonAction::collects;
  if (module == "time" && function == "sleep") return PythonAction::sleeps;
  if (module == "torch/serialization.py" && function == "save") return PythonAction::saves;
  if (module == "torch/profiler/profiler.py" && function == "step") return PythonAction::marks_step;
  return PythonAction::none;
}

// Functions of numpy and JAX that copy whole arrays.
constexpr std::pair<std::string_view, std::string_view> kCopies[] = {
    {"numpy", "array"},
    {"numpy", "asarray"},
    {"numpy", "copy"},
    {"array_constructors.py", "array"},
    {"array_constructors.py", "asarray"},
    {"lax_numpy.py", "array"},
    {"lax_numpy.py", "asarray"},
    {"api.py", "device_put"},
    {"api.py", "device_get"},
    {"array.py", "__array__"},
};

bool CopiesArrays(std::string_view module, std::string_view function) {
  return std::find(std::begin(kCopies), std::end(kCopies), std::pair(module, function)) !=
         std::end(kCopies);
}

// "torch/nn/init.py" of "/venv/lib/python3.12/site-packages/torch/nn/init.py", "queue.py" of
// "/usr/lib/python3.12/queue.py".
std::string_view WithoutPackageFolder(std::string_view path) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/", "/lib/python3"}) {
    const size_t at = path.find(folder);
    if (at == path.npos) continue;
    const size_t slash = path.find('/', at + folder.size() - 1);
    return slash == path.npos ? path : path.substr(slash + 1);
  }
  return path;
}

// Without the functions around that in which it is defined: "f.<locals>.g" is g.
std::string_view WithoutOuter(std::string_view function) {
  constexpr std::string_view kIn = ".<locals>.";
  for (size_t at = 0; (at = function.find(kIn)) != function.npos;) {
    const std::string_view inner = function.substr(at + kIn.size());
    if (inner.starts_with('<')) break;  // "g.<locals>.<genexpr>": only g is a name
    function = inner;
  }
  return function;
}

}  // namespace

PythonName PythonNameOf(const Store& store, const Label& label) {
  if (!label.python.some()) return {};
  const PythonFunction& of = store.python_functions[label.python.value];
  const std::string_view file = store.Text(of.file), function = store.Text(of.function);
  const std::string_view module = WithoutPackageFolder(file);
  PythonName name{KindOfFunction(store, file, function), ActionOf(module, function), module,
                  function, CopiesArrays(module, function)};
  if (of.form == PythonForm::native) name.kind = PythonKind::native;
  if (of.form == PythonForm::module) name.kind = PythonKind::nameless;
  return name;
}

PythonName PythonNameOfEvent(const Store& store, uint32_t row) {
  return PythonNameOf(store, store.labels[store.events.label[row].value]);
}

uint32_t ProgramFunctionAround(const Store& store, const LaneNesting& nesting, uint32_t row) {
  do {
    row = nesting.ParentOf(row);
  } while (row != kNoRow && PythonNameOfEvent(store, row).kind != PythonKind::user);
  return row;
}

bool IsWrapper(const PythonName& name) {
  constexpr std::string_view kWrappers[] = {"contextlib.py", "functools.py", "tf_decorator.py",
                                            "traceback_util.py", "traceback_utils.py"};
  return std::ranges::find(kWrappers, name.module) != std::end(kWrappers);
}

std::string DisplayText(const PythonName& name) {
  for (const auto& [file, module] : kPublic) {
    if (file == name.module) return std::string(module) + "." + std::string(name.function);
  }
  const std::string function(WithoutOuter(name.function));
  switch (name.kind) {
    case PythonKind::native:
      if (name.module.empty() || name.module.starts_with('<') || name.module == "builtins") {
        return function;
      }
      return std::string(name.module) + "." + function;
    case PythonKind::user: return function;
    default: return std::string(name.module) + " " + function;
  }
}

}  // namespace tfprof
