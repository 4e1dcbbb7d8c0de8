/* `slipwave fem DECK.inp` goes on after a kill, to the same bits, with contact, too; not with what is of another deck. */
#include "programs.h"

#define FEM "slipwave fem -q deck.inp -o out.h5"

/* A bar of 12 x 3 x 3 hexahedra that bends and yields, NLGEOM, its end a rigid body that turns; stresses and heat from before,
 * elements that go, change and are held where they are in the second step; tables and fields of some increments. */
static void write_bar(const char *path, const char *more)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("*NODE,NSET=ALL\n", file);
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 13; i++)
                fprintf(file, "%d,%d,%d,%d\n", 1 + i + 13 * (j + 4 * k), i, j, k);
    fputs("*NODE\n301,13,1.5,1.5\n302,13,1.5,1.5\n*ELEMENT,TYPE=C3D8I,ELSET=E\n", file);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 12; i++) {
                const int n = 1 + i + 13 * (j + 4 * k);
                fprintf(file, "%d,%d,%d,%d,%d,%d,%d,%d,%d\n", 1 + i + 12 * (j + 3 * k), n, n + 1, n + 14,
                        n + 13, n + 52, n + 53, n + 66, n + 65);
            }
    fputs("*NSET,NSET=LOW,GENERATE\n1,196,13\n*NSET,NSET=TOP,GENERATE\n13,208,13\n*ELSET,ELSET=AWAY\n12,48,"
          "84\n*ELSET,ELSET=SOFT\n3,4\n"
          "*MATERIAL,NAME=N\n*ELASTIC\n100000.,.3\n*PLASTIC,HARDENING=KINEMATIC\n250.,0.\n300.,0.1\n"
          "*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n*PLASTIC,HARDENING=KINEMATIC\n250.,0.\n450.,0.1\n"
          "*EXPANSION\n1e-5\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*RIGID BODY,NSET=TOP,REF NODE=301,ROT "
          "NODE=302\n"
          "*BOUNDARY\nLOW,1,3\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,20.\n"
          "*INITIAL CONDITIONS,TYPE=STRESS\n5,1,40.,0.,0.,0.,0.,0.\n",
          file);
    fprintf(file,
            "*STEP,NLGEOM,INC=200\n*STATIC,DIRECT\n.04,1.\n*BOUNDARY\n302,3,3,.1\n302,1,2\n301,3,3\n"
            "*TEMPERATURE\nALL,50.\n*NODE PRINT,NSET=TOP,TOTALS=YES,FREQUENCY=3\nU,RF\n"
            "*EL PRINT,ELSET=AWAY\nS,PEEQ,ELSE\n*NODE FILE,FREQUENCY=10\nU\n*END STEP\n"
            "*STEP,INC=200\n*STATIC\n.05,1.,,.05\n*MODEL CHANGE,TYPE=ELEMENT,REMOVE\nAWAY\n"
            "*CHANGE SOLID SECTION,ELSET=SOFT,MATERIAL=N\n"
            "*BOUNDARY\n302,3,3,%s\n*BOUNDARY,FIXED\n301,2,2\n*END STEP\n",
            more);
    fclose(file);
}

/* Hexahedra of unit height [nx][ny][nz] from a corner, `size` wide; labels from first + 1 on. */
static void write_hexahedra(FILE *file, const char *set, int first, const int n[3], const double corner[3],
                            double size)
{
    const int row = n[0] + 1, plane = row * (n[1] + 1);
    fprintf(file, "*NODE,NSET=N%s\n", set);
    for (int k = 0; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++)
                fprintf(file, "%d,%g,%g,%g\n", first + 1 + i + row * j + plane * k, corner[0] + size * i,
                        corner[1] + size * j, corner[2] + k);
    fprintf(file, "*ELEMENT,TYPE=C3D8,ELSET=%s\n", set);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int a = first + 1 + i + row * j + plane * k;
                fprintf(file, "%d,%d,%d,%d,%d,%d,%d,%d,%d\n", first + 1 + i + n[0] * (j + n[1] * k), a, a + 1,
                        a + row + 1, a + row, a + plane, a + plane + 1, a + plane + row + 1, a + plane + row);
            }
}

