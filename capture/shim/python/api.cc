// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/api.h"

#include <dlfcn.h>

#include <cstring>

namespace tfprof::capture {
namespace {

// Pointers to functions and to data have one size here.
template <class Pointer>
bool Find(const char* name, Pointer* to) {
  static_assert(sizeof(Pointer) == sizeof(void*));
  void* found = dlsym(RTLD_DEFAULT, name);
  std::memcpy(to, &found, sizeof found);
  return found != nullptr;
}

}  // namespace

bool FindPython(PythonApi* api) {
  return Find("Py_IsInitialized", &api->IsInitialized) && Find("Py_GetVersion", &api->GetVersion);
}

bool LoadPythonApi(PythonApi* api) {
  Find("_PyRuntime", &api->runtime);
  return Find("PyGILState_GetThisThreadState", &api->GetThisThreadState) &&
         Find("Py_AddPendingCall", &api->AddPendingCall) &&
         Find("PyCode_Addr2Line", &api->CodeLine) &&
         Find("PyUnicode_GetLength", &api->TextLength) &&
         Find("PyUnicode_ReadChar", &api->TextCharacter) &&
         Find("PyGILState_Ensure", &api->TakeLock) && Find("PyGILState_Release", &api->LeaveLock) &&
         Find("PyEval_SaveThread", &api->PauseThread) &&
         Find("PyEval_RestoreThread", &api->ContinueThread) &&
         Find("PyThreadState_Get", &api->CurrentThreadState) &&
         Find("PyThreadState_GetFrame", &api->InnermostFrame) &&
         Find("PyFrame_GetBack", &api->CallerOf) && Find("PyFrame_GetCode", &api->CodeOf) &&
         Find("PyObject_GetAttrString", &api->Attribute) && Find("PyLong_AsLong", &api->AsLong) &&
         Find("PyErr_Clear", &api->ClearError) && Find("Py_DecRef", &api->Release) &&
         Find("PyLong_FromLong", &api->FromLong) && Find("PyImport_ImportModule", &api->Import) &&
         Find("PyCFunction_NewEx", &api->NewFunction) &&
         Find("PyObject_CallMethod", &api->CallMethod) && Find("PyCode_Type", &api->code_type) &&
         Find("PyUnicode_Type", &api->text_type);
}

}  // namespace tfprof::capture
