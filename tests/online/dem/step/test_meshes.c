/* Walls of triangles: as the planes that they are, to rounding, however they are cut; on edges and corners once, with a
 * friction that goes on across them; boxes that bear what is in them; and the same bits on the way. */
#include "online/dem/step/control.h"
#include "tests/online/dem/packs.h"

static const double radius = 1e-3, g = 9.81;
enum { MOST = 600 };

/* ---- Surfaces ---- */

typedef struct {
    int64_t n;
    double corner[MOST][3][3];
} surface;

static void add(surface *s, const double a[3], const double b[3], const double c[3])
{
    memcpy(s->corner[s->n][0], a, sizeof s->corner[0][0]);
    memcpy(s->corner[s->n][1], b, sizeof s->corner[0][0]);
    memcpy(s->corner[s->n++][2], c, sizeof s->corner[0][0]);
}

/* A rectangle from a corner along two edges, in m x m squares of two triangles each. */
static void add_plate(surface *s, const double from[3], const double u[3], const double v[3], int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double at[2][2][3];
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    for (int c = 0; c < 3; c++)
                        at[a][b][c] = from[c] + u[c] * (i + a) / m + v[c] * (j + b) / m;
            add(s, at[0][0], at[1][0], at[1][1]);
            add(s, at[0][0], at[1][1], at[0][1]);
        }
}

static sw_dem_mesh *mesh_of(const surface *s)
{
    sw_dem_mesh *mesh;
    CHECK_OK(sw_dem_mesh_make(s->n, (const double(*)[3][3])s->corner, &mesh));
    assert_int_equal(sw_dem_mesh_triangles(mesh), s->n);
    return mesh;
}

/* ---- One sphere ---- */

typedef struct {
    sw_dem_packing pack;
    sw_dem_material material;
    sw_dem_numerics numerics;
    sw_dem_stage stage;
    sw_dem_wall wall[SW_DEM_WALLS];
    sw_dem_sample sample;
} box;

static void make_box(box *b, sw_dem_law law)
{
    *b = (box){.pack = dem_pack(1, 2e-2, 2e-2, 2e-2),
               .material = {.law = law, .young = 1e7, .poisson = 0.3, .friction = 0.5, .density = 2500}};
    dem_make_sticky(&b->material);
    b->pack.radius[0] = radius;
    for (int k = 0; k < 3; k++)
        b->pack.position[0][k] = 1e-2;
    b->numerics = sw_dem_numerics_defaults();
    b->numerics.damping = 0;
    b->numerics.step_rule = SW_DEM_STEP_FIXED;
    b->numerics.skin = 1;
    b->sample = (sw_dem_sample){.side = {SW_DEM_OPEN, SW_DEM_OPEN, SW_DEM_OPEN}, .side_friction = -1};
}

static const sw_dem_rve *run_box(box *b, double steps, double step, sw_dem **dem)
{
    const sw_dem_options options = sw_dem_defaults();
    b->numerics.step = step;
    b->stage = dem_steps(steps);
    b->sample.packing = b->pack;
    b->sample.material = b->material;
    b->sample.numerics = b->numerics;
    b->sample.n_stages = 1;
    b->sample.stage = &b->stage;
    b->sample.wall = b->wall;
    CHECK_OK(sw_dem_open(&options, 1, &b->sample, dem));
    return dem_finish(*dem);
}

static double mass_of(const box *b) { return dem_mass(&b->material, radius); }
static double unit_of(const box *b) { return sqrt(mass_of(b) / (2 * b->material.young * radius)); }

/* Contacts of the sphere with wall 0, and their tangential forces' sum. */
static int contacts_of(const sw_dem_rve *rve, double tangential[3])
{
    const int64_t places = (int64_t)rve->lanes * rve->n_walls * rve->n_particles;
    int n = 0;
    for (int c = 0; c < 3; c++)
        tangential[c] = 0;
    for (int64_t p = 0; p < places; p++) {
        n += rve->wall_touching[p] != 0;
        for (int c = 0; c < 3; c++)
            tangential[c] += rve->wall_history[c * places + p];
    }
    return n;
}

/* Thrown askew onto a floor it bounces, slides and rolls over a hundred triangles as on the plane: places of 1e-2 m to
 * rounding in some 1e4 steps, each of which may lose 1e-16 of them. The floor is of squares that match, or of a large
 * rectangle beside small ones, whose edges do not. */
