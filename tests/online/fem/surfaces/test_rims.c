/* Contact at the rim of what touches, and what is told of it. */
#include "bodies.h"

#define PAIR "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\n"

/* Half a block of 10 by 10, n by n elements, whose top and side a plate may touch: steps of 1.6 % each. */
static solution pressed_block(int n, int steps)
{
    writer w = {0};
    const double size[6] = {0, 0, 0, 10, 10, 0}, plate[6] = {-1, 10, 0, 41, 5, 0};
    const int cells[2][3] = {{n, n, 0}, {1, 1, 0}};
    block a = write_block(&w, "A", "CPE4", cells[0], box, size),
          b = write_block(&w, "B", "CPE4", cells[1], box, plate);
    write_side_nodes(&w, "AXIS", &a, 0, 0);
    write_side_nodes(&w, "FOOT", &a, 1, 0);
    write_side(&w, "SKIN", &a, 1, 1);
    for_side(&w, &a, 0, 1, write_surface_face, 0);
    write_side(&w, "PLATE", &b, 1, 0);
    add(&w, "*MATERIAL, NAME=M\n*ELASTIC\n200000., .3\n*PLASTIC\n300., 0.\n600., 1.\n*SOLID SECTION, ELSET=EA, "
            "MATERIAL=M\n1.\n*SOLID SECTION, ELSET=EB, MATERIAL=M\n1.\n*SURFACE INTERACTION, NAME=I\n"
            "*FRICTION\n0.3\n" PAIR "SKIN, PLATE\n*BOUNDARY\nAXIS, 1\nFOOT, 2\nNB, 1\n");
    for (int k = 0; k < steps; k++)
        add(&w, "*STEP, NLGEOM\n*STATIC\n.5, 1., 1e-6, .5\n*BOUNDARY\nNB, 2, 2, %.16g\n*NODE FILE\nU\n*END STEP\n",
            -0.16 * (k + 1));
    free(a.label);
    free(b.label);
    return solve(&w);
}

/* The plate holds the block's edge: as the side leans towards it, its gaps have no part in that. Passed into by p / K, a hundredth of what
 * the layer is shortened by: some 600 / (100 * 2e5 / 2.5), three times that at the edge. From 8 % on the edge once let go: it
 * was a hundredth of a face and more inside the plate, and the force 1 % too small (of elements of reduced integration 9 %). */
static void an_edge_is_held(void **state)
{
    (void)state;
    solution s = pressed_block(4, 6);
    for (int k = 0; k < 6; k++) {
        sw_surface_sums sums;
        take_step(&s, k);
        sw_structure_read_contact(s.structure, 0, &sums);
        assert_true(-sums.force[1] > 4100);
        assert_true(sums.penetration < 1e-3);
    }
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_edge_is_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
