/* Directions for the Eshelby problem: Gauss and Legendre's along the axis by equal angles around it; or VPSC8's, of which the
 * numbers below are, ten angles and shares for each of eleven ranges of shapes, both ways around.
 *
 * The tables are VPSC8's (lanl/VPSC_code, 99ad39b8): Copyright (c) 2022, Los Alamos National Laboratory, all rights reserved;
 * its BSD 3-clause licence is in licenses/VPSC8. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "common/math/rotation.h"
#include "self_consistent.h"

static const double vpsc[11][2][10] = {
    {{4.71236594E-02, 0.241774723, 0.565131843, 0.968887568, 1.37937832, 1.76221442, 2.17270517, 2.57646084,
      2.89981818, 3.09446883},
     {0.120191820, 0.264987558, 0.373805553, 0.420841277, 0.390970200, 0.390970260, 0.420841366, 0.373805553,
      0.264987499, 0.120192111}},
    {{1.57080423E-02, 0.144995824, 0.425559640, 0.829968274, 1.31460333, 1.82698941, 2.31162453, 2.71603298,
      2.99659705, 3.12588477},
     {5.41692823E-02, 0.207461149, 0.348739326, 0.452716887, 0.507709801, 0.507709682, 0.452716798,
      0.348738998, 0.207461327, 5.41692935E-02}},
    {{3.76990959E-02, 0.198626831, 0.483041346, 0.871647120, 1.32964790, 1.81194484, 2.26994562, 2.65855122,
      2.94296598, 3.10389376},
     {9.68142375E-02, 0.224478707, 0.341134071, 0.430180043, 0.478189558, 0.478189170, 0.430180043,
      0.341134191, 0.224478647, 9.68143344E-02}},
    {{3.45576368E-02, 0.187556863, 0.468425453, 0.859980166, 1.32527423, 1.81631863, 2.28161263, 2.67316723,
      2.95403576, 3.10703516},
     {8.95763785E-02, 0.217725381, 0.341026783, 0.435772508, 0.486694932, 0.486695170, 0.435772508,
      0.341026902, 0.217725128, 8.95764604E-02}},
    {{3.14158052E-02, 0.177928671, 0.457155794, 0.851592362, 1.32222414, 1.81936860, 2.29000044, 2.68443704,
      2.96366405, 3.11017680},
     {8.26927349E-02, 0.213228315, 0.342008322, 0.440196186, 0.492670894, 0.492670983, 0.440195888,
      0.342008322, 0.213227972, 8.26930404E-02}},
    {{2.98452154E-02, 0.173592165, 0.452448040, 0.848216832, 1.32101476, 1.82057810, 2.29337597, 2.68914461,
      2.96800065, 3.11174774},
     {7.93928578E-02, 0.211627841, 0.342669785, 0.442057431, 0.495048553, 0.495048642, 0.442057490,
      0.342670023, 0.211627468, 7.93929026E-02}},
    {{2.67036632E-02, 0.165752888, 0.444431901, 0.842614472, 1.31902647, 1.82256627, 2.29897833, 2.69716072,
      2.97583985, 3.11488938},
     {7.30879456E-02, 0.209402516, 0.344104946, 0.445234656, 0.498966068, 0.498966306, 0.445234746,
      0.344104946, 0.209402665, 7.30878562E-02}},
    {{2.67036632E-02, 0.165752888, 0.444431901, 0.842614472, 1.31902647, 1.82256627, 2.29897833, 2.69716072,
      2.97583985, 3.11488938},
     {7.30879456E-02, 0.209402516, 0.344104946, 0.445234656, 0.498966068, 0.498966306, 0.445234746,
      0.344104946, 0.209402665, 7.30878562E-02}},
    {{2.43473575E-02, 0.160516247, 0.439386278, 0.839168847, 1.31781363, 1.82377899, 2.30242372, 2.70220637,
      2.98107672, 3.11724544},
     {6.86219111E-02, 0.208388865, 0.345189095, 0.447236270, 0.501360059, 0.501359940, 0.447236151,
      0.345189214, 0.208388969, 6.86219335E-02}},
    {{2.19910536E-02, 0.155757755, 0.434985727, 0.836206555, 1.31677616, 1.82481658, 2.30538607, 2.70660710,
      2.98583508, 3.11960149},
     {6.43825606E-02, 0.207786217, 0.346235514, 0.448981822, 0.503410578, 0.503410578, 0.448981792,
      0.346235693, 0.207785636, 6.43827692E-02}},
    {{2.04204638E-02, 0.152822554, 0.432348520, 0.834448099, 1.31616223, 1.82543063, 2.30714464, 2.70924401,
      2.98877001, 3.12117243},
     {6.16818815E-02, 0.207559645, 0.346902698, 0.450027168, 0.504624724, 0.504624426, 0.450027317,
      0.346902847, 0.207559645, 6.16819337E-02}},
};

/* ---- Gauss and Legendre ---- */