static void a_floor_of_triangles_is_a_plane(void **state)
{
    (void)state;
    static const sw_dem_law laws[] = {SW_DEM_LINEAR, SW_DEM_HERTZ_MINDLIN, SW_DEM_JKR, SW_DEM_CAPILLARY};
    for (int kind = 0; kind < 2; kind++)
        for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
            surface s = {0};
            box b[2];
            sw_dem *dem[2];
            const sw_dem_rve *rve[2];
            const double u[3] = {2e-2, 0, 0}, v[3] = {0, 2e-2, 0}, half[3] = {1.05e-2, 0, 0},
                         rest[3] = {0.95e-2, 0, 0}, from[3] = {1.05e-2, 0, 0}, zero[3] = {0, 0, 0};
            if (kind == 0)
                add_plate(&s, zero, u, v, 13);
            else {
                add_plate(&s, zero, half, v, 1);
                add_plate(&s, from, rest, v, 11);
            }
            sw_dem_mesh *mesh = mesh_of(&s);
            for (int i = 0; i < 2; i++) {
                make_box(&b[i], laws[law]);
                b[i].material.roll_stiffness = b[i].material.twist_stiffness = 0.2;
                b[i].material.roll_strength = b[i].material.twist_strength = 0.01;
                b[i].wall[0] = (sw_dem_wall){.shape = i == 0 ? SW_DEM_PLANE : SW_DEM_MESH,
                                             .point = {0, 0, 2e-3},
                                             .axis = {0, 0, 2},
                                             .velocity = {1e-3, 0, 0.5e-3},
                                             .friction = 0.3,
                                             .mesh = i == 0 ? NULL : mesh};
                b[i].sample.n_walls = 1;
                b[i].sample.gravity[2] = -g;
                b[i].pack.position[0][0] = 7e-3;
                b[i].pack.position[0][1] = 5e-3;
                b[i].pack.position[0][2] = 3.1e-3;
                b[i].pack.velocity[0][0] = 0.3;
                b[i].pack.velocity[0][1] = 0.17;
                b[i].pack.spin[0][2] = 10;
                b[i].numerics.damping = 0.02;
                rve[i] = run_box(&b[i], 8000, 0.15 * unit_of(&b[i]), &dem[i]);
            }
            double force[2][3];
            assert_int_equal(contacts_of(rve[0], force[0]), contacts_of(rve[1], force[1]));
            assert_true(rve[0]->position[0][0] > (law < 2 ? 1.2e-2 : 8.5e-3)); /* it went on */
            for (int c = 0; c < 3; c++) {
                CHECK_CLOSE(rve[1]->position[0][c], rve[0]->position[0][c], 1e-12 * 1e-2);
                CHECK_CLOSE(rve[1]->velocity[0][c], rve[0]->velocity[0][c], 1e-9 * 0.1);
                CHECK_CLOSE(rve[1]->spin[0][c], rve[0]->spin[0][c], 1e-9 * 100);
                CHECK_CLOSE(force[1][c], force[0][c], 1e-8 * mass_of(&b[0]) * g);
            }
            CHECK_CLOSE(rve[1]->state->wall_sum[0], rve[0]->state->wall_sum[0], 1e-8 * mass_of(&b[0]) * g);
            for (int i = 0; i < 2; i++) {
                sw_dem_close(dem[i]);
                sw_dem_packing_free(&b[i].pack);
            }
            sw_dem_mesh_free(mesh);
        }
}

