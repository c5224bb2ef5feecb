#define Py_BUILD_CORE 1
#include <Python.h>
#include <stddef.h>
#if PY_VERSION_HEX < 0x030b0000
#include <frameobject.h>
#else
#include <internal/pycore_frame.h>
#endif
#if PY_VERSION_HEX >= 0x030d0000
#include <internal/pycore_runtime.h>
#endif
#define P(x) printf("  %s %zu\n", #x, (size_t)(x))
int main(void){
 printf("%s\n", PY_VERSION);
#if PY_VERSION_HEX < 0x030b0000
 P(offsetof(PyThreadState, frame));
 P(offsetof(PyFrameObject, f_code));P(offsetof(PyFrameObject, f_back));P(offsetof(PyFrameObject, f_lasti));
 P(offsetof(PyCodeObject, co_firstlineno));
#else
#if PY_VERSION_HEX < 0x030d0000
 P(offsetof(PyThreadState, cframe)); P(offsetof(_PyCFrame, current_frame));
 P(offsetof(_PyInterpreterFrame, f_code)); P(offsetof(_PyInterpreterFrame, prev_instr));
#else
 P(offsetof(PyThreadState, current_frame));
 P(offsetof(_PyInterpreterFrame, f_executable)); P(offsetof(_PyInterpreterFrame, instr_ptr));
#endif
 P(offsetof(_PyInterpreterFrame, previous)); P(offsetof(_PyInterpreterFrame, owner));
 P(offsetof(PyCodeObject, co_qualname)); P(offsetof(PyCodeObject, co_code_adaptive));
#endif
#if PY_VERSION_HEX < 0x030a0000
 P(offsetof(PyCodeObject, co_lnotab));
#else
 P(offsetof(PyCodeObject, co_linetable));
#endif
 P(offsetof(PyCodeObject, co_firstlineno));
 P(offsetof(PyCodeObject, co_filename)); P(offsetof(PyCodeObject, co_name));
 P(sizeof(PyCodeObject));P(offsetof(PyThreadState,thread_id));
 P(offsetof(PyTypeObject, tp_basicsize));
 return 0;}
