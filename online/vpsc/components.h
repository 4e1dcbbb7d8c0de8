/* Ideal components of rolled cubic metals, as VPSC8 counts them: CUBCOMP.IN and CUBCOMPn.OUT. */
#ifndef SW_ONLINE_VPSC_COMPONENTS_H
#define SW_ONLINE_VPSC_COMPONENTS_H

#include "output/output.h"

enum { SW_VPSC_COMPONENTS = 6, SW_VPSC_IDEALS = 300 /* at most */ };

typedef struct {
    int n_components, n;
    char label[SW_VPSC_COMPONENTS][4];
    int of[SW_VPSC_IDEALS];         /* [n] component of each orientation */
    double g[SW_VPSC_IDEALS][3][3]; /* [n] sample -> crystal */
} sw_vpsc_components;

/* From CUBCOMP.IN, in any case of letters, where input files are looked for. SW_ERR_INPUT, SW_ERR_IO. */
sw_status sw_vpsc_read_components(const sw_vpsc_input *input, sw_vpsc_components *components);
/* Weights of crystals within 15 degrees of each, %; step 0 begins the files. */
void sw_vpsc_write_components(sw_vpsc_output *output, const sw_vpsc_components *components, int step,
                              const sw_vpsc_polycrystal *polycrystal);

#endif
