/* Rules of integration: Gauss' of lines and their products, and those of triangles and tetrahedra; formulation.h. Points
 * in Abaqus' and CalculiX' order: the first coordinate runs fastest. */
#include "evaluate.h"

#define G2 0.577350269189625764509 /* 1 / sqrt(3) */
#define G3 0.774596669241483377036 /* sqrt(3 / 5) */
#define W1 (5.0 / 9)
#define W0 (8.0 / 9)

#define LINE2(y, z, w) \
    {-G2, y, z, w}, { G2, y, z, w }
#define LINE3(y, z, w) \
    {-G3, y, z, W1 * (w)}, {0, y, z, W0 * (w)}, { G3, y, z, W1 *(w) }
#define QUAD4(z) LINE2(-G2, z, 1), LINE2(G2, z, 1)
#define QUAD9(z, w) LINE3(-G3, z, W1 *(w)), LINE3(0, z, W0 *(w)), LINE3(G3, z, W1 *(w))
#define TRI1(z, w)                     \
    {                                  \
        1.0 / 3, 1.0 / 3, z, 0.5 * (w) \
    }
#define TRI3(z, w) \
    {1.0 / 6, 1.0 / 6, z, (w) / 6}, {2.0 / 3, 1.0 / 6, z, (w) / 6}, { 1.0 / 6, 2.0 / 3, z, (w) / 6 }
#define TET_A 0.138196601125010515180 /* (5 - sqrt(5)) / 20 */
#define TET_B 0.585410196624968454461 /* 1 - 3 A */

#define RULE(name, points, ...)                                  \
    static const double name##_point[points][4] = {__VA_ARGS__}; \
    const sw_rule sw_rule_##name = {points, name##_point};

RULE(line1, 1, {0, 0, 0, 2})
RULE(line2, 2, LINE2(0, 0, 1))
RULE(line3, 3, LINE3(0, 0, 1))
RULE(tri1, 1, TRI1(0, 1))
RULE(tri3, 3, TRI3(0, 1.0))
RULE(quad1, 1, {0, 0, 0, 4})
RULE(quad4, 4, QUAD4(0))
RULE(quad9, 9, QUAD9(0, 1))
RULE(tet1, 1, {0.25, 0.25, 0.25, 1.0 / 6})
RULE(tet4, 4, {TET_A, TET_A, TET_A, 1.0 / 24}, {TET_B, TET_A, TET_A, 1.0 / 24},
     {TET_A, TET_B, TET_A, 1.0 / 24}, {TET_A, TET_A, TET_B, 1.0 / 24})
RULE(wedge2, 2, TRI1(-G2, 1), TRI1(G2, 1))
RULE(wedge9, 9, TRI3(-G3, W1), TRI3(0, W0), TRI3(G3, W1))
RULE(hex1, 1, {0, 0, 0, 8})
RULE(hex8, 8, QUAD4(-G2), QUAD4(G2))
RULE(hex27, 27, QUAD9(-G3, W1), QUAD9(0, W0), QUAD9(G3, W1))

const sw_rule *sw_face_rule(const sw_topology *face)
{
    return face == &sw_line2       ? &sw_rule_line2
           : face == &sw_line3     ? &sw_rule_line3
           : face == &sw_tri3      ? &sw_rule_tri1
           : face == &sw_tri6      ? &sw_rule_tri3
           : face == &sw_quad4_any ? &sw_rule_quad4
                                   : &sw_rule_quad9;
}

const sw_rule *sw_full_rule(const sw_topology *t)
{
    return t == &sw_hex8_any ? &sw_rule_hex8 : t == &sw_quad4_any ? &sw_rule_quad4 : NULL;
}
