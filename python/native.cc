// SPDX-License-Identifier: Apache-2.0
// The library, as the package `tfprof` calls it. What users see is in python/tfprof/.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tfprof/tfprof.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "python/arrow.h"

namespace py = pybind11;

namespace tfprof::python {
namespace {

// Texts of profiles may have any bytes.
py::str Str(std::string_view text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(made);
}

py::bytes Bytes(const std::string& bytes) { return {bytes.data(), bytes.size()}; }

[[noreturn]] void Raise(const Error& error) {
  const py::object made = py::module_::import("tfprof.errors")
                              .attr("make")(static_cast<int>(error.kind), Str(error.what),
                                            Str(error.where), Str(error.hint));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw py::error_already_set();
}

template <class T>
T Take(Result<T> result) {
  if (!result) Raise(result.error());
  return std::move(*result);
}

// Runs work(&stop) beside the interpreter: other threads of Python go on, and Ctrl-C stops it.
template <class Work>
auto Run(Work work) {
  std::atomic<bool> stop{false};
  std::future<decltype(work(&stop))> done;
  bool interrupted = false;
  {
    const py::gil_scoped_release released;
    done = std::async(std::launch::async, [&] { return work(&stop); });
    while (!interrupted &&
           done.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout) {
      const py::gil_scoped_acquire acquired;
      interrupted = PyErr_CheckSignals() != 0;
      if (interrupted) stop = true;
    }
    done.wait();
  }
  if (interrupted) throw py::error_already_set();
  return Take(done.get());
}

// ---- Columns.

py::dict InfoOf(const ColumnInfo& column) {
  static constexpr const char* kTypes[] = {"integer", "real", "boolean", "text", "list", "tensor"};
  py::dict info;
  info["id"] = column.id;
  info["title"] = Str(column.title);
  info["unit"] = column.unit;
  info["meaning"] = Str(column.meaning);
  info["type"] = kTypes[static_cast<int>(column.type)];
  return info;
}

// Equal texts are mostly one text in the store: each becomes one object.
struct Texts {
  std::unordered_map<const char*, std::pair<size_t, py::str>> known;

