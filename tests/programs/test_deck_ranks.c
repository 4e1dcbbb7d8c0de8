/* Decks over several processes: what one process has, to round-off, whichever way equations go; contact, too; and one that fails
 * ends all, once. */
#include "fem_ranks.h"

/* Sums in another order: 1e-16 of forces before they cancel, times the condition of what is solved, some 1e5 here, is 1e-11. */
#define SAME 1e-11
/* Iterations end at 1e-4 to 1e-6 of a residual, and cycles in single precision make 6e-8 of a last digit of the matrix: what is left of a
 * yielding body's last correction differs by that (2e-10 of stresses seen). */
#define SAME_BY_ITERATIONS 1e-9

/* Hexahedra of unit size [nx][ny][nz] from z = low on; labels from first + 1 on. */
static void write_hexahedra(FILE *file, const char *type, const char *set, int first, const int n[3],
                            double low)
{
    const int row = n[0] + 1, plane = row * (n[1] + 1);
    fprintf(file, "*NODE,NSET=N%s\n", set);
    for (int at = 0; at < plane * (n[2] + 1); at++)
        fprintf(file, "%d,%d,%d,%g\n", first + 1 + at, at % row, at % plane / row, low + at / plane);
    fprintf(file, "*ELEMENT,TYPE=%s,ELSET=%s\n", type, set);
    for (int e = 0; e < n[0] * n[1] * n[2]; e++) {
        const int a = first + 1 + e % n[0] + row * (e / n[0] % n[1]) + plane * (e / n[0] / n[1]);
        fprintf(file, "%d,%d,%d,%d,%d,%d,%d,%d,%d\n", first + 1 + e, a, a + 1, a + row + 1, a + row,
                a + plane, a + plane + 1, a + plane + row + 1, a + plane + row);
    }
}

static FILE *begin_deck(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static const char steel[] = "*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n*PLASTIC\n250.,0.\n450.,0.1\n";

/* A column of 3 x 3 x 8 that bends and yields, NLGEOM: forces, a pressure that follows, a spring to the ground. Items 32 to 63 are
 * the second process's. `more`: of its step. */
static void write_column(double increment, const char *more)
{
    static const int cells[3] = {3, 3, 8};
    FILE *file = begin_deck("column.inp");
    write_hexahedra(file, "C3D8I", "E", 0, cells, 0);
    fprintf(file,
            "*NSET,NSET=LOW,GENERATE\n1,16\n*NSET,NSET=TOP,GENERATE\n129,144\n*ELSET,ELSET=END,GENERATE\n64,"
            "72\n*ELEMENT,TYPE=SPRING1,ELSET=G\n101,144\n*SPRING,ELSET=G\n1\n2000.\n%s*SOLID "
            "SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nLOW,1,3\n*STEP,NLGEOM,INC=1000\n*STATIC,DIRECT\n%g,1.\n"
            "*CLOAD\nTOP,1,14.\nTOP,3,-60.\n*DLOAD\nEND,P2,40.\n*NODE PRINT,NSET=LOW,TOTALS=YES\nRF\n"
            "*EL PRINT,ELSET=END\nS,PEEQ,ENER\n%s*END STEP\n",
            steel, increment, more);
    assert_int_equal(fclose(file), 0);
}

/* A cube pulled in the middle of its top: products of its matrix are worth a share each. */
static void write_cube(void)
{
    static const int cells[3] = {10, 10, 10};
    FILE *file = begin_deck("cube.inp");
    write_hexahedra(file, "C3D8", "E", 0, cells, 0);
    fprintf(file,
            "*NSET,NSET=LOW,GENERATE\n1,121\n*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n"
            "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nLOW,1,3\n*STEP\n*STATIC\n*CLOAD\n1271,1,300.\n"
            "1271,3,900.\n*ELSET,ELSET=END,GENERATE\n991,1000\n*NODE PRINT,NSET=LOW,TOTALS=YES\nRF\n*EL "
            "PRINT,ELSET=END\nS\n*END STEP\n");
    assert_int_equal(fclose(file), 0);
}

/* A block that yields is pressed onto a plate and slides over it with friction. */
static void write_slider(void)
{
    static const int plate[3] = {4, 3, 1}, block[3] = {3, 3, 1};
    FILE *file = begin_deck("slider.inp");
    write_hexahedra(file, "C3D8", "A", 0, plate, 0);
    write_hexahedra(file, "C3D8", "B", 1000, block, 1);
    fprintf(
        file,
        "*NSET,NSET=TOP,GENERATE\n1017,1032\n*SURFACE,NAME=M\nA,S2\n*SURFACE,NAME=S\nB,S1\n%s"
        "*SOLID SECTION,ELSET=A,MATERIAL=M\n*SOLID SECTION,ELSET=B,MATERIAL=M\n"
        "*SURFACE INTERACTION,NAME=I\n*FRICTION\n.2\n*CONTACT PAIR,INTERACTION=I,TYPE=SURFACE TO SURFACE\n"
        "S,M\n*BOUNDARY\nNA,1,3\n*STEP,NLGEOM,INC=200\n*STATIC,DIRECT\n.5,1.\n*BOUNDARY\nTOP,1,1,.05\n"
        "TOP,2\nTOP,3,3,-.01\n*NODE PRINT,NSET=NA,TOTALS=ONLY\nRF\n*CONTACT PRINT\nCSTR\n*END STEP\n",
        steel);
    assert_int_equal(fclose(file), 0);
}

static const char *const tables[] = {
    "prints/0001/value",      "prints/0002/value",     "history/newton",
    "history/elastic_energy", "history/external_work", "fields/0001/displacement",
    "fields/0001/reaction",   "fields/0001/stress",    "fields/0001/energy_density"};

static void run_deck(int ranks, const char *deck, const char *output, const char *options)
{
    char command[256];
    snprintf(command, sizeof command, "fem -q -j 1%s %s -o %s", options, deck, output);
    run_fem(ranks, command);
}

static void processes_have_the_same_results(void **state)
{
    (void)state;
    static const struct {
        const char *deck, *options, *more;
        int ranks;
        double same;
    } cases[] = {{"column.inp", "", "history/plastic_dissipation", 2, SAME},
                 {"column.inp", " --linear cg", "fields/0001/plastic_strain", 3, SAME_BY_ITERATIONS},
                 {"cube.inp", " --linear cg", "fields/0001/strain", 3, SAME},
                 {"slider.inp", " --linear bicgstab", "fields/0001/contact_pressure", 2, SAME}};
    if (without_mpi())
        skip();
    write_column(0.5, "");
    write_cube();
    write_slider();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_deck(1, cases[i].deck, "one.h5", cases[i].options);
        run_deck(cases[i].ranks, cases[i].deck, "many.h5", cases[i].options);
        for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
            compare("one.h5", "many.h5", tables[k], cases[i].same);
        compare("one.h5", "many.h5", cases[i].more, cases[i].same);
        clear();
    }
}

