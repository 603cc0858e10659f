#include "ntune/optim/dense/kernels.h"

// 16 registers of four doubles. Compiled with AVX2; without fused multiplication and addition.
#define NTUNE_KERNELS kAvx2Kernels
#define NTUNE_KERNELS_NAME "AVX2"
#define NTUNE_LANES 4
#define NTUNE_VECTORS 2
#define NTUNE_COLUMNS 6
#include "ntune/optim/dense/kernels.inc"
