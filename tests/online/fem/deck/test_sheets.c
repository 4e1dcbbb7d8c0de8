/* Sheets of decks: one element drawn at an angle to the rolling direction has the r-value of its yield function. */
#include "tests/online/fem/tying/solved.h"

#include <math.h>

#include "tests/online/forming/functions/aa2090.h"

static const double degree = 3.14159265358979323846 / 180;

/* Elasticity 1e6 times the yield stress: of what is drawn by 0.01 1e-4 is elastic. */
static double r_of(const sw_yield *y, int angle, int plane)
{
    char text[8192], numbers[1024] = "", held[128];
    const double c = cos(angle * degree), s = sin(angle * degree);
    if (y->function->has_exponent)
        snprintf(numbers, sizeof numbers, "%g", y->exponent);
    for (int i = 0, k = y->function->has_exponent; i < y->function->coefficients; i++, k++)
        snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), "%s%.17g",
                 k == 0  ? ""
                 : k % 8 ? ", "
                         : "\n",
                 y->coefficient[i]);
    snprintf(held, sizeof held,
             plane ? "*BOUNDARY\n1, 1, 2\n4, 1\n" : "*BOUNDARY\n1, 1, 3\n4, 1\n5, 1, 2\n8, 1\n2, 3\n");
    snprintf(text, sizeof text,
             CUBE_NODES
             "*ELEMENT, TYPE=%s, ELSET=E\n1, 1, 2, 3, 4%s\n*ORIENTATION, NAME=O\n%.17g, %.17g, 0., %.17g, "
             "%.17g, 0.\n*MATERIAL, NAME=M\n*ELASTIC\n1e9, .3\n*PLASTIC\n1000., 0.\n1100., 1.\n"
             "*POTENTIAL, FUNCTION=%s\n%s\n*SOLID SECTION, ELSET=E, MATERIAL=M, ORIENTATION=O\n1.\n%s"
             "*STEP, INC=200, NLGEOM\n*STATIC\n.25, 1.\n*BOUNDARY\n2, 1, 1, .01\n3, 1, 1, .01\n%s*END STEP\n",
             plane ? "CPS4" : "C3D8", plane ? "" : ", 5, 6, 7, 8", c, -s, s, c, y->function->name, numbers,
             held, plane ? "" : "6, 1, 1, .01\n7, 1, 1, .01\n");
    solved solution = solve_deck(text);
    const double *corner = displacement(&solution, 3), *origin = displacement(&solution, 2);
    const double width = log(1 + corner[1] - origin[1]), length = log(1.01);
    release(&solution);
    return -width / (length + width);
}

/* Of logarithmic strains, which NLGEOM has; at 45 degrees its axes turn by the shear of an element whose ends stay straight,
 * some 1e-4 of r. */
static void elements_have_the_r_values_of_their_function(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const sw_yield hill = {.function = &sw_yield_functions[SW_YIELD_HILL48],
                               .coefficient = {0.28, 0.65, 0.35, 1.5, 1.4, 1.9}};
        const sw_yield y = kind == 0 ? hill : kind == 1 ? aa2090_yld2000() : aa2090_yld2004();
        for (int angle = 0; angle <= 90; angle += 45)
            for (int plane = 0; plane < 2; plane++) {
                double q;
                sw_yield_uniaxial(&y, angle * degree, NULL, &q);
                CHECK_CLOSE(r_of(&y, angle, plane) / sw_r_of_q(q), 1, 1e-3);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elements_have_the_r_values_of_their_function)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
