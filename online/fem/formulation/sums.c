/* Sums over places of integration: forces, and stiffness by g A g of pairs of nodes, four nodes at a time; evaluate.h.
 *
 * For each place A g of all nodes is made first, 9 x c numbers a node; then K[a][b] is a product of matrices whose inner
 * dimension is that of places and gradients, 3 Q, kept in registers for four a and four b. Of a symmetric one the groups
 * of nodes b >= a suffice: for 20 nodes and 27 places 0.39 MFLOP an element in place of 0.63. */
#include <string.h>

#include "evaluate.h"

typedef double lanes __attribute__((vector_size(SW_GROUP * sizeof(double)), aligned(8), may_alias));

enum { GROUPS = SW_WIDE / SW_GROUP };

/* A g weight: [place][iJ][k][group of nodes] */
typedef struct {
    _Alignas(64) lanes at[SW_CHUNK][9][3][GROUPS];
} products;

void sw_add_force(int n, int c, const sw_place *place, const double p[9], double *force)
{
    for (int a = 0; a < n; a++)
        for (int i = 0; i < c; i++)
            force[c * a + i] +=
                place->weight * (p[3 * i] * place->gradient[0][a] + p[3 * i + 1] * place->gradient[1][a] +
                                 p[3 * i + 2] * place->gradient[2][a]);
}

static void multiply(int groups, int c, const sw_place *place, const sw_point *point,
                     lanes product[9][3][GROUPS])
{
    const lanes *g[3];
    for (int j = 0; j < 3; j++)
        g[j] = (const lanes *)place->gradient[j];
    for (int m = 0; m < 3 * c; m++)
        for (int k = 0; k < c; k++) {
            const double *a = &point->tangent[m][3 * k], w = place->weight;
            for (int b = 0; b < groups; b++)
                product[m][k][b] = w * a[0] * g[0][b] + w * a[1] * g[1][b] + w * a[2] * g[2][b];
        }
}

/* Of four nodes a and four b, row i. */
static inline __attribute__((always_inline)) void add_block(int c, int n_places, int i, int a, int b,
                                                            const sw_place *place, const products *product,
                                                            sw_stiffness *sums)
{
    lanes sum[3][SW_GROUP] = {{{0}}};
    for (int q = 0; q < n_places; q++)
        for (int j = 0; j < 3; j++) {
            const double *g = &place[q].gradient[j][SW_GROUP * a];
            for (int k = 0; k < c; k++) {
                const lanes p = product->at[q][3 * i + j][k][b];
                sum[k][0] += g[0] * p;
                sum[k][1] += g[1] * p;
                sum[k][2] += g[2] * p;
                sum[k][3] += g[3] * p;
            }
        }
    for (int k = 0; k < c; k++)
        for (int r = 0; r < SW_GROUP; r++)
            *(lanes *)&sums->at[i][k][SW_GROUP * a + r][SW_GROUP * b] += sum[k][r];
}

static void add_space(int groups, int symmetric, int n_places, const sw_place *place, const products *product,
                      sw_stiffness *sums)
{
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < groups; a++)
            for (int b = symmetric ? a : 0; b < groups; b++)
                add_block(3, n_places, i, a, b, place, product, sums);
}

static void add_plane(int groups, int symmetric, int n_places, const sw_place *place, const products *product,
                      sw_stiffness *sums)
{
    for (int i = 0; i < 2; i++)
        for (int a = 0; a < groups; a++)
            for (int b = symmetric ? a : 0; b < groups; b++)
                add_block(2, n_places, i, a, b, place, product, sums);
}

void sw_add_stiffness(int n, int c, int symmetric, int n_places, const sw_place *place, const sw_point *point,
                      sw_stiffness *sums)
{
    const int groups = (n + SW_GROUP - 1) / SW_GROUP;
    products product;
    for (int q = 0; q < n_places; q++)
        multiply(groups, c, &place[q], &point[q], product.at[q]);
    (c == 3 ? add_space : add_plane)(groups, symmetric, n_places, place, &product, sums);
}

void sw_write_stiffness(int n, int c, int symmetric, const sw_stiffness *sums, double *stiffness)
{
    const int rows = c * n;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < c; i++) {
            double *row = &stiffness[(size_t)(c * a + i) * (size_t)rows];
            for (int b = symmetric ? a : 0; b < n; b++)
                for (int k = 0; k < c; k++)
                    row[c * b + k] = sums->at[i][k][a][b];
        }
    for (int i = 0; i < rows && symmetric; i++)
        for (int j = 0; j < i; j++)
            stiffness[i * rows + j] = stiffness[j * rows + i];
}