/* The first process writes, all read; bits are those of as many processes. */
static void a_stopped_deck_goes_on(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* partial files are read while they are replaced */
    write_column(0.02, "");
    run_deck(2, "column.inp", "one.h5", "");
    stop_on_ranks(2, "fem -q -j 1 column.inp -o many.h5", "many.h5");
    run_deck(2, "column.inp", "many.h5", " --resume");
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        compare("one.h5", "many.h5", tables[k], 0);
    assert_int_equal(access("many.h5.partial", F_OK), -1);
    clear();
}

/* A node inside of what the second process asks goes through its elements. */
static void what_one_process_meets_ends_all(void **state)
{
    (void)state;
    result r;
    if (without_mpi())
        skip();
    write_column(1, "*BOUNDARY\n86,1,1,3.\n");
    run_on_ranks(2, "fem -q -j 1 column.inp -o many.h5", &r);
    assert_told_once(&r, "no increment beyond time 0 of 1, not even of 1: column.inp: element ");
    assert_int_equal(access("many.h5", F_OK), -1);
    write_column(1, "*CLOUD\n86,1,3.\n");
    run_on_ranks(3, "fem -q -j 1 column.inp -o many.h5", &r);
    assert_told_once(&r, "column.inp:");
}

/* What the second process alone has, in a folder of its own: another deck, or none. */
static void processes_need_the_same_deck(void **state)
{
    (void)state;
    result r;
    if (without_mpi())
        skip();
    assert_int_equal(mkdir("apart", 0755), 0);
    write_column(1, "");
    assert_int_equal(rename("column.inp", "apart/column.inp"), 0);
    write_column(1, "*CLOAD\n86,1,3.\n");
    run_apart("apart", "fem -q -j 1 column.inp -o many.h5", &r);
    assert_told_once(&r, "column.inp of process 2 differs from that of the first");
    unlink("apart/column.inp");
    run_apart("apart", "fem -q -j 1 column.inp -o many.h5", &r);
    assert_told_once(&r, "column.inp: cannot be read");
    assert_int_equal(access("many.h5", F_OK), -1);
    rmdir("apart");
}

static void what_processes_have_not_is_refused(void **state)
{
    (void)state;
    result r;
    if (without_mpi())
        skip();
    write_column(1, "");
    run_on_ranks(2, "fem -q column.inp -o many.h5 --preconditioner block_jacobi", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "preconditioner block_jacobi: not of a deck with 2 processes: need amg"));
}

static int enter(void **state)
{
    (void)state;
    return enter_folder();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_have_the_same_results), cmocka_unit_test(a_stopped_deck_goes_on),
        cmocka_unit_test(what_one_process_meets_ends_all), cmocka_unit_test(processes_need_the_same_deck),
        cmocka_unit_test(what_processes_have_not_is_refused)};
    return cmocka_run_group_tests(tests, enter, remove_folder);
}
