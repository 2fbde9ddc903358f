/* The GPU of this machine, for those who grow trees and predict with them. */
#ifndef SPF_GPU_GPU_H
#define SPF_GPU_GPU_H

#include "learn/device.h"
#include "predict/predictor.h"

/* NULL if the library was built without GPU support, or if there is no GPU that it can use; then
 * *why says so, in words. */
const spf_device *spf_gpu(const char **why);
const spf_predictor *spf_gpu_predictor(const char **why);

#endif
