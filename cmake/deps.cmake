# SPDX-License-Identifier: Apache-2.0
# Every library we use, found here and nowhere else. The Debian packages are in the file `deps`.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)       # Threads::Threads
find_package(ZLIB REQUIRED)          # ZLIB::ZLIB
find_package(fmt 9 REQUIRED)         # fmt::fmt
find_package(tl-expected REQUIRED)   # tl::expected
find_package(CLI11 2.1 REQUIRED)     # CLI11::CLI11
find_package(Snappy REQUIRED)        # Snappy::snappy
find_package(Protobuf 3.21 REQUIRED) # protobuf::libprotobuf, protobuf_generate

# These come without CMake files.
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)             # PkgConfig::re2
pkg_check_modules(libedit REQUIRED IMPORTED_TARGET libedit)     # PkgConfig::libedit
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)        # PkgConfig::isal
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc) # PkgConfig::utf8proc

if(TFPROF_BUILD_TESTS)
  find_package(Catch2 2.13 REQUIRED) # Catch2::Catch2
endif()
