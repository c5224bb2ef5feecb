# SPDX-License-Identifier: Apache-2.0
# How our targets are made: includes are written from the repository root, and a folder lists its
# files by name.

# With CMAKE_UNITY_BUILD: files of one batch share names, also those of anonymous namespaces.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 48)

option(TFPROF_PRECOMPILE "parse the headers of libraries once: builds take a quarter less" ON)

# tfprof_library(NAME FILE...): linked into the program and into libtfprof.so.
function(tfprof_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  tfprof_in_libraries(${name})
  tfprof_precompile(${name} library)
endfunction()

# tfprof_in_libraries(NAME): its code may be part of a shared library. Hidden names make that code as fast as
# that of programs.
function(tfprof_in_libraries name)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# tfprof_optimize(NAME LEVEL): -O1 for what runs once per answer, -O2 for what runs once per row, and else -O3,
# for what runs once per event: more buys nothing there, and takes longer to build.
function(tfprof_optimize name level)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# tfprof_seldom(LIBRARY FILE...): files of a library that run once per file, answer, program or kind of operation.
# Call it after target_link_libraries(), which they share.
function(tfprof_seldom library)
  add_library(${library}_seldom OBJECT ${ARGN})
  target_include_directories(${library}_seldom PRIVATE $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
  target_link_libraries(${library}_seldom PRIVATE $<TARGET_PROPERTY:${library},LINK_LIBRARIES>)
  tfprof_in_libraries(${library}_seldom)
  tfprof_precompile(${library}_seldom library)
  tfprof_optimize(${library}_seldom -O1)
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${library}_seldom>)
endfunction()

# Parses cmake/headers.h once for all targets of a kind, whose options are alike: library, test or fuzz.
function(tfprof_precompile name kind)
  if(NOT TFPROF_PRECOMPILE)
    return()
  endif()
  set(headers tfprof_headers_${kind})
  if(NOT TARGET ${headers})
    add_library(${headers} OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cc)
    target_link_libraries(${headers} PRIVATE fmt::fmt tl::expected PkgConfig::re2)
    target_precompile_headers(${headers} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/headers.h)
    if(kind STREQUAL library)
      tfprof_in_libraries(${headers})
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM ${headers})
endfunction()

# tfprof_test(NAME FILE...): a Catch2 program run from the repository root.
function(tfprof_test name)
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:catch_main>)
  target_link_libraries(${name} PRIVATE Catch2::Catch2)
  tfprof_precompile(${name} test)
  # Tests are compiled more often than run: a quarter of the time goes to what -O3 adds.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

# tfprof_assets(HEADER FILE...): writes the generated header HEADER with the files as texts:
# flame/page.html is kFlamePageHtml.
function(tfprof_assets header)
  set(assets "")
  foreach(asset ${ARGN})
    string(REGEX REPLACE "[/_.]" ";" words ${asset})
    set(name k)
    foreach(word ${words})
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND name ${first}${rest})
    endforeach()
    file(READ ${asset} text)
    string(APPEND assets "inline constexpr std::string_view ${name} = R\"asset(${text})asset\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${asset})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${header} @ONLY CONTENT "#pragma once
#include <string_view>

namespace tfprof {
@assets@}  // namespace tfprof
")
endfunction()
