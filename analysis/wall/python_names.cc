// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/python_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/nodes/framework_files.h"

namespace tfprof {
namespace {

// Files of Python, numpy, JAX, TensorFlow and Keras. A trace has no folders, so names that programs
// use as well are in kAmbiguous.
constexpr std::string_view kLibraries[] = {
    "_add_newdocs.py",
    "_array_utils_impl.py",
    "_arraypad_impl.py",
    "_arraysetops_impl.py",
    "_builtin_ops_gen.py",
    "_compiler.py",
    "_finfo.py",
    "_format_impl.py",
    "_func_ops_gen.py",
    "_function_base_impl.py",
    "_histograms_impl.py",
    "_index_tricks_impl.py",
    "_iotools.py",
    "_linalg.py",
    "_methods.py",
    "_mhlo_ops_gen.py",
    "_nanfunctions_impl.py",
    "_npyio_impl.py",
    "_ods_common.py",
    "_parser.py",
    "_polynomial_impl.py",
    "_shape_base_impl.py",
    "_stablehlo_ops_gen.py",
    "_stride_tricks_impl.py",
    "_twodim_base_impl.py",
    "_type_check_impl.py",
    "_ufunc_config.py",
    "_ufunclike_impl.py",
    "_utils_impl.py",
    "abstract_arrays.py",
    "ad.py",
    "ad_checkpoint.py",
    "ad_util.py",
    "ag_ctx.py",
    "api.py",
    "api_util.py",
    "array.py",
    "array_constructors.py",
    "array_creation.py",
    "array_methods.py",
    "array_ops.py",
    "arraypad.py",
    "arrayprint.py",
    "atomic_function.py",
    "autograph_util.py",
    "autotrackable.py",
    "backend_trainer.py",
    "base_events.py",
    "base_layer.py",
    "base_layer_utils.py",
    "basearray.py",
    "buffer_callback.py",
    "cache_key.py",
    "callback_list.py",
    "callbacks.py",
    "cancellation.py",
    "capture_container.py",
    "checkpoint_context.py",
    "checkpoint_management.py",
    "checkpoint_options.py",
    "compilation_cache.py",
    "compilation_cache_interface.py",
    "concrete_function.py",
    "connection.py",
    "constant_op.py",
    "context.py",
    "contextlib.py",
    "copy.py",
    "copyreg.py",
    "custom_api_util.py",
    "custom_batching.py",
    "custom_derivatives.py",
    "custom_partitioning.py",
    "data_adapter.py",
    "data_structures.py",
    "dataset_ops.py",
    "debugging.py",
    "default_types.py",
    "deprecation.py",
    "device_spec.py",
    "distribute_lib.py",
    "dlpack.py",
    "dtypes.py",
    "einsumfunc.py",
    "enum.py",
    "error_check.py",
    "eval_jaxpr.py",
    "execute.py",
    "file_io.py",
    "flatten_util.py",
    "fnmatch.py",
    "fromnumeric.py",
    "frozen_dict.py",
    "func_graph.py",
    "function_base.py",
    "function_cache.py",
    "function_context.py",
    "function_type.py",
    "function_type_utils.py",
    "functional_saver.py",
    "functools.py",
    "gen_array_ops.py",
    "gen_dataset_ops.py",
    "gen_io_ops.py",
    "gen_math_ops.py",
    "gen_nn_ops.py",
    "gen_resource_variable_ops.py",
    "gen_string_ops.py",
    "getlimits.py",
    "glob.py",
    "gradients_util.py",
    "graph_view.py",
    "gzip.py",
    "hashable_array.py",
    "inspect.py",
    "iterator_ops.py",
    "jaxpr_util.py",
    "keras_tensor.py",
    "lax.py",
    "lax_numpy.py",
    "lazy_loader.py",
    "linear_util.py",
    "literals.py",
    "math_ops.py",
    "mesh_utils.py",
    "mhlo.py",
    "mlir.py",
    "multiarray.py",
    "named_sharding.py",
    "nest.py",
    "nest_util.py",
    "nn_ops.py",
    "npyio.py",
    "numeric.py",
    "numerictypes.py",
    "object_identity.py",
    "op_shardings.py",
    "partial_eval.py",
    "partition_spec.py",
    "pathlib.py",
    "pickle.py",
    "pickle_util.py",
    "pjit.py",
    "polymorphic_function.py",
    "popen_fork.py",
    "pretty_printer.py",
    "printoptions.py",
    "profiler.py",
    "profiler_v2.py",
    "pxla.py",
    "queue.py",
    "queues.py",
    "reductions.py",
    "resource_variable_ops.py",
    "runners.py",
    "save_context.py",
    "save_util.py",
    "save_util_v1.py",
    "saveable_compat.py",
    "saveable_object.py",
    "saveable_object_util.py",
    "scaled_dot.py",
    "selector_events.py",
    "shape_base.py",
    "shard_alike.py",
    "shard_map.py",
    "sharding.py",
    "sharding_impls.py",
    "shutil.py",
    "socket.py",
    "source_info_util.py",
    "sourcemap.py",
    "stride_tricks.py",
    "string_ops.py",
    "subprocess.py",
    "tempfile.py",
    "tensor.py",
    "tensor_callable.py",
    "tensor_contractions.py",
    "tensor_conversion_registry.py",
    "tensor_shape.py",
    "tensor_util.py",
    "text_encoding.py",
    "text_format.py",
    "tf_logging.py",
    "tf_utils.py",
    "threading.py",
    "trace_type_builder.py",
    "traceback_util.py",
    "traceback_utils.py",
    "tracing_compilation.py",
    "trackable_utils.py",
    "trackable_view.py",
    "tree_util.py",
    "type_dispatch.py",
    "type_spec.py",
    "typing.py",
    "typing_extensions.py",
    "ufunc_api.py",
    "ufuncs.py",
    "unix_events.py",
    "uuid.py",
    "vectorize.py",
    "weak_tensor_ops.py",
    "weakref.py",
    "windowed_reductions.py",
    "xla_bridge.py",
    "xla_metadata.py",
    "xla_metadata_lib.py",
    "xla_transform.py",
    "zipfile.py",
};
constexpr std::string_view kAmbiguous[] = {
    "__init__.py",     "converter.py",     "registration.py", "compiler.py",    "encoder.py",
    "random.py",       "tape.py",          "base.py",         "callback.py",    "checkpoint.py",
    "compat.py",       "config.py",        "core.py",         "device.py",      "dispatch.py",
    "executor.py",     "functional.py",    "mesh.py",         "ops.py",         "process.py",
    "record.py",       "sequential.py",    "structure.py",    "trace.py",       "trainer.py",
    "training.py",     "training_util.py", "util.py",         "utils.py",       "variables.py",
    "batching.py",     "builtin.py",       "checkify.py",     "convolution.py", "discharge.py",
    "effects.py",      "einsum.py",        "error.py",        "errors.py",      "fft.py",
    "ffi.py",          "format.py",        "func.py",         "functions.py",   "indexing.py",
    "initializers.py", "layout.py",        "linalg.py",       "meta.py",        "monitoring.py",
    "parallel.py",     "path.py",          "pmap.py",         "primitives.py",  "ref.py",
    "remat.py",        "slicing.py",       "sorting.py",      "special.py",     "stages.py",
    "tree.py",
};

// Further files of Python itself, which no program can have beside its own.
constexpr std::string_view kPythonFiles[] = {
    "_collections_abc.py",
    "_weakrefset.py",
    "abc.py",
    "argparse.py",
    "ast.py",
    "bisect.py",
    "bz2.py",
    "cProfile.py",
    "codecs.py",
    "contextvars.py",
    "csv.py",
    "dataclasses.py",
    "datetime.py",
    "decimal.py",
    "dis.py",
    "fractions.py",
    "genericpath.py",
    "hashlib.py",
    "heapq.py",
    "io.py",
    "linecache.py",
    "locale.py",
    "lzma.py",
    "numbers.py",
    "opcode.py",
    "operator.py",
    "os.py",
    "pkgutil.py",
    "platform.py",
    "posixpath.py",
    "pprint.py",
    "random.py",
    "reprlib.py",
    "runpy.py",
    "sched.py",
    "selectors.py",
    "signal.py",
    "ssl.py",
    "stat.py",
    "statistics.py",
    "string.py",
    "struct.py",
    "sysconfig.py",
    "tarfile.py",
    "textwrap.py",
    "timeit.py",
    "token.py",
    "tokenize.py",
    "traceback.py",
    "types.py",
    "warnings.py",
};

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

bool IsIn(std::string_view file, const std::string_view* begin, const std::string_view* end) {
  return std::find(begin, end, file) != end;
}

PythonKind KindOfFile(std::string_view file) {
  if (file.starts_with('<')) return PythonKind::library;  // <frozen os>, <string>
  if (IsIn(file, std::begin(kLibraries), std::end(kLibraries))) return PythonKind::library;
  const bool unclear = IsIn(file, std::begin(kAmbiguous), std::end(kAmbiguous));
  return unclear ? PythonKind::ambiguous : PythonKind::user;
}

// Where folders are recorded, packages are known by them: a file without any lies beside the
// program or is one of Python's.
PythonKind KindOfPath(std::string_view path, bool is_trimmed) {
  if (IsFrameworkFile(path, is_trimmed)) return PythonKind::library;
  if (path.find('/') != path.npos) return PythonKind::user;
  const bool is_pythons = IsIn(path, std::begin(kPythonFiles), std::end(kPythonFiles));
  return is_pythons || KindOfFile(path) == PythonKind::library ? PythonKind::library
                                                               : PythonKind::user;
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
  return IsIn(name.module, std::begin(kWrappers), std::end(kWrappers));
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
