# Headers, both libraries, the command, its man pages, completions, the licence, the examples, and what pkg-config
# and find_package read. `make uninstall` takes away what the manifest lists: tools/uninstall.sh.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sporf)

install(FILES include/sporf.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS sporf_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sporf EXPORT sporf-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS sporf_static EXPORT sporf-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT sporf-shared NAMESPACE sporf:: DESTINATION ${package_dir})
install(EXPORT sporf-static NAMESPACE sporf:: DESTINATION ${package_dir})

file(GLOB man_pages CONFIGURE_DEPENDS cli/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Completions for shells, made by asking the command; where it does not run here, as one for another
# machine, there are none.
set(completions ${PROJECT_BINARY_DIR}/completions)
install(CODE "
  file(MAKE_DIRECTORY ${completions})
  foreach(shell bash zsh fish)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/completion.sh $<TARGET_FILE:sporf_command> \${shell}
                    OUTPUT_FILE ${completions}/\${shell} ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      file(REMOVE ${completions}/\${shell})
    endif()
  endforeach()")
install(FILES ${completions}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sporf OPTIONAL)
install(FILES ${completions}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _sporf OPTIONAL)
install(FILES ${completions}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME sporf.fish OPTIONAL)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB example_files CONFIGURE_DEPENDS examples/*.c)
install(FILES ${example_files} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

configure_package_config_file(cmake/sporf-config.cmake.in sporf-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(sporf-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sporf-config.cmake
              ${PROJECT_BINARY_DIR}/sporf-config-version.cmake
              cmake/sporf-dependencies.cmake
        DESTINATION ${package_dir})

# The linker words for a static link: a library by its path becomes -l, with -L where the linker
# would not look by itself.
set(pc_libs_private "")
foreach(path ${ZLIB_LIBRARIES})
  if(IS_ABSOLUTE "${path}" AND EXISTS "${path}")
    get_filename_component(directory ${path} DIRECTORY)
    get_filename_component(name ${path} NAME_WE)
    string(REGEX REPLACE "^lib" "" name ${name})
    if(NOT directory IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND pc_libs_private -L${directory})
    endif()
    list(APPEND pc_libs_private -l${name})
  endif()
endforeach()
if(SPORF_CUDA AND NOT SPORF_CUDA STREQUAL "EMULATED")
  list(APPEND pc_libs_private -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt)
endif()
list(APPEND pc_libs_private -pthread -lm)
list(JOIN pc_libs_private " " pc_libs_private)

# With a relative libdir the file finds its prefix by itself, wherever the tree was put.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(name LIBDIR INCLUDEDIR)
  string(TOLOWER pc_${name} variable)
  set(${variable} "\${prefix}/${CMAKE_INSTALL_${name}}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${name}}")
    set(${variable} ${CMAKE_INSTALL_${name}})
  endif()
endforeach()
configure_file(cmake/sporf.pc.in sporf.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sporf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(CODE "set(library_dir \"${CMAKE_INSTALL_LIBDIR}\")")
install(SCRIPT cmake/loader.cmake)