/* In the corner of three plates of a mesh it has three contacts, as with three planes. */
static void a_corner_is_three_planes(void **state)
{
    (void)state;
    surface s = {0};
    box b[2];
    sw_dem *dem[2];
    const sw_dem_rve *rve[2];
    const double e[3][3] = {{2e-2, 0, 0}, {0, 2e-2, 0}, {0, 0, 2e-2}}, zero[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        add_plate(&s, zero, e[k], e[(k + 1) % 3], 5);
    sw_dem_mesh *mesh = mesh_of(&s);
    for (int i = 0; i < 2; i++) {
        make_box(&b[i], SW_DEM_LINEAR);
        b[i].sample.n_walls = i == 0 ? 3 : 1;
        for (int k = 0; k < b[i].sample.n_walls; k++) {
            b[i].wall[k] =
                (sw_dem_wall){.shape = i == 0 ? SW_DEM_PLANE : SW_DEM_MESH, .friction = 0.3, .mesh = mesh};
            b[i].wall[k].axis[(k + 2) % 3] = 1;
        }
        for (int k = 0; k < 3; k++) {
            b[i].pack.position[0][k] = 1e-3 + 1e-7 * k;
            b[i].sample.gravity[k] = -g * (1 + 0.3 * k);
        }
        b[i].numerics.damping = 0.3;
        rve[i] = run_box(&b[i], 6000, 0.15 * unit_of(&b[i]), &dem[i]);
    }
    double force[2][3];
    assert_true(contacts_of(rve[0], force[0]) == 3 && contacts_of(rve[1], force[1]) == 3);
    for (int c = 0; c < 3; c++) {
        CHECK_CLOSE(rve[1]->position[0][c], rve[0]->position[0][c], 1e-12 * 1e-2);
        CHECK_CLOSE(force[1][c], force[0][c], 1e-9 * mass_of(&b[0]) * g);
    }
    /* axis 3 alone: what presses the first of the three planes, and friction of the others */
    CHECK_CLOSE(rve[1]->state->wall_sum[0], mass_of(&b[0]) * g * 1.6, 1e-3 * mass_of(&b[0]) * g);
    for (int i = 0; i < 2; i++) {
        sw_dem_close(dem[i]);
        sw_dem_packing_free(&b[i].pack);
    }
    sw_dem_mesh_free(mesh);
}

/* On a ridge of two plates, at a right angle and cut askew, it is once: m g / K deep. On a corner of a cube, too. */
static void edges_and_corners_count_once(void **state)
{
    (void)state;
    for (int corner = 0; corner < 2; corner++) {
        surface s = {0};
        box b;
        sw_dem *dem;
        make_box(&b, SW_DEM_LINEAR);
        const double deep = mass_of(&b) * g / (2 * b.material.young * radius), d = 8e-3;
        const double top[3] = {0, 0, 0}, ridge[3] = {0, d, 0}, left[3] = {-d, 0, -d}, right[3] = {d, 0, -d},
                     back[3] = {0, -4e-3, 0};
        if (corner) {
            const double down[3][3] = {{d, 0, -d}, {-0.5 * d, 0.866 * d, -d}, {-0.5 * d, -0.866 * d, -d}};
            for (int k = 0; k < 3; k++)
                add_plate(&s, top, down[k], down[(k + 1) % 3], 3);
        } else {
            add_plate(&s, back, ridge, left, 3);
            add_plate(&s, back, right, ridge, 4); /* edges along the ridge end elsewhere than the others' */
        }
        sw_dem_mesh *mesh = mesh_of(&s);
        b.wall[0] = (sw_dem_wall){.shape = SW_DEM_MESH,
                                  .point = {1e-2, 1e-2, 1e-2},
                                  .axis = {0, 0, 1},
                                  .friction = 0.5,
                                  .mesh = mesh};
        b.sample.n_walls = 1;
        b.sample.gravity[2] = -g;
        b.pack.position[0][2] = 1e-2 + radius - deep;
        const sw_dem_rve *rve =
            run_box(&b, 400, 0.1 * unit_of(&b), &dem); /* 40: it has not tipped over yet */
        double force[3];
        assert_int_equal(contacts_of(rve, force), 1);
        CHECK_CLOSE(rve->state->wall_sum[0], mass_of(&b) * g, 1e-9 * mass_of(&b) * g);
        CHECK_CLOSE(rve->position[0][2], 1e-2 + radius - deep, 1e-9 * deep);
        sw_dem_close(dem);
        sw_dem_packing_free(&b.pack);
        sw_dem_mesh_free(mesh);
    }
}

/* It rolls off a table: from the plate, where it rolls, around the edge without slip, w^2 = w0^2 + 10 g (1 - cos) / (7 r)
 * about the edge, to the angle where nothing presses it. Friction that began anew at the edge would let it slip: the
 * balance of energy shows it. Soft contacts cost some m g / (K r) = 1e-4 of an angle. */
static void it_rolls_over_an_edge(void **state)
{
    (void)state;
    surface s = {0};
    box b;
    sw_dem *dem;
    make_box(&b, SW_DEM_LINEAR);
    const double u[3] = {5e-3, 0, 0}, v[3] = {0, 1e-2, 0}, from[3] = {0, 0, 0}, at[3] = {5e-3, 0, 0},
                 down[3] = {0, 0, -5e-3}, slow = 0.02;
    add_plate(&s, from, u, v, 4);
    add_plate(&s, at, down, v, 3);
    sw_dem_mesh *mesh = mesh_of(&s);
    b.wall[0] = (sw_dem_wall){
        .shape = SW_DEM_MESH, .point = {5e-3, 5e-3, 8e-3}, .axis = {0, 0, 1}, .friction = 2, .mesh = mesh};
    b.sample.n_walls = 1;
    b.sample.gravity[2] = -g;
    const double deep = mass_of(&b) * g / (2 * b.material.young * radius), r = radius - deep;
    b.pack.position[0][0] = 1e-2 - 1e-3;
    b.pack.position[0][2] = 8e-3 + r;
    b.pack.velocity[0][0] = slow;
    b.pack.spin[0][1] = slow / r;
    b.numerics.control_interval = 1;
    b.numerics.record_interval = 1;
    const double step = 0.1 * unit_of(&b);
    double angle = 0, speed = 0;
    const sw_dem_rve *rve = run_box(&b, rint((1e-3 / slow + 0.021) / step), step, &dem);
    angle = atan2(rve->position[0][0] - 1e-2, rve->position[0][2] - 8e-3);
    speed = rve->spin[0][1];
    double force[3];
    assert_int_equal(contacts_of(rve, force), 1);
    assert_true(angle > 0.2 && angle < 0.9);
    const double expected = sqrt(pow(slow / r, 2) + 10 * g * (1 - cos(angle)) / (7 * r));
    CHECK_CLOSE(speed, expected, 3e-3 * expected);
    CHECK_CLOSE(hypot(rve->velocity[0][0], rve->velocity[0][2]), expected * r, 3e-3 * expected * r);
    const double energy = 0.5 * mass_of(&b) * slow * slow + mass_of(&b) * g * r * (1 - cos(angle));
    CHECK_CLOSE(rve->state->work[SW_DEM_WORK_FRICTION], 0, 1e-6 * energy);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    CHECK_CLOSE(dem_imbalance(&row[n - 1]) - dem_imbalance(&row[0]), 0, 2e-3 * energy);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
    sw_dem_mesh_free(mesh);
}

/* A spring of friction that is stretched by a side wind on one plate is there on the next: across an edge that falls away
 * by 0.1 it turns with the normal, and is not lost. */
static void friction_goes_on_over_an_edge(void **state)
{
    (void)state;
    surface s = {0};
    box b;
    sw_dem *dem;
    make_box(&b, SW_DEM_LINEAR);
    const double u[3] = {1e-2, 0, 0}, v[3] = {0, 2e-2, 0}, from[3] = {0, 0, 0}, at[3] = {1e-2, 0, 0},
                 next[3] = {1e-2, 0, -1e-3};
    add_plate(&s, from, u, v, 1);
    add_plate(&s, at, next, v, 1);
    sw_dem_mesh *mesh = mesh_of(&s);
    b.wall[0] = (sw_dem_wall){
        .shape = SW_DEM_MESH, .point = {0, 0, 8e-3}, .axis = {0, 0, 1}, .friction = 2, .mesh = mesh};
    b.sample.n_walls = 1;
    b.sample.gravity[2] = -g;
    b.sample.gravity[1] = 0.3 * g; /* rolls down it: friction is 2/7 of it across */
    const double deep = mass_of(&b) * g / (2 * b.material.young * radius), r = radius - deep, fast = 0.05;
    b.pack.position[0][0] = 1e-2 - 5e-4;
    b.pack.position[0][2] = 8e-3 + r;
    b.pack.velocity[0][0] = fast;
    b.pack.spin[0][1] = fast / r;
    const double step = 0.1 * unit_of(&b);
    const sw_dem_rve *rve = run_box(&b, rint(1.5e-3 / fast / step), step, &dem);
    const double time = step * (double)rve->state->step, along = 5.0 / 7 * 0.3 * g * time;
    assert_true(rve->position[0][0] > 1e-2 + 8e-4);
    CHECK_CLOSE(rve->velocity[0][1], along, 3e-3 * along);
    CHECK_CLOSE(rve->spin[0][0], -along / r, 6e-3 * along / r);
    CHECK_CLOSE(rve->state->work[SW_DEM_WORK_FRICTION], 0, 1e-12 * mass_of(&b) * fast * fast);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
    sw_dem_mesh_free(mesh);
}

/* ---- Concave edges ---- */

/* The sum of depths times normals: force over stiffness, of a sphere of radius 1. */
static void force_of(const sw_dem_mesh *mesh, const double x[3], double force[3])
{
    sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS];
    for (int c = 0; c < 3; c++)
        force[c] = 0;
    for (int k = sw_dem_mesh_contacts(mesh, x, 1, 1, contact) - 1; k >= 0; k--)
        for (int c = 0; c < 3; c++)
            force[c] -= (1 - contact[k].distance) * contact[k].normal[c];
}

