/* The library built without GPU support. */
#include "gpu/gpu.h"

const spf_device *spf_gpu(const char **why) {
    *why = "this build has no GPU support, which needs CUDA and the CMake option SPORF_CUDA=ON";
    return NULL;
}
