/* Files of packings: what is written comes back bit for bit, and every file that is no packing is refused
 * with line, value and bound. */
#include <dirent.h>
#include <sys/stat.h>

#include "common/files/hdf5_io.h"
#include "slipwave/dem.h"
#include "tests/job_files.h"

#define CHECK_FAILS(expression, code, part)                                                     \
    do {                                                                                        \
        const sw_status status_ = (expression);                                                 \
        if (status_ != (code) || strstr(sw_error_message(), (part)) == NULL)                    \
            fail_msg("%s: %s (%s): need %s, '%s'", #expression, sw_status_text(status_),        \
                     status_ == SW_OK ? "" : sw_error_message(), sw_status_text(code), (part)); \
    } while (0)

enum { N = 50 };
static const char *const suffixes[] = {"txt", "vtkhdf", "TXT"};

static const char *path_of(const char *name)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

/* Files in the folder. */
static int count_files(void)
{
    int n = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(list);
    return n;
}

/* Numbers of all sizes, that no short decimal is; a skewed cell. */
static sw_dem_packing odd_packing(int with_velocity, int with_spin)
{
    sw_dem_packing p = {.n_particles = N,
                        .cell = {{1e-3, 2e-4 / 3, -1e-4}, {0, 1.1e-3 / 7, 1e-5}, {-0.0, 0, 1}}};
    p.position = malloc(N * sizeof *p.position);
    p.radius = malloc(N * sizeof *p.radius);
    p.velocity = with_velocity ? malloc(N * sizeof *p.velocity) : NULL;
    p.spin = with_spin ? malloc(N * sizeof *p.spin) : NULL;
    srand48(5);
    for (int n = 0; n < N; n++) {
        p.radius[n] = ldexp(drand48() + 1, n % 38 - 29); /* 1.9 nm to 1 km */
        for (int i = 0; i < 3; i++) {
            p.position[n][i] = drand48() - 0.5;
            if (with_velocity)
                p.velocity[n][i] = ldexp(drand48() - 0.5, 20 * (n - 25));
            if (with_spin)
                p.spin[n][i] = n == 0 ? -0.0 : n == 1 ? 5e-324 : n == 2 ? -1.7976931348623157e308 : drand48();
        }
    }
    return p;
}

static void check_vectors(const double (*actual)[3], const double (*expected)[3])
{
    static const double none[N][3];
    assert_memory_equal(actual, expected == NULL ? none : expected, sizeof none);
}

static void packings_come_back(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++)
        for (int with = 0; with < 4; with++) {
            char name[32];
            snprintf(name, sizeof name, "round.%s", suffixes[f]);
            const int is_text = f != 1, velocity = with & 1, spin = with >> 1;
            sw_dem_packing out = odd_packing(velocity, spin), in;
            CHECK_OK(sw_dem_packing_write(path_of(name), &out, 0, NULL));
            CHECK_OK(sw_dem_packing_read(path_of(name), &in));
            assert_int_equal(in.n_particles, N);
            assert_memory_equal(in.cell, out.cell, sizeof in.cell);
            assert_memory_equal(in.position, out.position, N * sizeof *in.position);
            assert_memory_equal(in.radius, out.radius, N * sizeof *in.radius);
            assert_int_equal(in.velocity != NULL, is_text ? with > 0 : velocity);
            assert_int_equal(in.spin != NULL, is_text ? with > 0 : spin);
            if (in.velocity != NULL)
                check_vectors((const double(*)[3])in.velocity, (const double(*)[3])out.velocity);
            if (in.spin != NULL)
                check_vectors((const double(*)[3])in.spin, (const double(*)[3])out.spin);
            sw_dem_packing_free(&in);
            sw_dem_packing_free(&out);
            assert_int_equal(count_files(), 1);
            assert_int_equal(remove(path_of(name)), 0);
        }
}