/* Around a loop some 0.02 deep in places the force steps no more than a stiffness of `planes` makes of it, and does no
 * work. Feet that are one to 1e-4 each may turn it by 2e-4 at a time: of the most that it is, its steps may be 3e-4, its
 * mean along the way 1e-4. */
static void check_loop(const sw_dem_mesh *mesh, const double centre[3], const double a[3], const double b[3],
                       double planes, double deepest)
{
    enum { STEPS = 20000 };
    double was[3], before[3], work = 0, round = 0, jump = 0, most = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double angle = 2 * acos(-1) * i / STEPS;
        double x[3], force[3], change = 0, step = 0;
        for (int c = 0; c < 3; c++)
            x[c] = centre[c] + a[c] * cos(angle) + b[c] * sin(angle);
        force_of(mesh, x, force);
        for (int c = 0; c < 3 && i > 0; c++) {
            work += 0.5 * (force[c] + before[c]) * (x[c] - was[c]);
            change += (force[c] - before[c]) * (force[c] - before[c]);
            step += (x[c] - was[c]) * (x[c] - was[c]);
        }
        most = fmax(most, sqrt(sw_dem_dot(force, force)));
        jump = fmax(jump, sqrt(change) - planes * sqrt(step));
        round += sqrt(step);
        memcpy(was, x, sizeof was);
        memcpy(before, force, sizeof before);
    }
    assert_true(most > 0.5 * deepest);
    CHECK_CLOSE(fmax(jump, 0), 0, 3e-4 * most);
    CHECK_CLOSE(work, 0, 1e-4 * most * round);
}

