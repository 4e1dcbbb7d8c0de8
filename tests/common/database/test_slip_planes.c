/* How slip is shared among four planes: from outputs and back, under turns of the lattice; which laws want it. */
#include "common/math/lanes_float.h"

#include "tests/families.h"
#include "tests/test.h"

#include "common/crystal/material_file.h"
#include "common/math/random.h"
#include "online/response/step/crystal_update.h"

enum { STRESSES = 200 };

static sw_material parsed(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("test", text, &m));
    return m;
}

static void draw(int i, double stress[6], double *phi2)
{
    double u[8];
    sw_random_uniform4(7, (uint64_t)i, 0, u);
    sw_random_uniform4(7, (uint64_t)i, 1, u + 4);
    for (int k = 0; k < 6; k++)
        stress[k] = 50e6 * (2 * u[k] - 1);
    *phi2 = 2 * SW_PI * u[6];
}

/* Slip rates of the systems of the plane with this normal, of all 1: by the slip law, straight from the systems. */
static double share_of(const sw_material *m, const double stress[6], const double normal[3])
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    sw_slip_systems s;
    double own = 0, all = 0;
    CHECK_OK(sw_material_systems(m, &s));
    for (int a = 0; a < s.count; a++) {
        double tau = 0, along = 0;
        for (int k = 0; k < 9; k++)
            tau += s.direction[a][k / 3] * stress[place[k / 3][k % 3]] * s.normal[a][k % 3];
        for (int k = 0; k < 3; k++)
            along += s.normal[a][k] * normal[k];
        const double rate = pow(fabs(tau) / 50e6, 1 / m->slip.rate_sensitivity);
        all += rate;
        own += fabs(fabs(along) - 1) < 1e-9 ? rate : 0;
    }
    return own / all;
}

/* What comes back of outputs, in the order of systems, is what each plane's systems slip: single precision's 6e-8 of G = 3, of
 * sums of a dozen numbers, and its sine, 4e-7. */
static void slips_of_planes_come_back(void **state)
{
    (void)state;
    const sw_material m = parsed(copper_latent);
    sw_slip_systems s;
    sw_slip_planes planes;
    CHECK_OK(sw_material_systems(&m, &s));
    sw_slip_planes_of(&m, &planes);
    assert_int_equal(planes.systems, 12);
    for (int i = 0; i < STRESSES; i++) {
        double stress[6], phi2, four[SW_PLANE_OUTPUTS];
        float output[SW_OUTPUTS_MOST] = {0}, slip[SW_PLANES];
        draw(i, stress, &phi2);
        sw_plane_outputs(&planes, stress, 3, phi2, four);
        output[8] = 3;
        for (int c = 0; c < SW_PLANE_OUTPUTS; c++)
            output[SW_OUTPUTS + c] = (float)four[c];
        const float turn[2] = {(float)cos(phi2), (float)sin(phi2)};
        CHECK_CLOSE(sw_plane_slips(planes.along, output, turn, slip), 3, 0);
        for (int k = 0; k < SW_PLANES; k++)
            CHECK_CLOSE(slip[k], 3 * share_of(&m, stress, s.normal[3 * k]), 6e-6);
    }
}

/* A quarter turn of the lattice about its axis 3, phi2 + 1/4, leaves outputs as they are, though it exchanges planes. */
static void outputs_have_a_quarter_turn(void **state)
{
    (void)state;
    const sw_material m = parsed(copper_latent);
    sw_slip_planes planes;
    sw_slip_planes_of(&m, &planes);
    for (int i = 0; i < STRESSES; i++) {
        double s[6], phi2, one[SW_PLANE_OUTPUTS], other[SW_PLANE_OUTPUTS];
        draw(i, s, &phi2);
        /* the stress seen by a lattice turned so: 1 is what 2 was, 2 what -1 was */
        const double turned[6] = {s[1], s[0], s[2], -s[4], s[3], -s[5]};
        sw_plane_outputs(&planes, s, 3, phi2, one);
        sw_plane_outputs(&planes, turned, 3, phi2 + SW_PI / 2, other);
        for (int c = 0; c < SW_PLANE_OUTPUTS; c++)
            CHECK_CLOSE(other[c], one[c], 1e-10);
    }
}

static void laws_of_four_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old, *new;
        int is;
        float own, latent;
    } cases[] = {
        {copper_latent, NULL, NULL, 1, 1, 1.4F},
        {copper_latent, "self: 1", "self: 2", 0, 0, 0}, /* a resistance of each system */
        {copper_latent, "coplanar: 1, self: 1", "coplanar: 2, self: 2", 1, 2, 1.4F},
        {copper_latent, "coplanar: 1", "coplanar: 1, collinear: 2", 0, 0, 0},
        {copper_alike, NULL, NULL, 1, 1, 1},
        {copper_alone, NULL, NULL, 0, 0, 0},
        {copper_scaled, NULL, NULL, 0, 0, 0},
        {hexagonal_turning, NULL, NULL, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material m = parsed(edited(cases[i].text, cases[i].old, cases[i].new));
        sw_plane_law law;
        assert_int_equal(sw_plane_law_of(&m, &law), cases[i].is);
        if (!cases[i].is)
            continue;
        CHECK_CLOSE(law.own, cases[i].own, 0);
        CHECK_CLOSE(law.latent, cases[i].latent, 0);
        sw_material_equal_planes(&m);
        assert_int_equal(m.hardening.law, SW_LAW_voce);
        assert_int_equal(m.slip.family_count, 0);
        CHECK_CLOSE(m.hardening.voce.saturation_resistance, 148e6, 0);
        CHECK_CLOSE(m.slip.initial_slip_resistance, 16e6, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slips_of_planes_come_back),
                                       cmocka_unit_test(outputs_have_a_quarter_turn),
                                       cmocka_unit_test(laws_of_four_are_known)};
    return cmocka_run_group_tests_name("slip planes", tests, NULL, NULL);
}
