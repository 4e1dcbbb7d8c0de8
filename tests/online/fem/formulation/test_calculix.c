/* Elements one at a time against CalculiX 2.20: forces of a node, stresses at the first point and recovered at a node. */
#include "patches.h"

/* What CalculiX prints with all displacements prescribed: E = 210000, nu = 0.3; NLGEOM, or small strains with temperatures
 * and an expansion of 1e-5. Of node 2 RF, of point 1 and node 2 S (11 22 33 12 13 23). */
static const struct {
    const char *name;
    int finite;
    double force[3], stress[6], at_node[6];
} given[] = {
    LINE("C3D4", 0, {-179.03, -366.3284, -76.37091},
         {-1244.189, 1263.034, 2309.262, -1827.768, 0.4097545, 2593.512},
         {-1244.19, 1263.03, 2309.26, -1827.77, 0.409755, 2593.51}),
    LINE("C3D10", 0, {-478.8023, -229.511, 30.02589},
         {6778.182, 2205.076, 8191.019, 1899.134, -3469.654, 1743.148},
         {-10213.5, -13174.1, 352.469, -3433.43, -349.646, -569.763}),
    LINE("C3D10", 1, {-526.8847, -234.1554, 44.62373},
         {7204.034, 2383.196, 8757.265, 1889.117, -3879.313, 1747.503},
         {-11163.3, -13109, -269.098, -3696.77, -74.0049, -376.314}),
    LINE("C3D6", 0, {-821.1562, -601.9753, 476.0348},
         {-2196.18, -959.5444, -1541.758, -1383.794, 784.5939, 1358.339},
         {486.682, -2918.69, -1382.68, 284.419, -455.982, -283.136}),
    LINE("C3D15", 0, {-380.7496, -435.8068, -74.12455},
         {-7.184826, 7417.429, 4699.28, -1435.111, 570.8, 1076.551},
         {10071.2, 13101, 5761.47, 1828, -1366.78, 1507.1}),
    LINE("C3D8", 0, {-274.1612, -1446.091, 839.5917},
         {-598.1969, 882.9125, -1.600443, -746.0383, 355.2311, 699.2282},
         {-1710.26, 13.51, -1603.53, -461.226, 885.377, 424.142}),
    LINE("C3D8", 1, {-220.8798, -1489.757, 790.9162},
         {-540.6699, 948.4009, 50.23825, -746.3873, 341.6542, 704.4476},
         {-1647.02, 55.6699, -1544.28, -453.26, 858.508, 415.521}),
    LINE("C3D8R", 0, {196.4861, -1392.899, 182.7063},
         {-407.1274, 203.5604, -376.4921, -846.9137, 244.5914, 418.7511},
         {-407.127, 203.56, -376.492, -846.914, 244.591, 418.751}),
    LINE("C3D8I", 0, {-175.0915, -1329.463, 632.026},
         {-819.0011, 889.7615, -110.1404, -677.5473, 340.0509, 539.1684},
         {-1239.4, 366.255, -1495.56, -553.593, 464.721, 131.573}),
    LINE("C3D8I", 1, {-122.8956, -1377.488, 586.74},
         {-759.3565, 955.9216, -60.304, -680.9796, 329.1625, 541.5771},
         {-1189.67, 415.714, -1445.2, -552.31, 452.158, 122.192}),
    LINE("C3D20", 0, {2788.445, -5544.565, -2757.273},
         {-1001.037, -1707.406, 2868.045, 1975.57, -822.9836, -289.3531},
         {6670.01, 8879.05, 9027.2, -688.424, -2240, 120.496}),
    LINE("C3D20", 1, {2830.383, -5590.457, -2781.325},
         {-999.1333, -1649.363, 2909.128, 1906.863, -876.931, -308.6107},
         {6858.84, 8974.52, 9445.37, -774.455, -2547.39, 227.337}),
    LINE("C3D20R", 0, {2832.167, -5087.998, -2840.203},
         {-283.3288, -1337.807, 1541.91, 2545.984, -588.8605, -977.8148},
         {9257.35, 9513.25, 11577.3, 1127.91, -3472.01, -1158.29}),
    LINE("C3D20R", 1, {2858.775, -5113.671, -2841.355},
         {-272.8178, -1267.915, 1513.188, 2496.147, -643.2764, -991.823},
         {9634.76, 9599.14, 12061.5, 1237.59, -3728.55, -1192.6}),
    LINE("CPE3", 0, {-1035.699, -844.4507, 0}, {-2534.594, 388.2635, -634.2185, -1854.951, 0, 0},
         {-2534.59, 388.263, -634.219, -1854.95, 0, 0}),
    LINE("CPE4", 0, {36.266, -1717.294, 0}, {-612.5446, 1405.392, 223.4785, -621.3464, 0, 0},
         {-1014.43, 670.889, -117.439, -440.712, 0, 0}),
    LINE("CPE4", 1, {86.15367, -1776.565, 0}, {-553.5096, 1476.108, 265.7643, -626.9304, 0, 0},
         {-958.751, 722.191, -77.2557, -440.028, 0, 0}),
    LINE("CPE6", 0, {241.4066, -112.9299, 0}, {-5674.313, -3547.232, -2856.328, 3956.442, 0, 0},
         {1287.92, -4511.66, -963.64, -551.485, 0, 0}),
    LINE("CPE8", 0, {-2357.947, 766.4388, 0}, {2522.106, 1353.939, 1150.571, -472.0412, 0, 0},
         {-4151.37, -2529.46, -2049.61, -482.568, 0, 0}),
    LINE("CPE8R", 0, {-1986.597, 1151.466, 0}, {2445.5, 403.2763, 838.1957, -580.1715, 0, 0},
         {-2955.77, -3234.98, -1902.58, -432.367, 0, 0}),
    LINE("CPE8R", 1, {-1987.734, 1126.817, 0}, {2563.008, 464.4068, 891.372, -583.3219, 0, 0},
         {-2875.03, -3076.87, -1794.97, -422.828, 0, 0}),
    LINE("CPE4R", 0, {150.5225, -1892.91, 0}, {-548.5979, 1231.865, 190.6043, -642.1688, 0, 0},
         {-548.598, 1231.86, 190.604, -642.169, 0, 0}),
};
enum { N_GIVEN = sizeof given / sizeof *given };