/* Two plates that rise from an edge: below some sqrt(8 depth) = 23 degrees both are under one contact. */
static void a_valley_makes_no_energy(void **state)
{
    (void)state;
    static const double degrees[] = {0.01, 0.05, 0.25, 1, 10, 40, 90};
    for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++) {
        surface s = {0};
        const double tilt = 0.5 * degrees[k] * acos(-1) / 180, from[3] = {0, -4, 0}, v[3] = {0, 8, 0};
        const double left[3] = {-4 * cos(tilt), 0, 4 * sin(tilt)},
                     right[3] = {4 * cos(tilt), 0, 4 * sin(tilt)};
        add_plate(&s, from, left, v, 5);
        add_plate(&s, from, right, v, 4);
        sw_dem_mesh *mesh = mesh_of(&s);
        const double centre[3] = {0.003, 0.1, 0.99 / cos(tilt)}, a[3] = {0.05, 0.3, 0},
                     b[3] = {0, 0.05, 0.01};
        check_loop(mesh, centre, a, b, 2, 0.01);
        sw_dem_mesh_free(mesh);
    }
}

/* A bowl of 10 x 20 facets, 3 radii wide, and a loop around in it. */
static sw_dem_mesh *make_bowl(double wide)
{
    enum { DOWN = 10, AROUND = 20 };
    surface s = {0};
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < AROUND; j++) {
            double at[2][2][3];
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++) {
                    const double down = acos(-1) / 2 * (i + a) / DOWN,
                                 around = 2 * acos(-1) * ((j + b) % AROUND) / AROUND;
                    at[a][b][0] = wide * sin(down) * cos(around);
                    at[a][b][1] = wide * sin(down) * sin(around);
                    at[a][b][2] = -wide * cos(down);
                }
            if (i > 0)
                add(&s, at[0][0], at[1][0], at[0][1]);
            add(&s, at[0][1], at[1][0], at[1][1]);
        }
    return mesh_of(&s);
}

static void a_bowl_makes_no_energy(void **state)
{
    (void)state;
    sw_dem_mesh *mesh = make_bowl(3);
    const double centre[3] = {0.02, 0.01, -1.2}, a[3] = {1.63, 0.3, 0}, b[3] = {-0.3, 1.63, 0.01};
    check_loop(mesh, centre, a, b, 3, 0.02);
    sw_dem_mesh_free(mesh);
}

/* A sphere that bounces in it, without damping: its energy is what it was, within 1 % when it is off it; on it, where
 * contacts merge, within 2 %: velocities are half a step of 0.05 behind, of the kinetic energy at most 0.025. */
