/* What the self-consistent scheme (scheme.h) works on: its passes and their sums, its numbers, the medium. Vectors of five as in
 * deviator.h, sample frame, Pa and 1/s. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_MEDIUM_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_MEDIUM_H

/* At most. */
enum { SW_SC_PHASES = 4 };
/* How far Newton's steps of the medium go, over 1/n of the stress. */
#define SW_SC_TRUST 1.5
/* Iterations of moduli before the last one that the next is made of. */
enum { SW_SC_WINDOW = 2 };
/* Rates that are tried, at most, where what resists depends on the one that is found. A stress that hangs on rates alone, with none given,
 * has no size. */
enum { SW_SC_ROUNDS = 20 };
/* How well moduli are met, over what the grains' stresses still change by. */
#define SW_SC_NEAR 0.03

typedef enum {
    SW_SC_SECANT,
    SW_SC_AFFINE,
    SW_SC_TANGENT,
    SW_SC_NEFF,
    SW_SC_SECOND_ORDER,
    SW_SC_LINEARIZATIONS
} sw_sc_linearization;

/* What is asked for next: all grains, or all directions of the quadrature. */
typedef enum {
    SW_SC_FILL,      /* grains: their rows, what resists by the medium's rate; no sums */
    SW_SC_BEGIN,     /* grains: moduli at the stresses that they have; those without one take one along D */
    SW_SC_TAYLOR,    /* grains: their stress at D, and moduli there */
    SW_SC_SACHS,     /* grains: the stress S, and moduli there */
    SW_SC_INCLUSION, /* directions: the Eshelby problem of a phase's shape in the medium */
    SW_SC_MODULI,    /* grains: A, with the moduli that they have */
    SW_SC_GRAINS,    /* grains: stress by Newton's method in the medium, moduli there */
    SW_SC_GROWTH, /* grains: what resists as the step ends, over what did, to `growth`; sums stay those of SW_SC_GRAINS */
    SW_SC_DONE
} sw_sc_pass;

/* Sums of a pass over the grains of a phase, by weight; a symmetric tensor as its lower triangle. The last four where grains
 * have shapes of their own. */
enum {
    SW_SC_U = 0,       /* [15] A; of SW_SC_TAYLOR 1 / M */
    SW_SC_AD0 = 15,    /* [5] A d0; of SW_SC_TAYLOR d0 */
    SW_SC_WEIGHT = 20, /* of SW_SC_MODULI the last, of shapes that are not the grains' own */
    SW_SC_S = 21,      /* [5] stress */
    SW_SC_D = 26,      /* [5] strain rate */
    SW_SC_CHANGE = 31, /* |s - s before|^2 */
    SW_SC_FAILED,      /* grains without an answer: a count */
    SW_SC_UT,          /* [15] of SW_SC_GRAINS: 1 / (M~ + what d changes with s by), of what is secant */
    SW_SC_SUMS = SW_SC_UT + 15,
    SW_SC_V = SW_SC_SUMS,      /* [25] A M~ */
    SW_SC_T = SW_SC_V + 25,    /* [15] M~ */
    SW_SC_X = SW_SC_T + 15,    /* [15] M~ A M~ */
    SW_SC_MAD0 = SW_SC_X + 15, /* [5] M~ A d0 */
    SW_SC_SUMS_OF_SHAPES = SW_SC_MAD0 + 5,
    SW_SC_INCLUSION_SUMS = 31 /* 15 of P, 15 of the spin's [3][5]; the shares, of whose sum they are means */
};

/* Numbers of the scheme: what a job says, or what VPSC8 does. */
typedef struct {
    sw_sc_linearization linearization;
    double neff; /* M~ times this: 1 of secant and affine; of tangent the exponent */
    double stress_tolerance, rate_tolerance, moduli_tolerance;
    double newton_tolerance; /* of a grain's strain rate, over e */
    int outer, inner;        /* iterations at most; inner: of moduli, with grains as they are */
    int inner_first;         /* likewise, before the first of grains */
    int compatible;          /* VPSC8's way (compatible.h) */
    int own_shapes;          /* each grain's ellipsoid is its own, not its phase's */
    int keep_shape;          /* ellipsoids stay as they are */
} sw_sc_rules;