/* Contacts go into .vtkhdf only, of a law by its name. */
static void contacts_come_back(void **state)
{
    (void)state;
    enum { C = 30, M = 12 };
    for (int f = 0; f < 2; f++) {
        char name[32];
        sw_dem_packing out = odd_packing(1, 1), in;
        snprintf(name, sizeof name, "memory.%s", suffixes[f]);
        out.n_contacts = C;
        out.contact_law = SW_DEM_METAL;
        out.contact_numbers = M;
        out.contact = malloc(C * sizeof *out.contact);
        out.contact_history = malloc(C * M * sizeof *out.contact_history);
        for (int c = 0; c < C; c++) {
            out.contact[c][0] = c;
            out.contact[c][1] = N - 1 - c / 2;
            for (int k = 0; k < M; k++)
                out.contact_history[c * M + k] = ldexp(drand48() - 0.5, 20 * k - 100);
        }
        CHECK_OK(sw_dem_packing_write(path_of(name), &out, 0, NULL));
        CHECK_OK(sw_dem_packing_read(path_of(name), &in));
        if (f == 0) {
            assert_true(in.n_contacts == 0 && in.contact == NULL && in.contact_history == NULL);
        } else {
            assert_true(in.n_contacts == C && in.contact_law == SW_DEM_METAL && in.contact_numbers == M);
            assert_memory_equal(in.contact, out.contact, C * sizeof *in.contact);
            assert_memory_equal(in.contact_history, out.contact_history, C * M * sizeof *in.contact_history);
        }
        out.contact[7][1] = N;
        CHECK_FAILS(sw_dem_packing_write(path_of(name), &out, 0, NULL), SW_ERR_RANGE,
                    "particle 2 of contact 7 = 50: need 0 to 49");
        sw_dem_packing_free(&in);
        sw_dem_packing_free(&out);
        assert_int_equal(remove(path_of(name)), 0);
    }
}

/* ---- Text ---- */

static const char good_text[] = "# two spheres\n"
                                "\n"
                                "cell 4 0 0  0 5 0  1 0 6 # metres\n"
                                "1 2 3 0.5\r\n"
                                "\t-1e0 +2. .5 5E-1   # more\n"
                                "# end\n";

static void texts_are_read(void **state)
{
    (void)state;
    sw_dem_packing p;
    write_text(path_of("good.txt"), good_text);
    CHECK_OK(sw_dem_packing_read(path_of("good.txt"), &p));
    const double cell[3][3] = {{4, 0, 1}, {0, 5, 0}, {0, 0, 6}};
    const double position[2][3] = {{1, 2, 3}, {-1, 2, 0.5}}, radius[2] = {0.5, 0.5};
    assert_int_equal(p.n_particles, 2);
    assert_memory_equal(p.cell, cell, sizeof cell);
    assert_memory_equal(p.position, position, sizeof position);
    assert_memory_equal(p.radius, radius, sizeof radius);
    sw_dem_packing_free(&p);
}

