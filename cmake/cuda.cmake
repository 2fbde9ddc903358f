# The GPU trainer: src/gpu in the place of src/gpu/no_gpu.c, as the target sporf_gpu. CMAKE_CUDA_ARCHITECTURES says for which
# GPUs. Contraction is off here, too: a GPU grows the same forest as the CPU. The CUDA runtime is linked in, so that the
# library needs nothing but the driver, and that only where a GPU is used.
#
# With SPORF_CUDA=EMULATED the CPU runs the kernels, slowly: to test them where there is no GPU.
list(FILTER library_sources EXCLUDE REGEX "/src/gpu/no_gpu\\.c$")

if(SPORF_CUDA STREQUAL "EMULATED")
  include(emulated_cuda)
  add_emulated_gpu(sporf_gpu)
  list(APPEND library_dependencies stdc++)
else()
  include(cuda_compiler)
  file(GLOB gpu_sources CONFIGURE_DEPENDS src/gpu/*.cu)
  add_library(sporf_gpu OBJECT ${gpu_sources})
  # -O3 in every kind of build: kernels without it are too slow to be of use.
  target_compile_options(sporf_gpu PRIVATE -O3 -fmad=false
    -Xcompiler=-Wall,-ffp-contract=off,-fno-exceptions,-fno-rtti)
  list(APPEND library_dependencies CUDA::cudart_static)
endif()
set_target_properties(sporf_gpu PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(sporf_gpu PRIVATE include src)
list(APPEND library_objects $<TARGET_OBJECTS:sporf_gpu>)
