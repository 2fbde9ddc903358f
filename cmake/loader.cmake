# Run at the end of an installation: brings the dynamic loader's cache up to date, so that programs
# find the shared library at once, or says what they need instead. A staged installation (DESTDIR) is
# somebody else's to finish. Wants CMAKE_INSTALL_PREFIX and library_dir.
if(APPLE OR NOT "$ENV{DESTDIR}" STREQUAL "")
  return()
endif()
get_filename_component(directory "${library_dir}" ABSOLUTE BASE_DIR "${CMAKE_INSTALL_PREFIX}")
find_program(ldconfig ldconfig PATHS /sbin /usr/sbin)
set(listed "")
if(ldconfig)
  # Below other prefixes there is nothing to bring up to date, and only root may.
  if(CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?/?$")
    execute_process(COMMAND ${ldconfig} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  endif()
  execute_process(COMMAND ${ldconfig} -p OUTPUT_VARIABLE listed ERROR_QUIET)
endif()
string(FIND "${listed}" " ${directory}/libsporf.so" found)
if(found EQUAL -1)
  message(STATUS "Programs that use the shared library find it with LD_LIBRARY_PATH=${directory}, "
                 "or where they are linked with -Wl,-rpath,${directory}")
endif()
