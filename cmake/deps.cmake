# SPDX-License-Identifier: Apache-2.0
# Every library we use, found here and nowhere else. The Debian packages are in the file `deps`.

# Large libraries, of which every system has another version, go into the program: it starts in half
# of the time. See docs/architecture.md.
option(TFPROF_LINK_ARCHIVES "protobuf, re2, snappy, utf8proc as part of the program" ON)

find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter) # Python3::Interpreter: runs proto/fields.py
find_package(Threads REQUIRED)       # Threads::Threads
find_package(fmt 9 REQUIRED)         # fmt::fmt
find_package(tl-expected REQUIRED)   # tl::expected
find_package(CLI11 2.1 REQUIRED)     # CLI11::CLI11
set(Protobuf_USE_STATIC_LIBS ${TFPROF_LINK_ARCHIVES})
find_package(Protobuf 3.21 REQUIRED) # protobuf::libprotobuf, protobuf_generate

# These come without CMake files.
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)             # PkgConfig::re2
pkg_check_modules(snappy REQUIRED IMPORTED_TARGET snappy)       # PkgConfig::snappy
pkg_check_modules(libedit REQUIRED IMPORTED_TARGET libedit)     # PkgConfig::libedit
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)        # PkgConfig::isal
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc) # PkgConfig::utf8proc

# The client of profiler servers. Without them everything else is built.
set(TFPROF_CLIENT_LIBRARIES_FOUND OFF)
if(TFPROF_BUILD_CLIENT)
  pkg_check_modules(nghttp2 IMPORTED_TARGET libnghttp2>=1.43) # PkgConfig::nghttp2
  find_package(OpenSSL 1.1.1)                                 # OpenSSL::SSL
  if(nghttp2_FOUND AND OpenSSL_FOUND)
    set(TFPROF_CLIENT_LIBRARIES_FOUND ON)
  else()
    message(NOTICE "tfprof-client is not built: install libnghttp2-dev and libssl-dev (without it there is no `tfprof capture grpc://...`)")
  endif()
endif()

# Debian's archives are for programs: a library of ours links the shared ones. Its targets have the property
# TFPROF_IS_LIBRARY.
set(is_library $<BOOL:$<TARGET_PROPERTY:TFPROF_IS_LIBRARY>>)

# Some systems have no archives: then the shared library stays.
function(link_archive name)
  find_library(TFPROF_ARCHIVE_${name} lib${name}.a HINTS ${${name}_LIBRARY_DIRS})
  if(TFPROF_ARCHIVE_${name})
    set_target_properties(PkgConfig::${name} PROPERTIES INTERFACE_LINK_LIBRARIES
      "$<IF:${is_library},${${name}_LINK_LIBRARIES},${TFPROF_ARCHIVE_${name}}>;Threads::Threads")
  endif()
endfunction()
if(TFPROF_LINK_ARCHIVES)
  link_archive(re2)
  link_archive(snappy)
  link_archive(utf8proc)
endif()

add_library(tfprof_protobuf INTERFACE)
target_include_directories(tfprof_protobuf SYSTEM INTERFACE ${Protobuf_INCLUDE_DIRS})
find_library(TFPROF_SHARED_protobuf libprotobuf.so)
if(TFPROF_LINK_ARCHIVES AND TFPROF_SHARED_protobuf)
  target_link_libraries(tfprof_protobuf
    INTERFACE $<IF:${is_library},${TFPROF_SHARED_protobuf},protobuf::libprotobuf> Threads::Threads)
else()
  target_link_libraries(tfprof_protobuf INTERFACE protobuf::libprotobuf)
endif()

if(TFPROF_BUILD_TESTS)
  find_package(Catch2 2.13 REQUIRED) # Catch2::Catch2
endif()
if(TFPROF_BUILD_TESTS OR TFPROF_BUILD_FUZZERS)
  find_package(ZLIB REQUIRED)        # ZLIB::ZLIB
endif()