/* Which some editors put at the beginning of a text. */
static void byte_order_marks_are_read_over(void **state)
{
    (void)state;
    static const char *const texts[] = {"\xef\xbb\xbf# two spheres\ncell 4 0 0 0 5 0 0 0 6\n1 2 3 0.5\n",
                                        "\xef\xbb\xbf"
                                        "cell 4 0 0 0 5 0 0 0 6\n1 2 3 0.5\n"};
    for (int i = 0; i < 2; i++) {
        sw_dem_packing p;
        write_text(path_of("marked.txt"), texts[i]);
        CHECK_OK(sw_dem_packing_read(path_of("marked.txt"), &p));
        assert_true(p.n_particles == 1 && p.cell[0][0] == 4 && p.position[0][0] == 1);
        sw_dem_packing_free(&p);
    }
    write_text(path_of("marked.txt"), "cell 4 0 0 0 5 0 0 0 6\n\xef\xbb\xbf"
                                      "1 2 3 0.5\n"); /* elsewhere it is none */
    sw_dem_packing p;
    CHECK_FAILS(sw_dem_packing_read(path_of("marked.txt"), &p), SW_ERR_INPUT, "marked.txt:2: x = ");
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *part; /* of good_text: the first old becomes new */
    } refused[] = {
        {"cell 4", "# cell 4", "bad.txt:4: a particle before the cell: need a line \"cell h11 h21"},
        {"cell 4", "sell 4", "bad.txt:3: a particle before the cell"},
        {"cell 4", "cell", "bad.txt:3: cell of 8 numbers: need 9"},
        {"1 0 6", "1 0 6 7", "bad.txt:3: cell of 10 numbers: need 9"},
        {"cell 4", "cell four", "bad.txt:3: h11 = 'four': need a number"},
        {"1 0 6", "1 0 inf", "bad.txt:3: h33 = 'inf'"},
        {"1 0 6", "1 0 -6", "bad.txt:3: cell of volume -120 m^3: need > 0"},
        {"1 0 6", "1 0 0", "bad.txt:3: cell of volume 0 m^3"},
        {"1 2 3 0.5", "cell 1 0 0 0 1 0 0 0 1\n1 2 3 0.5",
         "bad.txt:4: a second cell: need one, and line 3 has it"},
        {"1 2 3 0.5", "1 2 3", "bad.txt:4: 3 columns: need 4, x y z radius, or 10"},
        {"1 2 3 0.5", "1 2 3 0.5 0", "bad.txt:4: 5 columns"},
        {"1 2 3 0.5", "1 2 3 0.5 0 0 0 0 0 0 0", "bad.txt:4: 11 columns"},
        {"1 2 3 0.5", "1 2 3 0.5 0 0 0 0 0 0", "bad.txt:5: 4 columns: need 10 as in line 4"},
        {"1 2 3 0.5", "1 2 3 0", "bad.txt:4: radius = 0 m: need 1e-09 to 1000 m"},
        {"1 2 3 0.5", "1 2 3 1e-400", "bad.txt:4: radius = 0 m: need 1e-09 to 1000 m"},
        {"1 2 3 0.5", "1 2 3 5e-324", "bad.txt:4: radius = 4.94066e-324 m: need 1e-09"},
        {"1 2 3 0.5", "1 2 3 9e-10", "bad.txt:4: radius = 9e-10 m: need 1e-09"},
        {"1 2 3 0.5", "1 2 3 1e308", "bad.txt:4: radius = 1e+308 m: need 1e-09 to 1000 m"},
        {"1 2 3 0.5", "1 2 3 -0.5", "bad.txt:4: radius = -0.5 m: need 1e-09"},
        {"1 2 3 0.5", "1 2 3 nan", "bad.txt:4: radius = 'nan': need a number"},
        {"1 2 3 0.5", "1 1e999 3 1", "bad.txt:4: y = '1e999': need a finite number"},
        {"1 2 3 0.5", "1 -1e308 3 1",
         "bad.txt: position 2 of particle 0 = -1e+308: need a finite number, at most"},
        {"1 2 3 0.5", "1 2 0x3 1", "bad.txt:4: z = '0x3'"},
        {"1 2 3 0.5", "1,2,3,1", "bad.txt:4: x = '1,2,3,1'"},
        {"5E-1 ", "5E-1 0 0 0 0 0 zero", "bad.txt:5: wz = 'zero'"},
    };
    sw_dem_packing p;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_job(good_text, refused[i].old, refused[i].new);
        assert_int_equal(rename(job_path, path_of("bad.txt")), 0);
        CHECK_FAILS(sw_dem_packing_read(path_of("bad.txt"), &p), SW_ERR_INPUT, refused[i].part);
        assert_true(p.n_particles == 0 && p.position == NULL);
    }
    write_text(path_of("bad.txt"), "");
    CHECK_FAILS(sw_dem_packing_read(path_of("bad.txt"), &p), SW_ERR_INPUT,
                "no particles in its 0 lines: need 1");
    write_text(path_of("bad.txt"), "# none\ncell 1 0 0 0 1 0 0 0 1\n");
    CHECK_FAILS(sw_dem_packing_read(path_of("bad.txt"), &p), SW_ERR_INPUT, "no particles in its 2 lines");
    FILE *file = fopen(path_of("bad.txt"), "wb");
    assert_int_equal(fwrite("cell 1 0 0 0 1 0 0 0 1\n1 2\0 3 4\n", 1, 33, file), 33);
    fclose(file);
    CHECK_FAILS(sw_dem_packing_read(path_of("bad.txt"), &p), SW_ERR_INPUT, "bad.txt:2: a NUL byte");
    CHECK_FAILS(sw_dem_packing_read(path_of("none.txt"), &p), SW_ERR_IO,
                "none.txt: cannot be read: No such file");
    CHECK_FAILS(sw_dem_packing_read(path_of("bad.csv"), &p), SW_ERR_INPUT,
                "unknown suffix of a packing: need .txt");
}

