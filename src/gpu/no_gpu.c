/* The library built without GPU support. */
#include "gpu/gpu.h"

static const char reason[] = "this build has no GPU support, which needs an NVIDIA GPU, CUDA and "
                             "the CMake option SPORF_CUDA=ON";

const spf_device *spf_gpu(const char **why) {
    *why = reason;
    return NULL;
}

const spf_predictor *spf_gpu_predictor(const char **why) {
    *why = reason;
    return NULL;
}
