// SPDX-License-Identifier: Apache-2.0
// The functions of CPython that are called, found in the process by their names.
#pragma once

#include <cstddef>

namespace tfprof::capture {

struct PythonApi {
  // Callable without the GIL
  int (*IsInitialized)();
  const char* (*GetVersion)();
  void* (*GetThisThreadState)();
  int (*AddPendingCall)(int (*function)(void*), void* argument);
  // These only read what never changes, so they need no lock for the caller's own functions.
  int (*CodeLine)(void* code, int offset);
  ptrdiff_t (*TextLength)(void* text);
  unsigned (*TextCharacter)(void* text, ptrdiff_t index);
  // Take or give up the lock
  int (*TakeLock)();
  void (*LeaveLock)(int before);
  void* (*PauseThread)();
  void (*ContinueThread)(void* thread);
  // With the lock only
  void* (*CurrentThreadState)();
  void* (*InnermostFrame)(void* thread);
  void* (*CallerOf)(void* frame);
  void* (*CodeOf)(void* frame);
  void* (*Attribute)(void* object, const char* name);
  long (*AsLong)(void* number);
  void (*ClearError)();
  void (*Release)(void* object);
  void* (*FromLong)(long number);
  void* (*Import)(const char* module);
  void* (*NewFunction)(void* definition, void* self, void* module);
  void* (*CallMethod)(void* object, const char* name, const char* format, ...);
  // Data
  const void* code_type;
  const void* text_type;
  const void* runtime;  // null before 3.13
};

// Returns false if the process has no CPython.
bool FindPython(PythonApi* api);
// Returns false if it is one without what is needed: one before 3.9.
bool LoadPythonApi(PythonApi* api);

}  // namespace tfprof::capture