  py::object Of(std::string_view text) {
    if (text.data() == nullptr) return py::none();
    const auto found = known.find(text.data());
    if (found != known.end() && found->second.first == text.size()) return found->second.second;
    py::str made = Str(text);
    known[text.data()] = {text.size(), made};
    return made;
  }
};

py::object CellOf(const Column& column, size_t row, Texts* texts) {
  switch (column.type) {
    case CellType::text: return texts->Of(column.texts[row]);
    case CellType::texts: {
      py::list list;
      for (const std::string_view text : column.lists[row]) list.append(texts->Of(text));
      return list;
    }
    case CellType::tensor:
      return column.IsAbsent(row) ? py::object(py::none()) : Str(column.Text(row));
    default: break;
  }
  if (column.IsAbsent(row)) return py::none();
  if (column.type == CellType::boolean) return py::bool_(column.integers[row * column.stride] != 0);
  if (column.type == CellType::integer && column.divisor == 1) {
    return py::int_(column.integers[row * column.stride]);
  }
  return py::float_(column.Real(row));
}

const Column& ColumnOf(const Report& report, size_t table, size_t column) {
  return report.tables().at(table).columns.at(column);
}

py::list CellsOf(const Report& report, size_t table, size_t number) {
  const Column& column = ColumnOf(report, table, number);
  py::list cells(column.rows);
  Texts texts;
  for (size_t row = 0; row < column.rows; ++row) cells[row] = CellOf(column, row, &texts);
  return cells;
}

// The cells as they are kept, of integers, booleans and reals, which the array shares with the
// report.
py::array ArrayOf(const py::object& owner, size_t table, size_t number) {
  const auto& report = owner.cast<const Report&>();
  const Column& column = ColumnOf(report, table, number);
  const auto rows = static_cast<py::ssize_t>(column.rows);
  py::array cells =
      column.reals != nullptr
          ? py::array(py::dtype::of<double>(), {rows}, {py::ssize_t{8}}, column.reals, owner)
          : py::array(py::dtype::of<int64_t>(), {rows},
                      {static_cast<py::ssize_t>(8 * column.stride)}, column.integers, owner);
  cells.attr("flags").attr("writeable") = false;
  return cells;
}

py::list TablesOf(const Report& report) {
  py::list tables;
  for (const Table& table : report.tables()) {
    py::dict one;
    one["name"] = table.name;
    one["title"] = Str(table.title);
    one["rows"] = table.rows;
    one["is_tree"] = table.is_tree;
    one["omitted_rows"] = table.omitted_rows;
    py::list columns;
    for (const Column& column : table.columns) {
      py::dict info = InfoOf(column);
      info["divisor"] = column.divisor;
      info["scale"] = column.scale;
      columns.append(info);
    }
    one["columns"] = columns;
    tables.append(one);
  }
  return tables;
}

// depth, parent
std::pair<py::list, py::list> TreeOf(const Report& report, size_t number) {
  const Table& table = report.tables().at(number);
  py::list depth, parent;
  for (size_t row = 0; table.is_tree && row < table.rows; ++row) {
    depth.append(table.depth[row]);
    parent.append(table.parent[row] == kNoRow ? py::object(py::none())
                                              : py::object(py::int_(table.parent[row])));
  }
  return {depth, parent};
}

py::dict PropertiesOf(const Report& report) {
  py::dict all;
  for (const Property& property : report.properties()) {
    py::object value = py::none();
    switch (property.type) {
      case CellType::text: value = Str(property.text); break;
      case CellType::texts: {
        py::list texts;
        for (const std::string& text : property.texts) texts.append(Str(text));
        value = texts;
        break;
      }
      case CellType::boolean:
        if (property.integer != kAbsent) value = py::bool_(property.integer != 0);
        break;
      case CellType::integer:
        if (property.integer == kAbsent) break;
        value = property.divisor == 1 ? py::object(py::int_(property.integer))
                                      : py::object(py::float_(property.real));
        break;
      default:
        if (property.real == property.real) value = py::float_(property.real);
    }
    all[py::str(property.id)] = value;
  }
  return all;
}

py::list NotesOf(const Report& report) {
  py::list notes;
  for (const Note& note : report.notes()) {
    py::dict one;
    one["id"] = note.id;
    one["text"] = Str(note.text);
    one["count"] = note.count;
    one["first_place"] = Str(note.first_place);
    notes.append(one);
  }
  return notes;
}

void ReleaseCapsule(PyObject* capsule) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

py::object StreamOf(const Report& report, size_t table) {
  (void)report.tables().at(table);
  auto stream = std::make_unique<ArrowArrayStream>();
  ExportTable(report, table, stream.get());
  return py::reinterpret_steal<py::object>(
      PyCapsule_New(stream.release(), "arrow_array_stream", ReleaseCapsule));
}

// ---- The catalogue.

py::list OptionsOf(const std::vector<const OptionInfo*>& options) {
  py::list list;
  for (const OptionInfo* option : options) {
    py::dict one;
    one["name"] = option->name;
    one["value"] = option->value;
    one["type"] = option->type;
    one["unit"] = option->unit;
    one["meaning"] = option->meaning;
    one["words"] = option->words;
    list.append(one);
  }
  return list;
}

py::list AllViews() {
  py::list list;
  for (const ViewInfo& view : Views()) {
    py::dict one;
    one["name"] = view.name;
    one["summary"] = view.summary;
    one["help"] = view.help;
    one["example"] = view.example;
    one["about"] = view.about;
    one["needs_about"] = view.needs_about;
    one["options"] = OptionsOf(view.options);
    py::list tables;
    for (const TableInfo& table : view.tables) {
      py::list columns;
      for (const ColumnInfo& column : table.columns) columns.append(InfoOf(column));
      tables.append(py::make_tuple(table.name, columns));
    }
    one["tables"] = tables;
    list.append(one);
  }
  return list;
}

py::list AllFileCommands() {
  py::list list;
  for (const FileCommandInfo& command : FileCommands()) {
    py::dict one;
    one["name"] = command.name;
    one["usage"] = command.usage;
    one["summary"] = command.summary;
    one["help"] = command.help;
    one["options"] = OptionsOf(command.options);
    list.append(one);
  }
  return list;
}

// ---- The interface of the original.

template <class T>
void Set(const py::dict& from, const char* name, T* to) {
  if (!from.contains(name)) return;
  try {
    *to = from[name].cast<T>();
  } catch (const py::cast_error&) {
    const auto given = py::repr(from[name]).cast<std::string>();
    throw py::type_error(std::string("the option ") + name + " cannot be " + given);
  }
}

ProfileOptions ProfileOptionsOf(const py::dict& from) {
  ProfileOptions to;
  Set(from, "max_depth", &to.max_depth);
  Set(from, "min_bytes", &to.min_bytes);
  Set(from, "min_peak_bytes", &to.min_peak_bytes);
  Set(from, "min_residual_bytes", &to.min_residual_bytes);
  Set(from, "min_output_bytes", &to.min_output_bytes);
  Set(from, "min_micros", &to.min_micros);
  Set(from, "min_accelerator_micros", &to.min_accelerator_micros);
  Set(from, "min_cpu_micros", &to.min_cpu_micros);
  Set(from, "min_params", &to.min_params);
  Set(from, "min_float_ops", &to.min_float_ops);
  Set(from, "min_occurrence", &to.min_occurrence);
  Set(from, "step", &to.step);
  Set(from, "order_by", &to.order_by);
  Set(from, "account_type_regexes", &to.account_type_regexes);
  Set(from, "start_name_regexes", &to.start_name_regexes);
  Set(from, "trim_name_regexes", &to.trim_name_regexes);
  Set(from, "show_name_regexes", &to.show_name_regexes);
  Set(from, "hide_name_regexes", &to.hide_name_regexes);
  Set(from, "account_displayed_op_only", &to.account_displayed_op_only);
  Set(from, "select", &to.select);
  Set(from, "output", &to.output);
  return to;
}

py::tuple AskProfiler(const Profiler& profiler, const std::string& view, const py::dict& dict) {
  const ProfileOptions options = ProfileOptionsOf(dict);
  const ProfileResult result = Run([&](const std::atomic<bool>* stop) {
    if (view == "scope") return profiler.ProfileNameScope(options, stop);
    if (view == "graph") return profiler.ProfileGraph(options, stop);
    if (view == "op") return profiler.ProfileOperations(options, stop);
    return profiler.ProfilePython(options, stop);
  });
  return py::make_tuple(Bytes(result.message), Str(result.text), Str(result.messages));
}

void BindProfiler(py::module_& m) {
  py::class_<Profiler>(m, "Profiler")
      .def(py::init<std::string, std::string>())
      .def("add_step",
           [](Profiler& profiler, int64_t step, std::string run, std::string op_log) {
             Take(profiler.AddStep(step, std::move(run), std::move(op_log)));
           })
      .def("update_graph", &Profiler::UpdateGraph)
      .def("coverage", [](const Profiler& profiler) { return Take(profiler.Coverage()); })
      .def("ask", AskProfiler)
      .def("advise",
           [](const Profiler& profiler, const std::vector<std::string>& checkers) {
             const AdviceResult result = Run(
                 [&](const std::atomic<bool>* stop) { return profiler.Advise(checkers, stop); });
             return py::make_tuple(Bytes(result.message), Str(result.text));
           })
      .def("serialize",
           [](const Profiler& profiler) { return Bytes(Take(profiler.SerializeToString())); })
      .def("open", [](const Profiler& profiler) {
        return Run([&](const std::atomic<bool>* stop) { return profiler.Open(stop); });
      });
}

OpenOptions OpenOptionsOf(const std::string& format, const std::string& run,
                          const std::string& ranks, bool partial, const std::atomic<bool>* stop) {
  OpenOptions options;
  options.format = format;
  options.run = run;
  options.ranks = ranks;
  options.partial = partial;
  options.stop = stop;
  return options;
}

void BindProfile(py::module_& m) {
  m.def("open", [](const std::vector<std::string>& paths, const std::string& format,
                   const std::string& run, const std::string& ranks, bool partial) {
    return Run([&](const std::atomic<bool>* stop) {
      return Open(paths, OpenOptionsOf(format, run, ranks, partial, stop));
    });
  });
  m.def("open_bytes", [](const std::vector<std::pair<std::string, py::bytes>>& files,
                         const std::string& format, bool partial) {
    std::vector<NamedBytes> named;
    for (const auto& [name, bytes] : files) named.push_back({name, std::string(bytes)});
    return Run([&](const std::atomic<bool>* stop) {
      return OpenBytes(std::move(named), OpenOptionsOf(format, "", "", partial, stop));
    });
  });
  py::class_<Profile>(m, "Profile")
      .def("answer",
           [](const Profile& profile, const std::string& view, const std::string& about,
              const Options& options, const Profile* base) {
             return Run([&](const std::atomic<bool>* stop) {
               return Answer(profile, {view, about, options, base, stop});
             });
           })
      .def("ask",
           [](const Profile& profile, const std::string& line) {
             return Run([&](const std::atomic<bool>*) { return Answer(profile, line); });
           })
      .def("write", [](const Profile& profile, const std::string& command, const std::string& path,
                       const Options& options) {
        return Str(Run([&](const std::atomic<bool>* stop) {
          return Write(profile, command, path, options, stop);
        }));
      });
}

void BindReport(py::module_& m) {
  py::class_<Report>(m, "Report")
      .def_property_readonly("view", &Report::view)
      .def("tables", TablesOf)
      .def("properties", PropertiesOf)
      .def("notes", NotesOf)
      .def("cells", CellsOf)
      .def("array", ArrayOf)
      .def("tree", TreeOf)
      .def("stream", StreamOf)
      .def("emit", [](const Report& report, const std::string& format, int columns, bool color) {
        return Bytes(Run([&](const std::atomic<bool>*) {
          return Emit(report, format, {.columns = columns, .utf8 = true, .color = color});
        }));
      });
}

}  // namespace
}  // namespace tfprof::python

PYBIND11_MODULE(native, m) {
  using namespace tfprof::python;
  m.attr("version") = std::string(tfprof::Version());
  m.def("views", AllViews);
  m.def("file_commands", AllFileCommands);
  m.def("formats", [] {
    std::vector<std::pair<std::string, std::string>> formats;
    for (const tfprof::FormatInfo& format : tfprof::Formats()) {
      formats.emplace_back(format.name, format.summary);
    }
    return formats;
  });
  BindReport(m);
  BindProfile(m);
  BindProfiler(m);
}
