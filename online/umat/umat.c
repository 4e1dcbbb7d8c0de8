/* The subroutines that Abaqus and CalculiX call; slipwave/umat.h. They print and end the program, as mains do: a code
 * that calls a user subroutine has no other way to be told. */
#include "slipwave/umat.h"

#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "common/system/status.h"

enum { STRESS_ONLY = 3 }; /* CalculiX' icmd */
static const double smaller = 0.5;

extern void xit_(void) __attribute__((weak)); /* how Abaqus ends; elsewhere not there */

/* Without the blanks that fill it up. */
static int length_of(const char *name, int hidden)
{
    int length = hidden > 0 && hidden <= 80 ? hidden : 80;
    while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\0'))
        length--;
    return length;
}

/* Whether the call is done; a smaller step is asked for if that helps. */
static int done(sw_status status, double *pnewdt)
{
    if (status == SW_OK)
        return 1;
    if (status != SW_ERR_CONVERGENCE) {
        fprintf(stderr, "slipwave: %s\n", sw_error_message());
        if (xit_ != NULL)
            xit_();
        exit(1);
    }
    *pnewdt = smaller;
    return 0;
}

/* ---- Abaqus ---- */

static sw_status check_abaqus(int ndi, int nshr, int ntens)
{
    return ndi == 3 && (nshr == 1 || nshr == 3) && ntens == ndi + nshr
               ? SW_OK
               : sw_error(SW_ERR_UNAVAILABLE,
                          "NDI = %d, NSHR = %d, NTENS = %d: need 3 and 1 or 3, and their sum: solids, plane "
                          "strain or "
                          "axisymmetric",
                          ndi, nshr, ntens);
}

void umat_(double *stress, double *statev, double *ddsdde, double *sse, double *spd, double *scd, double *rpl,
           double *ddsddt, double *drplde, double *drpldt, const double *stran, const double *dstran,
           const double *time, const double *dtime, const double *temp, const double *dtemp,
           const double *predef, const double *dpred, const char *cmname, const int *ndi, const int *nshr,
           const int *ntens, const int *nstatv, const double *props, const int *nprops, const double *coords,
           const double *drot, double *pnewdt, const double *celent, const double *dfgrd0,
           const double *dfgrd1, const int *noel, const int *npt, const int *layer, const int *kspt,
           const int *kstep, const int *kinc, int cmname_length)
{
    (void)sse, (void)spd, (void)scd, (void)rpl, (void)ddsddt, (void)drplde, (void)drpldt, (void)stran,
        (void)dstran;
    (void)time, (void)temp, (void)dtemp, (void)predef, (void)dpred, (void)props, (void)nprops, (void)coords;
    (void)drot, (void)celent, (void)layer, (void)kspt, (void)kstep, (void)kinc;
    const sw_umat_call call = {.name = cmname,
                               .length = length_of(cmname, cmname_length),
                               .element = *noel,
                               .point = *npt,
                               .numbers = *nstatv,
                               .dt = *dtime,
                               .old_gradient = dfgrd0,
                               .new_gradient = dfgrd1,
                               .old_state = statev,
                               .new_state = statev};
    sw_umat_answer answer;
    sw_status status = check_abaqus(*ndi, *nshr, *ntens);
    if (status == SW_OK)
        status = sw_umat_advance(&call, &answer);
    if (!done(status, pnewdt))
        return;
    for (int i = 0; i < *ntens; i++) {
        stress[i] = answer.stress[sw_umat_order[i]];
        for (int j = 0; j < *ntens; j++)
            ddsdde[j * *ntens + i] = answer.by_strain[sw_umat_order[i]][sw_umat_order[j]];
    }
}

/* ---- CalculiX ---- */

static sw_status check_calculix(const double beta[6], int iorien)
{
    if (iorien > 0)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "*ORIENTATION: need crystals in the global frame, turned in their file");
    for (int i = 0; i < 6; i++)
        if (beta[i] != 0)
            return sw_error(SW_ERR_UNAVAILABLE, "*INITIAL CONDITIONS, TYPE=STRESS: need none");
    return SW_OK;
}

/* What CalculiX asks first in an increment is for a stiffness to begin with (ielas = 1): boundaries have moved, nodes
 * have not, and it does not look at pnewdt. Where that is no step that can be made, a step at rest has one. */
static sw_status advance_calculix(sw_umat_call call, int elastic, sw_umat_answer *answer)
{
    const sw_status status = sw_umat_advance(&call, answer);
    if (status != SW_ERR_CONVERGENCE || !elastic)
        return status;
    call.new_gradient = call.old_gradient;
    return sw_umat_advance(&call, answer);
}

static void write_calculix(const sw_umat_answer *answer, int with_stiffness, double *stre, double *stiff)
{
    double stress[6], stiffness[6][6];
    sw_umat_pull_back(answer, stress, stiffness);
    for (int i = 0; i < 6; i++)
        stre[i] = stress[i];
    for (int j = 0; j < 6 && with_stiffness; j++)
        for (int i = 0; i <= j; i++)
            *stiff++ = (stiffness[i][j] + stiffness[j][i]) / 2;
}

void umat_user_(const char *amat, const int *iel, const int *iint, const int *kode, const double *elconloc,
                const double *emec, const double *emec0, const double *beta, const double *xokl,
                const double *voj, const double *xkl, const double *vj, const int *ithermal,
                const double *t1l, const double *dtime, const double *time, const double *ttime,
                const int *icmd, const int *ielas, const int *mi, const int *nstate_, const double *xstateini,
                double *xstate, double *stre, double *stiff, const int *iorien, const double *pgauss,
                const double *orab, double *pnewdt, const int *ipkon, int amat_length)
{
    (void)kode, (void)elconloc, (void)emec, (void)emec0, (void)voj, (void)vj, (void)ithermal, (void)t1l;
    (void)time, (void)ttime, (void)pgauss, (void)orab, (void)ipkon;
    const ptrdiff_t at = ((ptrdiff_t)(*iel - 1) * mi[0] + (*iint - 1)) * *nstate_;
    const sw_umat_call call = {.name = amat,
                               .length = length_of(amat, amat_length),
                               .element = *iel,
                               .point = *iint,
                               .numbers = *nstate_,
                               .dt = *dtime,
                               .old_gradient = xokl,
                               .new_gradient = xkl,
                               .old_state = xstateini + at,
                               .new_state = xstate + at};
    sw_umat_answer answer;
    sw_status status = check_calculix(beta, *iorien);
    if (status == SW_OK)
        status = advance_calculix(call, *ielas == 1, &answer);
    if (done(status, pnewdt))
        write_calculix(&answer, *icmd != STRESS_ONLY, stre, stiff);
}

SW_API extern __typeof__(umat_user_) UMAT_USER __attribute__((alias("umat_user_")));