/* ---- VTKHDF ---- */

static void check_integers(hid_t file, const char *name, int64_t n, const int64_t *expected)
{
    int64_t value[N + 1];
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_INT64, 1, &n, value));
    assert_memory_equal(value, expected, (size_t)n * sizeof *value);
}

/* What VTK's reader asks for: a vertex for each point, counts, field data. */
static void vtkhdf_has_what_vtk_asks_for(void **state)
{
    (void)state;
    sw_dem_packing p = odd_packing(1, 1);
    double contacts[N], stress[N][6], value[N][6];
    int64_t number[N + 1], n = N;
    for (int i = 0; i <= N; i++)
        number[i] = i;
    for (int i = 0; i < N; i++) {
        contacts[i] = i % 7;
        for (int c = 0; c < 6; c++)
            stress[i][c] = i + 0.1 * c;
    }
    const sw_dem_packing_field field[] = {{"contacts", 1, contacts}, {"stress", 6, stress[0]}};
    CHECK_OK(sw_dem_packing_write(path_of("fields.vtkhdf"), &p, 2, field));
    hid_t file;
    CHECK_OK(sw_h5_open(path_of("fields.vtkhdf"), 0, &file));
    check_integers(file, "VTKHDF/NumberOfPoints", 1, &n);
    check_integers(file, "VTKHDF/NumberOfCells", 1, &n);
    check_integers(file, "VTKHDF/NumberOfConnectivityIds", 1, &n);
    check_integers(file, "VTKHDF/Connectivity", N, number);
    check_integers(file, "VTKHDF/Offsets", N + 1, number);
    for (int i = 0; i < N; i++)
        number[i] = 1;
    check_integers(file, "VTKHDF/Types", N, number);
    CHECK_OK(sw_h5_read(file, "VTKHDF/PointData/contacts", H5T_NATIVE_DOUBLE, 1, &n, value));
    assert_memory_equal(value, contacts, sizeof contacts);
    CHECK_OK(sw_h5_read(file, "VTKHDF/PointData/stress", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, 6}, value));
    assert_memory_equal(value, stress, sizeof stress);
    CHECK_OK(sw_h5_read(file, "VTKHDF/FieldData/cell", H5T_NATIVE_DOUBLE, 2, (int64_t[]){3, 3}, value));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(((double *)value)[3 * j + i] == p.cell[i][j]); /* rows: vectors */
    hid_t group = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
    char *type;
    CHECK_OK(sw_h5_read_text(group, "Type", &type));
    assert_string_equal(type, "UnstructuredGrid");
    free(type);
    H5Gclose(group);
    H5Fclose(file);
    sw_dem_packing_free(&p);
}

/* A good file of two particles with one array left out, of another shape, or with another number. */
static void write_hdf5(const char *left_out, const char *changed, double number, int64_t n, int64_t columns)
{
    double cell[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, radius[2] = {0.1, 0.1}, zero[2][3] = {{0}};
    struct {
        const char *name;
        int rank;
        int64_t shape[2];
        double *data;
    } set[] = {{"FieldData/cell", 2, {3, 3}, cell},
               {"Points", 2, {n, columns}, zero[0]},
               {"PointData/radius", 1, {2, 0}, radius},
               {"PointData/velocity", 2, {2, 3}, zero[0]},
               {"PointData/spin", 2, {2, 3}, zero[0]}};
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path_of("bad.vtkhdf"), &output));
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        char name[64];
        snprintf(name, sizeof name, "VTKHDF/%s", set[i].name);
        double *first = set[i].data, before = *first;
        if (changed != NULL && strcmp(changed, set[i].name) == 0)
            *first = number;
        if (left_out == NULL || strcmp(left_out, set[i].name) != 0)
            CHECK_OK(sw_h5_write(output.file, name, H5T_NATIVE_DOUBLE, set[i].rank, set[i].shape, first));
        *first = before;
    }
    CHECK_OK(sw_h5_commit(&output));
}

