/* A step from one deformation gradient to the next as a constant velocity gradient, L = log(F1 F0^-1) / dt, and how
 * that changes with F1. In double precision. */
#ifndef SW_ONLINE_MATERIAL_POINT_MOTION_H
#define SW_ONLINE_MATERIAL_POINT_MOTION_H

typedef struct {
    double dt;
    double velocity_gradient[3][3]; /* L, 1/s */
    double volume;                  /* J = det F1 */
    double inverse[3][3];           /* F1^-1 */
    /* X = (A - 1)(A + 1)^-1 of A = F1 F0^-1: log A = 2 (X + X^3/3 + X^5/5 + ...), and dX = 2 H dA H with H = (A +
     * 1)^-1. */
    double x[3][3], h[3][3], from_old[3][3]; /* from_old: F0^-1 */
} sw_point_motion;

/* ||X|| at most: turns of some 0.7 rad; half a dozen terms make it exact where strains are some per cent. */
#define SW_POINT_MOTION_MOST 0.5

/* The step from f0 to f1, whose ||D|| dt is at most `largest`. Returns whether it can be made: gradients are numbers
 * and have positive determinants, dt > 0, and neither strain nor turn is too large. */
int sw_point_motion_of(const double f0[3][3], const double f1[3][3], double dt, double largest,
                       sw_point_motion *motion);

/* F1 changes by df, L by dl. */
void sw_point_motion_follow(const sw_point_motion *motion, const double df[3][3], double dl[3][3]);

#endif