static void bounce_in_a_bowl(double friction, double tolerance)
{
    box b;
    sw_dem *dem;
    make_box(&b, SW_DEM_LINEAR);
    b.material.friction = friction;
    sw_dem_mesh *mesh = make_bowl(3e-3);
    b.wall[0] = (sw_dem_wall){
        .shape = SW_DEM_MESH, .point = {1e-2, 1e-2, 1e-2}, .axis = {0, 0, 1}, .mesh = mesh, .friction = -1};
    b.sample.n_walls = 1;
    b.sample.gravity[2] = -100 * g;
    b.pack.position[0][0] += 1.3e-3;
    b.pack.position[0][1] += 0.13e-3;
    b.pack.position[0][2] -= 1e-3;
    b.numerics.record_interval = b.numerics.control_interval = 1;
    const double energy = mass_of(&b) * 100 * g * 1e-3; /* down to the bottom */
    run_box(&b, 20000, 0.05 * unit_of(&b), &dem);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    double most = 0;
    int flights = 0;
    for (int64_t i = 0; i < n; i++) {
        const int flies = row[i].wall_contacts == 0;
        flights += i > 0 && row[i - 1].wall_contacts != 0 && flies;
        most = fmax(most, (flies ? 2 : 1) * fabs(dem_imbalance(&row[i]) - dem_imbalance(&row[0])));
    }
    assert_true(flights > 10);
    CHECK_CLOSE(most, 0, tolerance * energy);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
    sw_dem_mesh_free(mesh);
}

static void it_bounces_in_a_bowl(void **state)
{
    (void)state;
    bounce_in_a_bowl(0, 2e-2);
    bounce_in_a_bowl(0.3, 2e-2);
}

/* One that is thrown at a plate so fast that a step takes it through, and one that is pressed through slowly, soft as it is:
 * both are told of, by particle and wall; one that the plate turns back is not. */
static void what_goes_through_is_told(void **state)
{
    (void)state;
    static const struct {
        double speed, gravity;
        int through;
    } way[] = {{3e3, 0, 1}, {0.5, 1e6, 1}, {0.5, 0, 0}};
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        const sw_dem_options options = sw_dem_defaults();
        surface s = {0};
        sw_dem *dem;
        box b;
        make_box(&b, SW_DEM_LINEAR);
        add_plate(&s, (const double[3]){0, 0, 0}, (const double[3]){2e-2, 0, 0},
                  (const double[3]){0, 2e-2, 0}, 3);
        sw_dem_mesh *mesh = mesh_of(&s);
        b.wall[0] =
            (sw_dem_wall){.shape = SW_DEM_MESH, .point = {0, 0, 8e-3}, .axis = {0, 0, 1}, .mesh = mesh};
        b.sample.n_walls = 1;
        b.pack.velocity[0][2] = -way[k].speed;
        b.sample.gravity[2] = -way[k].gravity;
        b.numerics.step = (k == 0 ? 0.5 : 0.05) * unit_of(&b);
        b.numerics.control_interval = 5;
        b.numerics.skin = 2;
        b.stage = dem_steps(k == 0 ? 20 : 2000);
        b.sample.packing = b.pack;
        b.sample.material = b.material;
        b.sample.numerics = b.numerics;
        b.sample.n_stages = 1;
        b.sample.stage = &b.stage;
        b.sample.wall = b.wall;
        CHECK_OK(sw_dem_open(&options, 1, &b.sample, &dem));
        CHECK_OK(sw_dem_run(dem, NULL, NULL));
        const sw_status status = sw_dem_failure(dem, 0);
        if (status != (way[k].through ? SW_ERR_CONVERGENCE : SW_OK) ||
            (way[k].through &&
             strstr(sw_error_message(), "first particle 0 (radius 0.001 m) through wall 0") == NULL))
            fail_msg("%zu: %s: %s", k, sw_status_text(status), sw_error_message());
        sw_dem_close(dem);
        sw_dem_packing_free(&b.pack);
        sw_dem_mesh_free(mesh);
    }
}

/* ---- Many ---- */

enum { GRAINS = 27 };

/* Grains fall into a hopper, a pyramid on its top, of 0.4 slope, in 2 x 2 plates a side: it bears their weight. A lid of two
 * triangles comes down by force, as one that is a plane does. Saved on the way and restored, in bits. */
