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

find_package(ZLIB QUIET)
sporf_require(ZLIB_FOUND "zlib" zlib1g-dev)

# Some builds of OpenBLAS carry LAPACKE inside.
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES lapacke openblas)
find_library(LAPACKE_LIBRARY NAMES lapacke openblas)
sporf_require(LAPACKE_INCLUDE_DIR "LAPACKE (lapacke.h)" liblapacke-dev)
sporf_require(LAPACKE_LIBRARY "LAPACKE (liblapacke)" liblapacke-dev)

find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_library(XXHASH_LIBRARY xxhash)
sporf_require(XXHASH_INCLUDE_DIR "xxHash (xxhash.h)" libxxhash-dev)
sporf_require(XXHASH_LIBRARY "xxHash (libxxhash)" libxxhash-dev)

foreach(name LAPACKE XXHASH)
  string(TOLOWER sporf_${name} target)
  if(NOT TARGET ${target})
    add_library(${target} UNKNOWN IMPORTED)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION ${${name}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE_DIR})
  endif()
endforeach()