/* A block that yields is pressed onto a plate and slides over it with friction, where their contact is softer, and sticks at first. */
static void write_slider(const char *path, const char *more)
{
    static const int plate[3] = {6, 4, 1}, block[3] = {4, 3, 1};
    static const double below[3] = {0, 0, 0}, above[3] = {0.4, 0.4, 1};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    write_hexahedra(file, "A", 0, plate, below, 1);
    write_hexahedra(file, "B", 1000, block, above, 0.8);
    fputs(
        "*NSET,NSET=TOP,GENERATE\n1021,1040\n*SURFACE,NAME=M\nA,S2\n*ELSET,ELSET=LOW,GENERATE\n1001,1012\n"
        "*SURFACE,NAME=S\nLOW,S1\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*PLASTIC\n30.,0.\n60.,1.\n"
        "*SOLID SECTION,ELSET=A,MATERIAL=M\n*SOLID SECTION,ELSET=B,MATERIAL=M\n*SURFACE INTERACTION,NAME=I\n"
        "*FRICTION\n.2\n*CONTACT PAIR,INTERACTION=I,TYPE=SURFACE TO SURFACE\nS,M\n*BOUNDARY\nNA,1,3\nTOP,2\n",
        file);
    fprintf(
        file,
        "*STEP,NLGEOM,INC=200\n*STATIC,DIRECT\n.02,1.\n*BOUNDARY\nTOP,1\nTOP,3,3,-.1\n*NODE FILE,"
        "FREQUENCY=10\nU\n*CONTACT PRINT,FREQUENCY=5\nCSTR\n*END STEP\n*STEP,INC=400,NLGEOM\n*STATIC,DIRECT\n"
        ".01,1.\n*CHANGE SURFACE BEHAVIOR,INTERACTION=I\n*SURFACE "
        "BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR\n20000.\n"
        "*CHANGE FRICTION,INTERACTION=I\n*FRICTION\n.2,10.\n"
        "*BOUNDARY\nTOP,1,1,%s\n*END STEP\n",
        more);
    fclose(file);
}

/* A block is pressed onto a plate at first and lifted for the rest of the step. The plate is held, and would be soft: surfaces pass into
 * each other by a tenth of what the block is shortened by, 9 % of the work. */
static void write_presser(const char *path)
{
    static const int cells[3] = {3, 3, 1};
    static const double below[3] = {0, 0, 0}, above[3] = {0, 0, 1};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    write_hexahedra(file, "A", 0, cells, below, 1);
    write_hexahedra(file, "B", 1000, cells, above, 1);
    fputs("*NSET,NSET=TOP,GENERATE\n1017,1032\n*SURFACE,NAME=M\nA,S2\n*SURFACE,NAME=S\nB,S1\n"
          "*MATERIAL,NAME=MA\n*ELASTIC\n100.,0.\n*MATERIAL,NAME=MB\n*ELASTIC\n1000.,0.\n"
          "*SOLID SECTION,ELSET=A,MATERIAL=MA\n*SOLID SECTION,ELSET=B,MATERIAL=MB\n"
          "*SURFACE INTERACTION,NAME=I\n*CONTACT PAIR,INTERACTION=I,TYPE=SURFACE TO SURFACE\nS,M\n"
          "*AMPLITUDE,NAME=Q\n0.,0.,.002,-.01,.004,.01,1.,.01\n*BOUNDARY\nNA,1,3\nNB,1,2\n"
          "*STEP,NLGEOM,INC=2000\n*STATIC,DIRECT\n.001,1.\n*BOUNDARY,AMPLITUDE=Q\nTOP,3,3,1.\n*END STEP\n",
          file);
    fclose(file);
}

/* ---- Results ---- */

typedef struct {
    size_t n, capacity;
    char *byte;
} bytes;

static herr_t add_set(hid_t where, const char *name, const H5L_info_t *info, void *context)
{
    bytes *all = context;
    (void)info;
    const hid_t set = H5Oopen(where, name, H5P_DEFAULT);
    if (H5Iget_type(set) != H5I_DATASET) {
        H5Oclose(set);
        return 0;
    }
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const size_t size = H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space);
    const size_t label = strlen(name) + 1;
    all->byte = realloc(all->byte, all->n + label + size);
    assert_non_null(all->byte);
    memcpy(all->byte + all->n, name, label);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all->byte + all->n + label) >= 0);
    all->n += label + size;
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return 0;
}

/* Names and numbers of all datasets. */
static bytes read_all(const char *path)
{
    bytes all = {0};
    const hid_t file = open_results(path);
    assert_true(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, add_set, &all) >= 0);
    H5Fclose(file);
    return all;
}

