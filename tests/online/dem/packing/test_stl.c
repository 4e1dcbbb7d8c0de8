/* STL files of letters and of bytes: the same mesh of both; and what is none. */
#include <string.h>

#include "online/dem/element/mesh.h"
#include "tests/job_files.h"

static const char letters[] = "solid two\n"
                              " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 2.5 0 0\n"
                              "   vertex 0 2.5 0\n  endloop\n endfacet\n"
                              " facet normal 0 0 1\n  outer loop\n   vertex 2.5 0 0\n   vertex 2.5 2.5 1e-1\n"
                              "   vertex 0 2.5 0\n  endloop\n endfacet\nendsolid two\n";
static const float corner[2][9] = {{0, 0, 0, 2.5F, 0, 0, 0, 2.5F, 0},
                                   {2.5F, 0, 0, 2.5F, 2.5F, 0.1F, 0, 2.5F, 0}};

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Of n triangles, said to be `count`; `solid` in its header, as some programs have it. */
static size_t bytes_of(int n, uint32_t count, char bytes[84 + 2 * 50])
{
    memset(bytes, 0, 84 + 2 * 50);
    memcpy(bytes, "solid of bytes", 14);
    for (int k = 0; k < 4; k++)
        bytes[80 + k] = (char)(count >> 8 * k);
    for (int i = 0; i < n; i++)
        memcpy(bytes + 84 + 50 * i + 12, corner[i], sizeof corner[i]); /* little end first, as here */
    return 84 + 50 * (size_t)n;
}

static void letters_and_bytes_are_one_mesh(void **state)
{
    (void)state;
    char bytes[84 + 2 * 50];
    sw_dem_mesh *a, *b;
    write_bytes("a.stl", letters, strlen(letters));
    write_bytes("b.stl", bytes, bytes_of(2, 2, bytes));
    CHECK_OK(sw_dem_mesh_read("a.stl", 1e-3, &a));
    CHECK_OK(sw_dem_mesh_read("b.stl", 1e-3, &b));
    assert_true(a->n == 2 && b->n == 2);
    for (int i = 0; i < 18; i++) { /* single precision */
        CHECK_CLOSE(b->triangle[i / 9].corner[i / 3 % 3][i % 3], a->triangle[i / 9].corner[i / 3 % 3][i % 3],
                    1e-7 * 2.5e-3);
        CHECK_CLOSE(a->triangle[i / 9].corner[i / 3 % 3][i % 3], 1e-3 * (double)corner[i / 9][i % 9],
                    1e-7 * 2.5e-3);
    }
    const double normal = a->triangle[1].normal[2], slope = 0.1 / 2.5;
    CHECK_CLOSE(normal, 1 / sqrt(1 + 2 * slope * slope), 1e-12);
    sw_dem_mesh_free(a);
    sw_dem_mesh_free(b);
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } bad[] = {
        {"solid\nendsolid\n", "x.stl: 0 triangles of a mesh"},
        {"", "x.stl: 0 triangles of a mesh"},
        {"mesh\n", "x.stl: is no STL file"},
        {"solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n",
         "x.stl:7: a facet of 2 corners: need 3"},
        {"solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n", "x.stl:5: ends in a facet"},
        {"solid\nvertex 0 0\n", "x.stl:2: 'vertex': need facet"},
        {"solid\nvertex 0 0 zero\n", "x.stl:2: vertex zero: need a number"},
        {"solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", "x.stl:6: ends in a facet"},
        {"SOLID\nFACET\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 0\nENDLOOP\nENDFACET\n",
         "x.stl:8: ends in a solid: need endsolid"},
        {"solid\ncolour 1\n", "x.stl:2: 'colour': need facet"},
        {"solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0\nendsolid\n",
         "x.stl: triangle 1: height over longest edge"}};
    sw_dem_mesh *mesh;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_bytes("x.stl", bad[i].text, strlen(bad[i].text));
        assert_int_equal(sw_dem_mesh_read("x.stl", 1, &mesh), SW_ERR_INPUT);
        assert_null(mesh);
        assert_message_has(bad[i].what);
    }
    char bytes[84 + 2 * 50];
    write_bytes("x.stl", bytes, bytes_of(1, 2, bytes)); /* cut off */
    assert_true(sw_dem_mesh_read("x.stl", 1, &mesh) == SW_ERR_INPUT);
    assert_message_has("x.stl: 134 bytes, of 2 triangles: need 84 + 50 a triangle, 184");
    write_bytes("x.stl", bytes, bytes_of(0, 0, bytes));
    assert_true(sw_dem_mesh_read("x.stl", 1, &mesh) == SW_ERR_INPUT);
    assert_message_has("0 triangles");
    assert_int_equal(sw_dem_mesh_read("absent.stl", 1, &mesh), SW_ERR_IO);
}

static int tear_down(void **state)
{
    (void)state;
    unlink("a.stl");
    unlink("b.stl");
    unlink("x.stl");
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_and_bytes_are_one_mesh),
        cmocka_unit_test(what_is_none_is_refused),
    };
    return cmocka_run_group_tests_name("STL files", tests, make_folder, tear_down);
}