/* Conditions on the medium: of each of six components, 11 22 33 23 13 12, its strain rate or its Cauchy stress; or, where `free` is
 * above 0, D = base + sum_k x_k along_k with along_k . S = value_k, vectors of five; or, where `spring` is, grown S = held - spring D, of
 * the stress that S has become as the step ends, and x is D, as rate is. */
enum { SW_SC_FREE = 6 };
typedef struct {
    int stress_given[6];
    double rate[6], stress[6];
    int free;
    double base[5], along[SW_SC_FREE][5], value[SW_SC_FREE], x[SW_SC_FREE];
    double spring, held[5], grown;
} sw_sc_conditions;

/* An ellipsoid for the quadrature: directions alpha along map n, n on the sphere, whose shares are a b c / |(a n1, b n2, c n3)|^3,
 * which makes their mean that of the ellipsoid. */
typedef struct {
    double map[3][3], axes[3];
} sw_sc_shape;

typedef struct {
    sw_sc_shape shape;
    double share;    /* of all its grains in the polycrystal's weight */
    double mt[5][5]; /* M~ */
    double spin[3]
               [5]; /* of 12 13 23 that a grain turns with by d - D: R / P, in the end; R on the way there */
    double p_inverse[5][5];
    double e[5];                 /* d + M~ s = e of its grains */
    double mean_s[5], mean_d[5]; /* of its grains */
} sw_sc_phase_state;

typedef struct {
    sw_sc_pass pass;
    int phase, phases; /* of SW_SC_INCLUSION; of all */
    int warm;          /* M, d0 and the grains' moduli are those of a step before */
    int recovered; /* of VPSC8's way: M, d0, the mean stress and grains' stresses are, their moduli are not */
    int stress_control;
    sw_sc_conditions conditions;
    double m[5][5], d0[5];       /* the medium's */
    double l[5][5];              /* 1/M */
    double d[5], s[5], pressure; /* its rate and stress; pressure: the mean stress, where one is given */
    double mean_s[5], mean_d[5]; /* of the grains */
    double d_star[5], s_star[5]; /* in place of D, S for grains with shapes of their own */
    double b_inverse[5][5], sg0[5];
    double vt[5][5]; /* of several phases: mean of 1 / (M~ + what d changes with s by), their U, times M~ */
    double exponent; /* n, of phases the largest */
    double rate;     /* |D|, as it was first guessed, and what resists is by it */
    int by_rate;     /* which depends on it: a rate that was found is to be that */
    double dt;       /* s; growth; iteration that it is of: where a spring is */
    double growth;
    int grown_at;
    int resting;     /* nothing flows, and the stress is the one that is held */
    int rounds;      /* so many rates have been tried */
    double error[3]; /* |s - s before|, |<s> - S|, |<d> - D|, relative */
    int outer, inner, inner_all;
    int converged;
    int cold;             /* grains begin without stresses: their first moduli say nothing of the medium */
    int relaxed;          /* M has been, for the grains that follow */
    double went_in[5][5]; /* M that the grains were last solved in */
    double tangent[5][5], at_means[5]; /* how <s> and <d> change with each other, and d where s is <s> */
    double size_in, size_out;          /* logarithms of its size then and as it came out, the time before */
    double slope;                      /* of the latter by the former */
    int held;                          /* it would have gone out of bounds, the last time */
    /* Of the last iterations of moduli: M as it went in, and what it gained, lower triangles. */
    double in[SW_SC_WINDOW + 1][15], gain[SW_SC_WINDOW + 1][15];
    double failed;
    /* Of SW_SC_SECOND_ORDER: a lower triangle that says how stresses vary within grains, once it is known, and by how much, over the square of
     * their mean. */
    int fluctuates;
    double fluctuation[15], fluctuation_size;
    double
        first_fluctuation; /* of stresses of which nothing is known yet: C over |s|^2, along each of five; 0 of others */
    sw_sc_phase_state of[SW_SC_PHASES];
} sw_sc_medium;

/* Moduli are up to n times what is secant. */
SW_HD static inline int sw_sc_is_steep(const sw_sc_rules *rules)
{
    return rules->linearization == SW_SC_AFFINE || rules->linearization == SW_SC_SECOND_ORDER;
}

/* All grains have one shape: sums of A and A d0 say all. */
SW_HD static inline int sw_sc_is_plain(const sw_sc_medium *p, const sw_sc_rules *rules)
{
    return p->phases == 1 && !rules->own_shapes;
}

#endif