static void remove_results(void)
{
    char name[64];
    for (int k = 1; k < 20; k++) {
        snprintf(name, sizeof name, "out-%04d.vtkhdf", k);
        unlink(name);
    }
    unlink("out.vtkhdf.series");
    unlink("out.h5");
    unlink("out.h5.partial");
}

/* What is kept is of the second step. */
static int is_in_second_step(void)
{
    double step = 0;
    hid_t file;
    if (!is_kept() || sw_h5_open("out.h5.partial", 0, &file) != SW_OK)
        return 0;
    const hid_t state = H5Gopen2(file, "state", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_numbers(state, "step", 1, &step));
    H5Gclose(state);
    H5Fclose(file);
    return step > 0;
}

/* ---- Tests ---- */

static void killed_deck_resumes_to_the_same(void (*write_deck)(const char *path, const char *more),
                                            const char *more)
{
    static const char *const left[] = {"out.h5.partial: is left from an earlier run", "--resume"};
    static const struct {
        far_enough *reached;
        int signal, status;
    } ends[] = {{is_kept, SIGKILL, -1}, {is_kept, SIGTERM, 130}, {is_in_second_step, SIGTERM, 130}};
    result r;
    write_deck("deck.inp", more);
    run_well(FEM, &r);
    bytes whole = read_all("out.h5");
    assert_true(whole.n > 100000); /* more than headers */
    remove_results();
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_int_equal(stop_when(ends[i].reached, FEM, ends[i].signal), ends[i].status);
        assert_int_equal(access("out.h5", F_OK), -1);
        assert_refused(FEM, 2, left);
        run("slipwave fem deck.inp -o out.h5 --resume", &r);
        if (r.status != 0)
            fail_msg("--resume: %s", r.err);
        assert_non_null(strstr(r.err, "resume: step "));
        assert_int_equal(access("out.h5.partial", F_OK), -1);
        bytes again = read_all("out.h5");
        assert_int_equal(again.n, whole.n);
        assert_memory_equal(again.byte, whole.byte, whole.n);
        free(again.byte);
        remove_results();
    }
    free(whole.byte);
}

static void killed_decks_resume_to_the_same(void **state)
{
    (void)state;
    killed_deck_resumes_to_the_same(write_bar, "-.1");
    killed_deck_resumes_to_the_same(write_slider, "1.9");
}

/* What surfaces came to before the run was cut is told at the step's end. */
static void what_was_before_is_told(void **state)
{
    (void)state;
    static const char told[] = "pass into each other by up to ";
    result r;
    write_presser("deck.inp");
    assert_int_equal(stop_when(is_kept, FEM, SIGTERM), 130);
    run("slipwave fem deck.inp -o out.h5 --resume", &r);
    assert_int_equal(r.status, 0);
    if (strstr(r.err, told) == NULL)
        fail_msg("said '%s': need '%s'", r.err, told);
    remove_results();
}

static void states_of_others_are_refused(void **state)
{
    (void)state;
    static const char *const other[] = {"out.h5.partial: belongs to a run with another deck, dialect"},
                             *const none[] = {"out.h5.partial: is no state of an interrupted run of a deck"};
    write_bar("deck.inp", "-.1");
    assert_int_equal(stop_after_first(FEM, SIGTERM), 130);
    write_bar("deck.inp", "-.2");
    assert_refused(FEM " --resume", 1, other);
    write_bar("deck.inp", "-.1");
    assert_refused(FEM " --resume --dialect abaqus", 1, other);
    hid_t file;
    CHECK_OK(sw_h5_open("out.h5.partial", 1, &file));
    H5Adelete(file, "format");
    H5Fclose(file);
    assert_refused(FEM " --resume", 1, none);
    remove_results();
}

/* Of a run that could not end there is nothing to go on from: it would fail again. */
static void what_fails_leaves_no_state(void **state)
{
    (void)state;
    result r;
    write_bar("deck.inp", "-99."); /* many turns */
    run(FEM, &r);
    assert_int_not_equal(r.status, 0);
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    remove_results();
}

static int enter(void **state)
{
    (void)state;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* partial files are looked at while they are replaced */
    return enter_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_decks_resume_to_the_same),
        cmocka_unit_test(what_was_before_is_told),
        cmocka_unit_test(states_of_others_are_refused),
        cmocka_unit_test(what_fails_leaves_no_state),
    };
    return cmocka_run_group_tests(tests, enter, remove_folder);
}