/* Off its shape by sines, so that both programs have the same numbers. */
static void place(sw_element *e)
{
    const sw_topology *t = e->formulation->topology;
    const int d = t->dimension;
    for (int a = 0; a < t->n_nodes; a++) {
        for (int i = 0; i < d; i++) {
            e->x[a][i] = t->node[a][i] + (a < t->n_corners ? 0.1 : 0.02) * sin(7 * a + 3 * i) +
                         (d == 2 && i == 0 ? 3 : 0);
            e->u[a][i] = 0.01 * sin(5 * a + 11 * i + 1);
        }
        e->temperature[a] = e->finite ? 0 : 100 * sin(3 * a);
    }
}

static double largest(int n, const double *value)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = greatest(most, fabs(value[i]));
    return most;
}

static void test_calculix(void **unused)
{
    (void)unused;
    static const int order[6] = {0, 1, 2, 5, 4, 3};
    static double temperature[1] = {0}, elastic[2] = {210000, 0.3}, expansion[1] = {1e-5};
    static sw_matter matter = {.name = (char *)"matter",
                               .elastic = {1, 2, temperature, elastic},
                               .expansion_columns = 1,
                               .expansion = {1, 1, temperature, expansion}};
    CHECK_OK(sw_matter_prepare(&matter, "test"));
    for (int k = 0; k < N_GIVEN; k++) {
        sw_element e = {.formulation = sw_formulation_find(given[k].name, 1),
                        .matter = &matter,
                        .thickness = 1,
                        .state = no_state,
                        .finite = given[k].finite};
        static double state[MOST_STATE], force[SW_FORMULATION_UNKNOWNS], stress[SW_FORMULATION_POINTS][6],
            at_nodes[SW_FORMULATION_NODES][6];
        sw_element_answer answer = {.state = state, .force = force, .stress = stress};
        const int c = sw_formulation_components(e.formulation);
        place(&e);
        CHECK_OK(e.formulation->evaluate(&e, &answer));
        sw_element_recover(e.formulation, 6, &stress[0][0], &at_nodes[0][0]);
        /* printed with 7 digits; nodes with 6, of what was extrapolated in single precision from larger ones */
        for (int i = 0; i < c; i++)
            CHECK_CLOSE(force[c + i], given[k].force[i], 1e-6 * largest(3, given[k].force));
        for (int i = 0; i < 6; i++) {
            CHECK_CLOSE(stress[0][order[i]], given[k].stress[i], 1e-6 * largest(6, given[k].stress));
            if (strcmp(given[k].name, "C3D6") != 0) /* CalculiX mixes its two points up */
                CHECK_CLOSE(at_nodes[1][order[i]], given[k].at_node[i], 1e-4 * largest(6, given[k].at_node));
        }
    }
}