/* The good file with a contact of its two particles. */
static void add_contacts(int64_t pairs, int64_t sides, int64_t histories, int64_t numbers,
                         const int64_t pair[2], double number, const char *law)
{
    int64_t all[4] = {pair[0], pair[1], 0, 1};
    double history[128] = {0, 0, number};
    sw_h5_output output;
    write_hdf5(NULL, NULL, 0, 2, 3);
    CHECK_OK(sw_h5_begin_change(path_of("bad.vtkhdf"), &output));
    if (pairs > 0)
        CHECK_OK(sw_h5_write(output.file, "VTKHDF/FieldData/contact_pair", H5T_NATIVE_INT64, 2,
                             (int64_t[]){pairs, sides}, all));
    if (histories > 0)
        CHECK_OK(sw_h5_write(output.file, "VTKHDF/FieldData/contact_history", H5T_NATIVE_DOUBLE, 2,
                             (int64_t[]){histories, numbers}, history));
    if (law != NULL)
        CHECK_OK(sw_h5_describe(output.file, "VTKHDF/FieldData/contact_history", "law", law));
    CHECK_OK(sw_h5_commit(&output));
}

static void bad_contacts_are_refused(void **state)
{
    (void)state;
    static const struct {
        int pairs, sides, histories, numbers;
        int64_t pair[2];
        double number;
        const char *law;
        sw_status code;
        const char *part;
    } refused[] = {
        LINE(0, 2, 1, 7, {0, 1}, 1, "linear", SW_ERR_FORMAT,
             "bad.vtkhdf: VTKHDF/FieldData/contact_pair is missing"),
        LINE(1, 2, 0, 7, {0, 1}, 1, NULL, SW_ERR_FORMAT, "VTKHDF/FieldData/contact_history is missing"),
        LINE(2, 2, 1, 7, {0, 1}, 1, "linear", SW_ERR_FORMAT,
             "contact_pair has length 2 in dimension 0: need 1"),
        LINE(1, 3, 1, 7, {0, 1}, 1, "linear", SW_ERR_FORMAT,
             "contact_pair has length 3 in dimension 1: need 2"),
        LINE(1, 2, 1, 65, {0, 1}, 1, "linear", SW_ERR_FORMAT, "contact_history is [1][65]: need at most"),
        LINE(1, 2, 1, 7, {0, 1}, 1, NULL, SW_ERR_FORMAT, "law"),
        LINE(1, 2, 1, 7, {0, 2}, 1, "linear", SW_ERR_INPUT,
             "bad.vtkhdf: particle 2 of contact 0 = 2: need 0 to 1"),
        LINE(1, 2, 1, 7, {-1, 1}, 1, "linear", SW_ERR_INPUT, "particle 1 of contact 0 = -1: need 0 to 1"),
        LINE(1, 2, 1, 7, {0, INT64_C(1) << 32}, 1, "linear", SW_ERR_INPUT,
             "particle 2 of contact 0 = 2147483647"),
        LINE(1, 2, 1, 7, {1, 1}, 1, "linear", SW_ERR_INPUT, "contact 0: particles 1 and 1: need two"),
        LINE(1, 2, 1, 7, {0, 1}, NAN, "linear", SW_ERR_INPUT,
             "number 3 of contact 0 (particles 0, 1) = nan: need a finite number"),
        LINE(1, 2, 1, 7, {0, 1}, INFINITY, "linear", SW_ERR_INPUT, "= inf: need a finite number"),
    };
    sw_dem_packing p;
    add_contacts(1, 2, 1, 7, (const int64_t[]){0, 1}, 1, "linear");
    CHECK_OK(sw_dem_packing_read(path_of("bad.vtkhdf"), &p)); /* or the rest shows nothing */
    assert_true(p.n_contacts == 1 && p.contact_law == SW_DEM_LINEAR && p.contact_history[2] == 1);
    sw_dem_packing_free(&p);
    add_contacts(1, 2, 1, 7, (const int64_t[]){0, 1}, 1, "of tomorrow");
    CHECK_OK(sw_dem_packing_read(path_of("bad.vtkhdf"), &p)); /* no error: an element does without */
    assert_int_equal(p.contact_law, SW_DEM_LAWS);
    sw_dem_packing_free(&p);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        add_contacts(refused[i].pairs, refused[i].sides, refused[i].histories, refused[i].numbers,
                     refused[i].pair, refused[i].number, refused[i].law);
        CHECK_FAILS(sw_dem_packing_read(path_of("bad.vtkhdf"), &p), refused[i].code, refused[i].part);
        assert_true(p.n_particles == 0 && p.contact == NULL && p.n_contacts == 0);
    }
}

