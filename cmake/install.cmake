# SPDX-License-Identifier: Apache-2.0
# What is installed beside the program, and the Debian package of all of it (`./dev package`).

# ---- made by the program itself, from its tables: the man page and completion for shells
set(made_dir ${PROJECT_BINARY_DIR}/made)
file(MAKE_DIRECTORY ${made_dir})
# Under a sanitizer leaks at exit are no concern here.
set(run_tfprof ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:tfprof>)
add_custom_command(
  OUTPUT ${made_dir}/tfprof.1.gz ${made_dir}/tfprof-capture.1.gz ${made_dir}/tfprof ${made_dir}/_tfprof ${made_dir}/tfprof.fish
  COMMAND ${run_tfprof} --man > ${made_dir}/tfprof.1
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:tfprof-capture> --man > ${made_dir}/tfprof-capture.1
  COMMAND gzip -9nf ${made_dir}/tfprof.1 ${made_dir}/tfprof-capture.1
  COMMAND ${run_tfprof} --completion bash > ${made_dir}/tfprof
  COMMAND ${run_tfprof} --completion zsh > ${made_dir}/_tfprof
  COMMAND ${run_tfprof} --completion fish > ${made_dir}/tfprof.fish
  DEPENDS tfprof tfprof-capture
  VERBATIM)
add_custom_target(pages ALL DEPENDS ${made_dir}/tfprof.1.gz)

install(TARGETS tfprof tfprof-capture)
if(TARGET tfprof-client)
  install(TARGETS tfprof-client)
endif()
# Programs load them by their paths: they are no libraries to link with.
install(TARGETS tfprof-capture-shim tfprof-capture-exit LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tfprof)
install(FILES ${PROJECT_SOURCE_DIR}/capture/python/sitecustomize.py DESTINATION ${CMAKE_INSTALL_LIBDIR}/tfprof/python)
install(FILES ${made_dir}/tfprof.1.gz ${made_dir}/tfprof-capture.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made_dir}/tfprof DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made_dir}/_tfprof DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made_dir}/tfprof.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/packaging/copyright
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The terms of the libraries that are part of the program, where Debian keeps them.
if(TFPROF_LINK_ARCHIVES)
  foreach(library protobuf re2 snappy utf8proc)
    install(FILES /usr/share/doc/lib${library}-dev/copyright
      DESTINATION ${CMAKE_INSTALL_DOCDIR}/libraries RENAME ${library} OPTIONAL)
  endforeach()
endif()

# ---- the library for other programs: find_package(tfprof)
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tfprof)
install(TARGETS tfprof_api EXPORT tfprof LIBRARY COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/api/include/tfprof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library)
install(EXPORT tfprof NAMESPACE tfprof:: FILE tfprofConfig.cmake DESTINATION ${config_dir}
  COMPONENT library)
write_basic_package_version_file(${made_dir}/tfprofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made_dir}/tfprofConfigVersion.cmake DESTINATION ${config_dir} COMPONENT library)

# ---- the package
find_program(gzip_program gzip REQUIRED)
add_custom_command(
  OUTPUT ${made_dir}/changelog.gz
  COMMAND ${gzip_program} -9nc ${PROJECT_SOURCE_DIR}/packaging/changelog > ${made_dir}/changelog.gz
  DEPENDS ${PROJECT_SOURCE_DIR}/packaging/changelog
  VERBATIM)
add_custom_target(changelog ALL DEPENDS ${made_dir}/changelog.gz)
install(FILES ${made_dir}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The programs alone: the library links the shared libraries that they have inside.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};tfprof;Unspecified;/")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tfprof)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # asks dpkg-shlibdeps which packages the libraries are in
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The tfprof authors <tfprof@packages.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "profile explorer for machine-learning programs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"tfprof opens XSpace traces of TensorFlow 2 and JAX, and graphs, run metadata,
op logs, checkpoints and profiles of TensorFlow. It shows where time and memory
went: in a shell, in scripts and in CI.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