static void a_hopper_bears_its_grains(void **state)
{
    (void)state;
    sw_dem_material m = sw_dem_quartz();
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_packing pack = dem_pack_lattice(GRAINS, 5e-5, 1.25e-4, 1.02, 0, 4);
    const double edge = pack.cell[0][0], low[3] = {0.5 * edge, 0.5 * edge, -0.4 * edge}, tall = 1.5 * edge;
    const double corner[4][3] = {{0, 0, 0}, {edge, 0, 0}, {edge, edge, 0}, {0, edge, 0}},
                 up[3] = {0, 0, tall};
    surface s = {0}, top = {0};
    double weight = 0;
    m.young = 1e6; /* for long steps */
    pack.cell[2][2] = tall;
    for (int k = 0; k < 4; k++) {
        double along[3];
        for (int c = 0; c < 3; c++)
            along[c] = corner[(k + 1) % 4][c] - corner[k][c];
        add(&s, corner[k], corner[(k + 1) % 4], low);
        add_plate(&s, corner[k], along, up, 2);
    }
    const double from[3] = {-edge, -edge, 0}, u[3] = {3 * edge, 0, 0}, v[3] = {0, 3 * edge, 0};
    add_plate(&top, from, u, v, 1);
    sw_dem_mesh *hopper = mesh_of(&s), *lid = mesh_of(&top);
    for (int64_t i = 0; i < GRAINS; i++)
        weight += dem_mass(&m, pack.radius[i]) * g;
    sw_dem_wall wall[2] = {{.shape = SW_DEM_MESH, .axis = {0, 0, 1}, .friction = 0.3, .mesh = hopper},
                           {.shape = SW_DEM_PLANE,
                            .point = {0, 0, 0.99 * tall},
                            .axis = {0, 0, -1},
                            .force_driven = 1,
                            .force = 20 * weight,
                            .max_speed = 0.2,
                            .friction = 0.2,
                            .mesh = lid}};
    sw_dem_stage stage = dem_isotropic(0, 1, -1);
    for (int c = 0; c < 3; c++)
        stage.stress_driven[c] = 0;
    stage.goal = 1e-3;
    sw_dem_sample sample = {.packing = pack,
                            .material = m,
                            .numerics = sw_dem_numerics_defaults(),
                            .n_stages = 1,
                            .stage = &stage,
                            .side = {SW_DEM_OPEN, SW_DEM_OPEN, SW_DEM_OPEN},
                            .side_friction = -1,
                            .n_walls = 1,
                            .wall = wall,
                            .gravity = {0, 0, -g}};
    sw_dem *dem;
    sw_dem_row row[2];
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    const sw_dem_rve *rve = dem_finish(dem);
    sw_dem_last_row(dem, 0, &row[0]);
    CHECK_CLOSE(row[0].wall_force_1, weight, 3e-3 * weight);
    for (int64_t i = 0; i < GRAINS; i++) /* none left it */
        for (int c = 0; c < 2; c++)
            assert_true(rve->position[i][c] > 0 && rve->position[i][c] < edge &&
                        rve->position[i][2] > low[2]);
    sw_dem_packing settled;
    CHECK_OK(sw_dem_get_packing(dem, 0, &settled));
    sw_dem_close(dem);
    sample.packing = settled;
    sample.n_walls = 2;
    stage = dem_steps(3000);
    for (int k = 0; k < 2; k++) {
        wall[1].shape = k == 0 ? SW_DEM_PLANE : SW_DEM_MESH;
        CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
        rve = dem_finish(dem);
        sw_dem_last_row(dem, 0, &row[k]);
        if (k == 0)
            sw_dem_close(dem);
    }
    CHECK_CLOSE(row[1].wall_force_2, row[0].wall_force_2, 1e-6 * wall[1].force);
    CHECK_CLOSE(row[1].wall_travel_2, row[0].wall_travel_2, 1e-9 * edge);
    CHECK_CLOSE(row[1].boundary_work, row[0].boundary_work, 1e-6 * fabs(row[0].boundary_work));
    assert_true(row[1].wall_travel_2 < -0.1 * edge);
    sw_dem *half;
    void *bytes;
    int64_t length;
    sw_dem_stage part[2] = {dem_steps(1500), dem_steps(1500)};
    sample.stage = part;
    sample.n_stages = 2;
    sw_dem *whole;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &whole));
    dem_finish(whole);
    sample.n_stages = 1;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &half));
    dem_finish(half);
    CHECK_OK(sw_dem_save(half, 0, &length, &bytes));
    sw_dem_close(half);
    CHECK_OK(sw_dem_open(&options, 1, &sample, &half));
    CHECK_OK(sw_dem_restore(half, 0, length, bytes));
    CHECK_OK(sw_dem_add_stage(half, 0, &part[1]));
    rve = dem_finish(half);
    assert_memory_equal(rve->position, sw_dem_get(whole, 0)->position, GRAINS * sizeof *rve->position);
    free(bytes);
    sw_dem_close(half);
    sw_dem_close(whole);
    sw_dem_close(dem);
    sw_dem_mesh_free(hopper);
    sw_dem_mesh_free(lid);
    sw_dem_packing_free(&settled);
    sw_dem_packing_free(&pack);
}

