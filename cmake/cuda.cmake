# The GPU trainer: src/gpu/*.cu in the place of src/gpu/no_gpu.c, as the target sporf_gpu. CMAKE_CUDA_ARCHITECTURES says for
# which GPUs. Contraction is off here, too: a GPU grows the same forest as the CPU. The CUDA runtime is linked in, so that the
# library needs nothing but the driver, and that only where a GPU is used.
if(NOT CMAKE_CUDA_COMPILER)
  find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
  sporf_require(CMAKE_CUDA_COMPILER "nvcc, which SPORF_CUDA=ON needs," nvidia-cuda-toolkit)
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)

file(GLOB gpu_sources CONFIGURE_DEPENDS src/gpu/*.cu)
if(NOT gpu_sources)
  message(FATAL_ERROR "SPORF_CUDA=ON, but src/gpu has no .cu files")
endif()
list(FILTER library_sources EXCLUDE REGEX "/src/gpu/no_gpu\\.c$")
list(APPEND library_dependencies CUDA::cudart_static)

# -O3 in every kind of build: kernels without it are too slow to be of use.
add_library(sporf_gpu OBJECT ${gpu_sources})
set_target_properties(sporf_gpu PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(sporf_gpu PRIVATE include src)
target_compile_options(sporf_gpu PRIVATE -O3 -fmad=false
  -Xcompiler=-Wall,-ffp-contract=off,-fno-exceptions,-fno-rtti)
list(APPEND library_objects $<TARGET_OBJECTS:sporf_gpu>)
