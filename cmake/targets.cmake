# SPDX-License-Identifier: Apache-2.0
# How our targets are made: includes are written from the repository root, and a folder lists its
# files by name.

# tfprof_library(NAME FILE...)
function(tfprof_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

# tfprof_test(NAME FILE...): a Catch2 program run from the repository root.
function(tfprof_test name)
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:catch_main>)
  target_link_libraries(${name} PRIVATE Catch2::Catch2)
  # Tests are compiled more often than run: a quarter of the time goes to what -O3 adds.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