enum { RULES = 4, ORDER_MOST = 64 };
static const int order_of[2][RULES] = {{16, 24, 40, ORDER_MOST}, {12, 20, 32, ORDER_MOST}};
static const double aspect_most[RULES] = {3, 10, 25, INFINITY};
static double sphere[2][RULES][4 * ORDER_MOST * ORDER_MOST], vpsc_nodes[11][4 * 104];

/* Number i of n on (-1, 1), by Newton's method on Legendre's polynomial. */
static double legendre_node(int n, int i, double *share)
{
    double x = cos(SW_PI * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int k = 0; k < 50; k++) {
        double p = 1, before = 0;
        for (int j = 1; j <= n; j++) {
            const double older = before;
            before = p;
            p = ((2 * j - 1) * x * before - (j - 1) * older) / j;
        }
        slope = n * (x * p - before) / (x * x - 1);
        x -= p / slope;
    }
    *share = 2 / ((1 - x * x) * slope * slope);
    return x;
}

static void make_sphere(int n, double *node)
{
    const int count = n * n;
    for (int i = 0; i < n; i++) {
        double share;
        const double z = legendre_node(n, i, &share), radius = sqrt(1 - z * z);
        for (int j = 0; j < n; j++) {
            const double angle = SW_PI * (j + 0.5) / n;
            const int at = i * n + j;
            node[at] = radius * cos(angle);
            node[count + at] = radius * sin(angle);
            node[2 * count + at] = z;
            node[3 * count + at] = 0.5 * share / n;
        }
    }
}

static void make_vpsc(const double table[2][10], double node[4 * 104])
{
    memset(node, 0, 4 * 104 * sizeof *node);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            const int at = 10 * i + j;
            const double sine = sin(table[0][i]);
            node[at] = sine * cos(table[0][j]);
            node[104 + at] = sine * sin(table[0][j]);
            node[208 + at] = cos(table[0][i]);
            node[312 + at] = table[1][i] * sine * table[1][j] / (2 * SW_PI);
        }
    for (int at = 100; at < 104; at++)
        node[208 + at] = 1;
}

static void make_all(void)
{
    for (int r = 0; r < 2 * RULES; r++)
        make_sphere(order_of[r / RULES][r % RULES], sphere[r / RULES][r % RULES]);
    for (int c = 0; c < 11; c++)
        make_vpsc(vpsc[c], vpsc_nodes[c]);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

sw_sc_directions sw_sc_directions_for(double aspect, double tolerance)
{
    const int few = tolerance >= 5e-4;
    int r = 0;
    pthread_once(&once, make_all);
    while (r + 1 < RULES && !(aspect <= aspect_most[r]))
        r++;
    return (sw_sc_directions){order_of[few][r] * order_of[few][r], sphere[few][r]};
}

sw_sc_directions sw_sc_directions_of_vpsc(const double axes[3])
{
    /* its ranges: lines of a2/a3 that a1/a3 is between */
    static const double line[10] = {7, 17, 23, 26, 29.3, 32, 34.85, 37, 41.9, 44.5};
    const double ratio1 = axes[1] / axes[2], ratio2 = axes[0] / axes[2];
    int c = 10;
    pthread_once(&once, make_all);
    for (int i = 0; i < 10; i++) {
        const double above = i == 0 ? 0 : line[i - 1] - (i == 1 ? 0.7 : 1) * ratio1;
        if (ratio2 >= above && ratio2 < line[i] - (i == 0 ? 0.7 : 1) * ratio1)
            c = i;
    }
    return (sw_sc_directions){104, vpsc_nodes[c]};
}
