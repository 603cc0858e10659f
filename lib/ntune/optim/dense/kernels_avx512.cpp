#include "ntune/optim/dense/kernels.h"

// 32 registers of eight doubles. Compiled with AVX-512.
#define NTUNE_KERNELS kAvx512Kernels
#define NTUNE_KERNELS_NAME "AVX-512"
#define NTUNE_LANES 8
#define NTUNE_VECTORS 1
#define NTUNE_COLUMNS 8
#include "ntune/optim/dense/kernels.inc"
