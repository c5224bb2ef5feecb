# SPDX-License-Identifier: Apache-2.0
# How our targets are made: includes are written from the repository root, and a folder lists its
# files by name. A folder that has no file yet still configures, so that each builds alone.

function(tfprof_existing out)
  set(found "")
  foreach(file ${ARGN})
    get_filename_component(path ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    get_source_file_property(generated ${path} GENERATED)
    if(EXISTS ${path} OR generated)
      list(APPEND found ${path})
    else()
      message(WARNING "listed but absent, left out: ${file}")
    endif()
  endforeach()
  if(NOT found)
    set(found ${PROJECT_BINARY_DIR}/none.cc)
    if(NOT EXISTS ${found})
      file(WRITE ${found} "")
    endif()
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# tfprof_library(NAME FILE...)
function(tfprof_library name)
  tfprof_existing(files ${ARGN})
  add_library(${name} STATIC ${files})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

# tfprof_test(NAME FILE...): a Catch2 program run from the repository root.
function(tfprof_test name)
  tfprof_existing(files ${ARGN})
  add_executable(${name} ${files} $<TARGET_OBJECTS:catch_main>)
  target_link_libraries(${name} PRIVATE Catch2::Catch2)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