/* ---- What is refused ---- */

static void what_is_no_mesh_is_refused(void **state)
{
    (void)state;
    static const struct {
        double corner[3][3];
        const char *what;
    } bad[] = {{{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, "triangle 1: height over longest edge = 0"},
               {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, "need more than 1e-09"},
               {{{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}, "triangle 1: a corner at nan m"},
               {{{0, 0, 0}, {1, 0, 0}, {0, 2e6, 0}}, "a corner at 2e+06 m: need at most 1e+06 m"}};
    sw_dem_mesh *mesh;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(sw_dem_mesh_make(1, &bad[i].corner, &mesh), SW_ERR_RANGE);
        assert_null(mesh);
        assert_message_has(bad[i].what);
    }
    assert_int_equal(sw_dem_mesh_make(0, NULL, &mesh), SW_ERR_RANGE);
    assert_message_has("0 triangles of a mesh: need 1 to 10000000");
    surface s = {0};
    const double u[3] = {2e-2, 0, 0}, v[3] = {0, 2e-2, 0}, zero[3] = {0, 0, 0};
    add_plate(&s, zero, u, v, 1);
    box b;
    sw_dem *dem;
    sw_dem_options options = sw_dem_defaults();
    make_box(&b, SW_DEM_LINEAR);
    mesh = mesh_of(&s);
    b.wall[0] = (sw_dem_wall){.shape = SW_DEM_MESH, .axis = {0, 0, 1}, .mesh = mesh};
    b.numerics.step = 1e-6;
    b.sample.n_walls = 1;
    b.sample.wall = b.wall;
    b.sample.packing = b.pack;
    b.sample.material = b.material;
    b.sample.numerics = b.numerics;
    b.pack.position[0][2] = 0.4 * radius;
    assert_int_equal(sw_dem_open(&options, 1, &b.sample, &dem), SW_ERR_RANGE);
    assert_message_has("overlap of particle 0 and wall 0 = 0.0006 m");
    b.pack.position[0][2] = -0.9 * radius; /* both sides are */
    CHECK_OK(sw_dem_open(&options, 1, &b.sample, &dem));
    sw_dem_close(dem);
    b.wall[0].mesh = NULL;
    assert_int_equal(sw_dem_open(&options, 1, &b.sample, &dem), SW_ERR_RANGE);
    assert_message_has("mesh of a wall");
    b.wall[0].mesh = mesh;
    b.sample.side[1] = SW_DEM_PERIODIC;
    assert_int_equal(sw_dem_open(&options, 1, &b.sample, &dem), SW_ERR_RANGE);
    assert_message_has("side beside a mesh = 2: need no periodic sides");
    b.sample.side[1] = SW_DEM_OPEN;
    options.cuda = 1;
    assert_int_equal(sw_dem_open(&options, 1, &b.sample, &dem), SW_ERR_RANGE);
    assert_message_has("a wall that is a mesh: need the CPU");
    sw_dem_mesh_free(mesh);
    sw_dem_packing_free(&b.pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_of_triangles_is_a_plane), cmocka_unit_test(a_corner_is_three_planes),
        cmocka_unit_test(edges_and_corners_count_once),    cmocka_unit_test(it_rolls_over_an_edge),
        cmocka_unit_test(friction_goes_on_over_an_edge),   cmocka_unit_test(a_hopper_bears_its_grains),
        cmocka_unit_test(what_is_no_mesh_is_refused),      cmocka_unit_test(a_valley_makes_no_energy),
        cmocka_unit_test(a_bowl_makes_no_energy),          cmocka_unit_test(it_bounces_in_a_bowl),
        cmocka_unit_test(what_goes_through_is_told),
    };
    return cmocka_run_group_tests_name("walls of triangles", tests, NULL, NULL);
}
