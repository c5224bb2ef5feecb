// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/intervals/nesting.h"
#include "core/store/store.h"

// What is known of the calls that a Python tracer recorded (Label::python).

namespace tfprof {

enum class PythonKind : uint8_t {
  none,       // not a call that a Python tracer recorded
  user,       // a function of the program
  nameless,   // <listcomp>, <lambda>, <module>: part of the function around it
  ambiguous,  // a file name that libraries and programs use: belongs to its caller's side
  library,    // a function of a framework, a library or Python itself
  native,     // a function in C
};

// A call in which a thread waits or does something that has a name of its own.
enum class PythonAction : uint8_t {
  none,
  waits_for_queue,
  waits_for_lock,
  releases_lock,  // or closes something else: the end of any `with` block of a class in C
  collects,
  sleeps,
  saves,       // writes a checkpoint
  marks_step,  // begins the next step of the recorder
};

struct PythonName {
  PythonKind kind = PythonKind::none;
  PythonAction action = PythonAction::none;
  std::string_view module;  // the file's name, or the module of a function in C; may be unknown
  std::string_view function;
  bool copies = false;  // makes a copy of an array, or moves it between host and device

  bool some() const { return kind != PythonKind::none; }
};

PythonName PythonNameOf(const Store& store, const Label& label);
PythonName PythonNameOfEvent(const Store& store, uint32_t row);

// Returns the row of the innermost function of the program around an event; kNoRow: none.
uint32_t ProgramFunctionAround(const Store& store, const LaneNesting& nesting, uint32_t row);

// True for a library's wrapper around any function: what it calls says more.
bool IsWrapper(const PythonName& name);

// Returns the name that its users know: load_batch, time.sleep, np.savez, "queue.py get".
std::string DisplayText(const PythonName& name);

}  // namespace tfprof