static void bad_vtkhdf_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *left_out, *changed;
        double number;
        int n, columns;
        sw_status code;
        const char *part;
    } refused[] = {
        {"FieldData/cell", NULL, 0, 2, 3, SW_ERR_FORMAT, "bad.vtkhdf: VTKHDF/FieldData/cell is missing"},
        {"Points", NULL, 0, 2, 3, SW_ERR_FORMAT, "VTKHDF/Points is missing"},
        {"PointData/radius", NULL, 0, 2, 3, SW_ERR_FORMAT, "VTKHDF/PointData/radius is missing"},
        {NULL, NULL, 0, 2, 2, SW_ERR_FORMAT, "VTKHDF/Points has length 2 in dimension 1: need 3"},
        {NULL, NULL, 0, 1, 3, SW_ERR_FORMAT, "VTKHDF/PointData/radius has length 2 in dimension 0: need 1"},
        {NULL, NULL, 0, 0, 3, SW_ERR_INPUT, "bad.vtkhdf: 0 particles: need 1 or more"},
        {NULL, "FieldData/cell", -1, 2, 3, SW_ERR_INPUT, "bad.vtkhdf: cell of volume -1 m^3: need > 0"},
        {NULL, "FieldData/cell", NAN, 2, 3, SW_ERR_INPUT, "cell h11 = nan: need a finite number"},
        {NULL, "PointData/radius", 0, 2, 3, SW_ERR_INPUT, "radius of particle 0 = 0 m: need 1e-09 to 1000 m"},
        {NULL, "PointData/radius", 5e-324, 2, 3, SW_ERR_INPUT, "radius of particle 0 = 4.94066e-324 m: need"},
        {NULL, "PointData/radius", 1e4, 2, 3, SW_ERR_INPUT, "radius of particle 0 = 10000 m: need"},
        {NULL, "FieldData/cell", 1e200, 2, 3, SW_ERR_INPUT,
         "cell h11 = 1e+200: need a finite number, at most"},
        {NULL, "PointData/radius", INFINITY, 2, 3, SW_ERR_INPUT, "radius of particle 0 = inf"},
        {NULL, "Points", NAN, 2, 3, SW_ERR_INPUT, "position 1 of particle 0 = nan: need a finite number"},
        {NULL, "Points", 1e7, 2, 3, SW_ERR_INPUT,
         "position 1 of particle 0 = 1e+07: need a finite number, at most 1e+06"},
        {NULL, "PointData/velocity", INFINITY, 2, 3, SW_ERR_INPUT, "velocity 1 of particle 0 = inf"},
        {NULL, "PointData/spin", NAN, 2, 3, SW_ERR_INPUT, "spin 1 of particle 0 = nan"},
    };
    sw_dem_packing p;
    write_hdf5(NULL, NULL, 0, 2, 3);
    CHECK_OK(sw_dem_packing_read(path_of("bad.vtkhdf"), &p)); /* or the rest shows nothing */
    sw_dem_packing_free(&p);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_hdf5(refused[i].left_out, refused[i].changed, refused[i].number, refused[i].n,
                   refused[i].columns);
        CHECK_FAILS(sw_dem_packing_read(path_of("bad.vtkhdf"), &p), refused[i].code, refused[i].part);
        assert_true(p.n_particles == 0 && p.position == NULL);
    }
    write_text(path_of("bad.vtkhdf"), good_text);
    CHECK_FAILS(sw_dem_packing_read(path_of("bad.vtkhdf"), &p), SW_ERR_FORMAT,
                "bad.vtkhdf: not an HDF5 file");
    CHECK_FAILS(sw_dem_packing_read(path_of("none.vtkhdf"), &p), SW_ERR_IO, "none.vtkhdf: No such file");
}