/* Springs against hourglass modes go by the tangent's first number, of materials that are not elastic and isotropic: RF of
 * node 2 at once, one increment. Yield stress 200 + 20000 times plastic strain; creep; orthotropic, turned by 90 degrees. */
static const struct {
    const char *name;
    int plastic, creeps;
    double force[3];
} with_tangent[] = {
    {"C3D8R", 1, 0, {-97.11324, -128.3695, 158.3305}}, {"C3D8R", 1, 1, {-97.11324, -128.3695, 158.3305}},
    {"C3D8R", 0, 0, {263.1578, -1330.987, 63.84117}},  {"CPE4R", 1, 0, {283.8942, -613.304, 0}},
    {"CPS4R", 1, 0, {33.08102, -331.4638, 0}},
};

static void test_hourglass_by_the_tangent(void **unused)
{
    (void)unused;
    static double temperature[1] = {0}, elastic[2] = {210000, 0.3}, row[2][2] = {{0, 200}, {1, 20200}},
                  norton[3] = {1e-12, 3, 0},
                  nine[9] = {300000, 100000, 250000, 90000, 80000, 200000, 70000, 60000, 50000};
    static sw_matter_curve curve = {.n_rows = 2, .row = row};
    static const double turned[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    for (size_t k = 0; k < sizeof with_tangent / sizeof *with_tangent; k++) {
        static double state[MOST_STATE], force[SW_FORMULATION_UNKNOWNS];
        sw_matter matter = {
            .name = (char *)"matter", .elastic = {1, 2, temperature, elastic}, .overstress = 1};
        if (with_tangent[k].plastic) {
            matter.n_curves = 1;
            matter.curve = &curve;
        } else {
            matter.elasticity = SW_MATTER_ORTHOTROPIC;
            matter.elastic = (sw_matter_table){1, 9, temperature, nine};
        }
        if (with_tangent[k].creeps)
            matter.creep = (sw_matter_table){1, 3, temperature, norton};
        CHECK_OK(sw_matter_prepare(&matter, "test"));
        sw_element e = {.formulation = sw_formulation_find(with_tangent[k].name, 1),
                        .matter = &matter,
                        .thickness = 1,
                        .axes = with_tangent[k].plastic ? NULL : turned,
                        .state = no_state};
        sw_element_answer answer = {.state = state, .force = force};
        const int c = sw_formulation_components(e.formulation);
        place(&e);
        CHECK_OK(e.formulation->evaluate(&e, &answer));
        /* printed with 7 digits, positions given with 9 */
        for (int i = 0; i < c; i++)
            CHECK_CLOSE(force[c + i], with_tangent[k].force[i], 1e-6 * largest(3, with_tangent[k].force));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calculix),
                                       cmocka_unit_test(test_hourglass_by_the_tangent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
