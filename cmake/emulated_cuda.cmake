# The kernels of src/gpu as C++, for a CPU that runs them in place of a GPU.
enable_language(CXX)

function(add_emulated_gpu name)
  file(GLOB sources CONFIGURE_DEPENDS src/gpu/*.cu)
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
  add_library(${name} OBJECT ${sources} tests/gpu/emulated_cuda.cpp)
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE include src)
  target_compile_options(${name} PRIVATE -x c++ -O1 -U_FORTIFY_SOURCE -Wno-unknown-pragmas -ffp-contract=off
    -include ${PROJECT_SOURCE_DIR}/tests/gpu/emulated_cuda.h)
endfunction()
