/* The kernels of solver `rigid_plastic` for crystals by laws with a structure. */
#define SW_LAW_ALL 1
#define SW_RIGID_PLASTIC_NAME(name) sw_rigid_plastic_all_##name
#include "rigid_plastic_families.cu"
