#include "found.h"

#include <math.h>
#include <stdlib.h>

double sw_fit_misfit(const sw_fit_found *found)
{
    double sum = 0;
    if (found->residuals == found->parameters)
        return NAN;
    for (int i = 0; i < found->residuals; i++)
        sum += found->residual[i] * found->residual[i];
    return sum / (found->residuals - found->parameters);
}

void sw_fit_found_free(sw_fit_found *found, const sw_fit *fit)
{
    if (found == NULL)
        return;
    for (unsigned k = 0; k < fit->curves_count; k++) {
        if (found->test != NULL)
            sw_fit_test_close(&found->test[k]);
        if (found->stress != NULL)
            free(found->stress[k]);
    }
    free(found->test);
    free(found->stress);
    free(found->uncertainty);
    free(found->correlation);
    free(found->residual);
    free(found->r);
    free(found->search);
    free(found);
}
