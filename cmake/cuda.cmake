# The GPU trainer: src/gpu in the place of src/gpu/no_gpu.c, as the target sporf_gpu. CMAKE_CUDA_ARCHITECTURES says for which
# GPUs. Contraction is off here, too: a GPU grows the same forest as the CPU. The CUDA runtime is linked in, so that the
# library needs nothing but the driver, and that only where a GPU is used.
#
# With SPORF_CUDA=EMULATED the CPU runs the kernels, slowly: to test them where there is no GPU.
file(GLOB gpu_sources CONFIGURE_DEPENDS src/gpu/*.cu)
list(FILTER library_sources EXCLUDE REGEX "/src/gpu/no_gpu\\.c$")

if(SPORF_CUDA STREQUAL "EMULATED")
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set_source_files_properties(${gpu_sources} PROPERTIES LANGUAGE CXX)
  add_library(sporf_gpu OBJECT ${gpu_sources} tests/gpu/emulated_cuda.cpp)
  target_compile_options(sporf_gpu PRIVATE -x c++ -O1 -U_FORTIFY_SOURCE -Wno-unknown-pragmas -ffp-contract=off
    -include ${CMAKE_CURRENT_SOURCE_DIR}/tests/gpu/emulated_cuda.h)
  list(APPEND library_dependencies stdc++)
else()
  include(cuda_compiler)
  add_library(sporf_gpu OBJECT ${gpu_sources})
  # -O3 in every kind of build: kernels without it are too slow to be of use.
  target_compile_options(sporf_gpu PRIVATE -O3 -fmad=false
    -Xcompiler=-Wall,-ffp-contract=off,-fno-exceptions,-fno-rtti)
  list(APPEND library_dependencies CUDA::cudart_static)
endif()
set_target_properties(sporf_gpu PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(sporf_gpu PRIVATE include src)
list(APPEND library_objects $<TARGET_OBJECTS:sporf_gpu>)
