#include "element.h"

#define NAME(name, number) [number] = #name,
const char *const sw_fem_kinematics_names[] = {SW_FEM_EACH_KINEMATICS(NAME)};

int sw_fem_unknowns(sw_fem_kinematics kinematics) { return sw_fem_components(kinematics); }
