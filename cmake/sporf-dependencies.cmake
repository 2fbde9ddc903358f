# What the library links with. Installed beside the package files too, where only a program that
# takes the static library reads it.

# Stops with the name of the Debian package when something was not found.
macro(sporf_require variable what package)
  if(NOT ${variable})
    message(FATAL_ERROR "${what} was not found. On Debian or Ubuntu: apt-get install ${package}. "
                        "Elsewhere install it and, if it lies in an unusual place, name that place "
                        "in CMAKE_PREFIX_PATH.")
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(SPORF_CUDA AND NOT SPORF_CUDA STREQUAL "EMULATED")
  find_package(CUDAToolkit REQUIRED)
endif()

if(SPORF_ZLIB)
  find_package(ZLIB QUIET)
  sporf_require(ZLIB_FOUND "zlib" "zlib1g-dev, or configure with -DSPORF_ZLIB=OFF to do without gzip")
endif()