/* ---- Writing ---- */

/* What cannot be read back is not written, and an older file stays. */
static void what_cannot_be_read_is_not_written(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char name[32];
        snprintf(name, sizeof name, "old.%s", suffixes[f]);
        sw_dem_packing p = odd_packing(0, 0), in;
        CHECK_OK(sw_dem_packing_write(path_of(name), &p, 0, NULL));
        const int files = count_files();
        const double first = p.position[0][0], radius = p.radius[4], height = p.cell[2][2];
        p.position[0][0] = NAN;
        CHECK_FAILS(sw_dem_packing_write(path_of(name), &p, 0, NULL), SW_ERR_RANGE,
                    "position 1 of particle 0 = nan");
        p.position[0][0] = first;
        p.radius[4] = -1;
        CHECK_FAILS(sw_dem_packing_write(path_of(name), &p, 0, NULL), SW_ERR_RANGE,
                    "radius of particle 4 = -1");
        p.radius[4] = radius;
        p.cell[2][2] = 0;
        CHECK_FAILS(sw_dem_packing_write(path_of(name), &p, 0, NULL), SW_ERR_RANGE, "cell of volume 0");
        p.cell[2][2] = height;
        p.n_particles = 0;
        CHECK_FAILS(sw_dem_packing_write(path_of(name), &p, 0, NULL), SW_ERR_RANGE, "0 particles: need 1");
        p.n_particles = N;
        assert_int_equal(count_files(), files);
        CHECK_OK(sw_dem_packing_read(path_of(name), &in));
        assert_memory_equal(in.position, p.position, N * sizeof *p.position);

        char elsewhere[64];
        snprintf(elsewhere, sizeof elsewhere, "absent/new.%s", suffixes[f]);
        CHECK_FAILS(sw_dem_packing_write(path_of(elsewhere), &p, 0, NULL), SW_ERR_IO,
                    f == 0 ? "cannot be written: No such" : "cannot be created: No such");
        snprintf(elsewhere, sizeof elsewhere, "folder.%s", suffixes[f]);
        assert_int_equal(mkdir(path_of(elsewhere), 0700), 0);
        CHECK_FAILS(sw_dem_packing_write(path_of(elsewhere), &p, 0, NULL), SW_ERR_IO, "is a folder");
        CHECK_FAILS(sw_dem_packing_write(path_of("new.dat"), &p, 0, NULL), SW_ERR_INPUT,
                    "new.dat: unknown suffix");
        assert_int_equal(count_files(), files + 1);
        sw_dem_packing_free(&in);
        sw_dem_packing_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packings_come_back),
        cmocka_unit_test(contacts_come_back),
        cmocka_unit_test(bad_contacts_are_refused),
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(byte_order_marks_are_read_over),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(vtkhdf_has_what_vtk_asks_for),
        cmocka_unit_test(bad_vtkhdf_is_refused),
        cmocka_unit_test(what_cannot_be_read_is_not_written),
    };
    return cmocka_run_group_tests_name("dem_packing_file", tests, make_job_folder, tear_down);
}
