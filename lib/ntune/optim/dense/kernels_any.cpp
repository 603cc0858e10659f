#include "ntune/optim/dense/kernels.h"

// What every processor of the kind has; on x86-64 SSE2, with 16 registers of two doubles.
#define NTUNE_KERNELS kAnyKernels
#define NTUNE_KERNELS_NAME "any"
#define NTUNE_LANES 2
#define NTUNE_VECTORS 2
#define NTUNE_COLUMNS 4
#include "ntune/optim/dense/kernels.inc"
