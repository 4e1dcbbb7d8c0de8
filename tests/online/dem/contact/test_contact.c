/* Contacts (contact.h) and their integration (step.h) against closed forms: impacts of two spheres, chains
 * that roll and twist, a spring's balance of energy, and history that turns with its pair. */
#include "online/dem/backend/names.h"
#include "online/dem/step/step.h"
#include "tests/online/dem/packs.h"

/* In units of 1 mm, 1 GPa and 2,500 kg/m^3, in which waves take sqrt(rho / E) = 1.6 microseconds a mm. */
static const double young = 1e9, density = 2500, radii[2] = {1e-3, 0.6e-3};

static sw_dem_material smooth(sw_dem_law law)
{
    return (sw_dem_material){.law = law, .young = young, .poisson = 0.3, .density = density};
}

/* ---- Impacts of two spheres ---- */

typedef struct {
    double normal[3], tangent[3], gap;
    double reduced_mass;             /* m_a m_b / (m_a + m_b) */
    double before, time;             /* approach, m/s; of contact, s */
    double rebound;                  /* along the normal, m/s */
    double change[2][3], spin[2][3]; /* of velocity and spin, of a and b */
    double damping_work;             /* J */
} impact;

static double reduced_mass(const sw_dem_material *m)
{
    const double a = dem_mass(m, radii[0]), b = dem_mass(m, radii[1]);
    return a * b / (a + b);
}

/* K_N of Eq. 2, written again. */
static double normal_stiffness(void) { return young * 2 / (1 / radii[0] + 1 / radii[1]); }

/* Sphere b flies at a with `speed` along the line of centres and `slip` across it, a spins so that its
 * surface does `spin_slip`; contact begins `phase` of a step before the first step that sees it. Runs until
 * `after` contact times have passed since contact began. */
static impact collide_damped(const sw_dem_material *m, sw_dem_damping form, double damping, double speed,
                             double slip, double spin_slip, double contact_time, double dt, double phase,
                             double after)
{
    static const double cell[3][3] = {{2e-2, 0, 0}, {0, 2e-2, 0}, {0, 0, 2e-2}}, at[3] = {7e-3, 9e-3, 8e-3};
    impact hit = {.normal = {0.6, 0.64, 0.48}, .before = speed, .reduced_mass = reduced_mass(m)};
    const double axis[3] = {0.8, -0.48, -0.36}; /* across the normal */
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    const double steps = ceil(8 + after * contact_time / dt);
    const double gap = (7 + phase) * speed * dt;
    sw_dem_packing pack = dem_pack_pair(cell, at, radii, hit.normal, gap);
    sw_dem_cross(axis, hit.normal, hit.tangent);
    for (int k = 0; k < 3; k++) {
        pack.velocity[1][k] = -speed * hit.normal[k] + slip * hit.tangent[k];
        pack.spin[0][k] = -spin_slip / radii[0] * axis[k]; /* its surface runs against the tangent */
    }
    if (damping > 0) /* which is no one's at rest: about the centre of mass both turn back at one time */
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                pack.velocity[i][k] =
                    (i == 0 ? 1 : -1) * speed * hit.normal[k] * hit.reduced_mass / dem_mass(m, radii[i]);
    numerics.damping_form = form;
    numerics.damping = damping;
    numerics.step_rule = SW_DEM_STEP_FIXED;
    numerics.step = dt;
    numerics.control_interval = 1; /* for exactly so many steps */
    numerics.skin = 1;
    const sw_dem_stage stage = dem_steps(steps);
    sw_dem *dem = dem_open(NULL, &pack, m, &numerics, 1, &stage);
    const sw_dem_rve *rve = dem_finish(dem);
    assert_true((double)rve->state->step == steps);
    double branch[3], relative[3];
    for (int k = 0; k < 3; k++) {
        branch[k] = rve->position[1][k] - rve->position[0][k];
        relative[k] = rve->velocity[1][k] - rve->velocity[0][k];
        for (int i = 0; i < 2; i++) {
            hit.change[i][k] = rve->velocity[i][k] - pack.velocity[i][k];
            hit.spin[i][k] = rve->spin[i][k] - pack.spin[i][k];
        }
    }
    const double distance = sqrt(sw_dem_dot(branch, branch));
    hit.gap = distance - radii[0] - radii[1];
    hit.rebound = sw_dem_dot(relative, branch) / distance;
    hit.time = steps * dt - hit.gap / hit.rebound - gap / speed;
    hit.damping_work = rve->state->work[3];
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
    return hit;
}

static impact collide(const sw_dem_material *m, double speed, double slip, double spin_slip,
                      double contact_time, double dt, double phase, double after)
{
    return collide_damped(m, SW_DEM_DAMPING_PREDICTED, 0, speed, slip, spin_slip, contact_time, dt, phase,
                          after);
}

/* Worst errors of contact time and rebound over where in a step the contact begins. */
static void head_on(const sw_dem_material *m, double speed, double time, double steps, double error[2])
{
    error[0] = error[1] = 0;
    for (int phase = 0; phase < 8; phase++) {
        const impact hit = collide(m, speed, 0, 0, time, time / steps, 0.06 + 0.125 * phase, 1.2);
        assert_true(hit.gap > 0);
        error[0] = greatest(error[0], fabs(hit.time / time - 1));
        error[1] = greatest(error[1], fabs(hit.rebound / speed - 1));
        /* nothing across the line of centres, no spin: round-off of forces whose lever is the radius */
        for (int i = 0; i < 2; i++) {
            CHECK_CLOSE(sw_dem_dot(hit.change[i], hit.tangent), 0, 1e-12 * speed);
            CHECK_CLOSE(sqrt(sw_dem_dot(hit.spin[i], hit.spin[i])), 0, 1e-12 * speed / radii[1]);
        }
    }
}

/* Leapfrog's oscillator of frequency w has (2 / dt) asin(w dt / 2): contact lasts (w dt)^2 / 24 too little.
 * The first and last steps see overlaps of parts phi of v dt where the force began or ended within the
 * step: each changes the conserved v^2 / 2 by (v w dt)^2 phi (1 - phi) / 2, a rebound by at most (w dt)^2 / 8
 * of v. With N steps a contact w dt = pi / N. */
static void linear_impacts_are_half_an_oscillation(void **state)
{
    (void)state;
    const sw_dem_material m = smooth(SW_DEM_LINEAR);
    const double kn = normal_stiffness(), time = SW_PI * sqrt(reduced_mass(&m) / kn);
    double error[3][2];
    for (int i = 0; i < 3; i++) {
        const double n = (128 << i) + 0.5, square = SW_PI / n * SW_PI / n; /* begins and ends differ */
        head_on(&m, 0.05, time, n, error[i]);
        CHECK_CLOSE(error[i][0], square / 24, 0.1 * square / 24 + 1e-9);
        CHECK_CLOSE(error[i][1], 0, square / 8);
    }
    CHECK_CLOSE(error[0][0], 0, 1e-4);
    CHECK_CLOSE(error[0][1], 0, 1e-4);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            CHECK_CLOSE(log2(error[i][k] / error[i + 1][k]), 2, 0.1);
    print_message("linear errors %g %g, %g %g, %g %g\n", error[0][0], error[0][1], error[1][0], error[1][1],
                  error[2][0], error[2][1]);
}

/* Hertz: m x'' = -K x^(3/2), K = 4/3 E* sqrt(R): from the energy, time = c (m^2 / (R E*^2 v))^(1/5) with
 * c = 2 (15/16)^(2/5) int_0^1 dx / sqrt(1 - x^(5/2)) = 2.868. */
static void hertz_impacts_last_as_derived(void **state)
{
    (void)state;
    const sw_dem_material m = smooth(SW_DEM_HERTZ_MINDLIN);
    const double speed = 0.05, mass = reduced_mass(&m), radius = 1 / (1 / radii[0] + 1 / radii[1]);
    const double modulus = young / (2 * (1 - m.poisson * m.poisson));
    const double integral = 0.4 * sqrt(SW_PI) * tgamma(0.4) / tgamma(0.9);
    const double constant = 2 * pow(15.0 / 16, 0.4) * integral;
    CHECK_CLOSE(constant, 2.868, 5e-4);
    const double time = constant * pow(mass * mass / (radius * modulus * modulus * speed), 0.2);
    double error[3][2];
    for (int i = 0; i < 3; i++)
        head_on(&m, speed, time, 200 << i, error[i]);
    CHECK_CLOSE(error[0][0], 0, 1e-4);
    CHECK_CLOSE(error[0][1], 0, 1e-4);
    /* the force begins as x^(3/2): smooth to the order of the scheme but for the odd phase */
    CHECK_CLOSE(log2(error[0][0] / error[2][0]) / 2, 2, 0.2);
    print_message("Hertz errors %g %g, %g %g, %g %g\n", error[0][0], error[0][1], error[1][0], error[1][1],
                  error[2][0], error[2][1]);
}

/* Local damping adds its part C of the force while the spheres are slowed down and takes it off while they
 * are sped up: v^2 = (1 + C) w^2 overlap^2 before, (1 - C) of it after, so v'/v = sqrt((1 - C) / (1 + C)),
 * and all that is lost is damping's work. The step in which a velocity turns has one or the other: a part of
 * w dt of forces that are C of the whole, where velocities are w dt of v. Before and after, what the balance
 * lacks is a quarter of (w dt)^2. */
static void damped_impacts_lose_what_is_derived(void **state)
{
    (void)state;
    const sw_dem_material m = smooth(SW_DEM_LINEAR);
    const double speed = 0.05, time = SW_PI * sqrt(reduced_mass(&m) / normal_stiffness());
    for (int form = 0; form < 2; form++)
        for (int i = 1; i <= 3; i++) {
            const double c = 0.2 * i, steps = 256.5, square = SW_PI / steps * SW_PI / steps;
            const impact hit = collide_damped(&m, form ? SW_DEM_DAMPING_CUNDALL : SW_DEM_DAMPING_PREDICTED, c,
                                              speed, 0, 0, time, time / steps, 0.3, 1.7);
            const double energy = 0.5 * hit.reduced_mass * speed * speed, kept = hit.rebound / speed;
            assert_true(hit.gap > 0);
            CHECK_CLOSE(kept * kept, (1 - c) / (1 + c), 2 * c * square);
            CHECK_CLOSE(hit.damping_work, energy * (1 - kept * kept), 0.25 * square * energy);
        }
}

/* Sliding all along: tangential impulse mu times the normal one, on both; spins 5/2 of it over m r. */
static void sliding_impacts_make_spin(void **state)
{
    (void)state;
    sw_dem_material m = smooth(SW_DEM_LINEAR);
    m.friction = 0.3;
    m.poisson = 0.5; /* K_T / K_N */
    /* At 1e-6 of the wave speed overlap and turning of the line of centres are of 1e-5 of a radius and rad.
     */
    const double speed = 1e-6 * sqrt(young / density), kn = normal_stiffness(),
                 time = SW_PI * sqrt(reduced_mass(&m) / kn);
    /* the impact takes 7 mu v of slip: 2.1 of the 4 there are */
    for (int by_spin = 0; by_spin < 2; by_spin++) {
        const impact hit =
            collide(&m, speed, by_spin ? 0 : 4 * speed, by_spin ? 4 * speed : 0, time, time / 256, 0.4, 1.2);
        const double impulse = hit.reduced_mass * 2 * speed; /* (1 + e) v, e = 1 */
        for (int i = 0; i < 2; i++) {
            const double mass = dem_mass(&m, radii[i]), sign = i == 0 ? 1 : -1; /* b is slowed */
            const double across = sw_dem_dot(hit.change[i], hit.tangent),
                         along = sw_dem_dot(hit.change[i], hit.normal);
            double axis[3];
            sw_dem_cross(hit.tangent, hit.normal, axis);
            const double spin = sw_dem_dot(hit.spin[i], axis);
            CHECK_CLOSE(along, -sign * impulse / mass, 1e-4 * impulse / mass);
            CHECK_CLOSE(across, sign * m.friction * fabs(along), 3e-5 * fabs(along));
            /* the spin: r n x J for a, with J along the tangent on a; the same sense for b */
            CHECK_CLOSE(spin, -2.5 * m.friction * fabs(along) / radii[i], 3e-5 * fabs(along) / radii[i]);
            CHECK_CLOSE(across, sign * m.friction * impulse / mass, 1e-4 * impulse / mass);
        }
    }
}

/* Sticking: normal and tangential springs are oscillators of their own, m* and 2/7 m* (with the spheres'
 * rotation, 1 / m + r^2 / (2/5 m r^2) = 7/2 / m). With K_T / K_N = 2/7 they are in phase, with 8/7 the
 * tangential one swings twice as fast: no moment's ratio of forces exceeds its first one. */
static void sticking_impacts_are_two_oscillators(void **state)
{
    (void)state;
    static const struct {
        double ratio, after; /* K_T / K_N; contact times */
    } cases[] = {{2.0 / 7, 1.1}, {8.0 / 7, 1.1}, {2.0 / 7, 0.37}, {8.0 / 7, 0.71}, {0.5, 0.6}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sw_dem_material m = smooth(SW_DEM_LINEAR);
        m.friction = 0.8;
        m.poisson = cases[c].ratio;
        const double speed = 1e-6 * sqrt(young / density), slip = 0.5 * speed, kn = normal_stiffness();
        const double mass = reduced_mass(&m), wn = sqrt(kn / mass), wt = sqrt(3.5 * m.poisson * kn / mass);
        const double time = SW_PI / wn, dt = time / 512;
        /* phase near 1: a tangential spring counts the whole of the step in which it begins, which here has
         * all of it in contact */
        const impact hit = collide(&m, speed, slip, 0, time, dt, 1e-6, cases[c].after);
        /* velocities are half a step behind, and the 7 first steps fly free */
        const double steps = ceil(8 + cases[c].after * time / dt) - 7, t = fmin((steps - 0.5) * dt, time);
        const double along = speed * (1 - cos(wn * t)), across = slip * (1 - cos(wt * t)) / 3.5;
        /* (w dt)^2 / 24 of a phase of 2 pi at most, and (w dt)^2 / 8: below one (w dt)^2; at the end a
         * fraction of a step of each force more or less, and both are then below w dt */
        const double square = pow(wt * dt, 2) + pow(wn * dt, 2);
        for (int i = 0; i < 2; i++) {
            const double part = mass / dem_mass(&m, radii[i]), sign = i == 0 ? -1 : 1;
            double axis[3];
            sw_dem_cross(hit.tangent, hit.normal, axis);
            CHECK_CLOSE(sw_dem_dot(hit.change[i], hit.normal), sign * part * along, 2 * square * speed);
            CHECK_CLOSE(sw_dem_dot(hit.change[i], hit.tangent), -sign * part * across, 2 * square * slip);
            CHECK_CLOSE(sw_dem_dot(hit.spin[i], axis), -2.5 * part * across / radii[i],
                        2.5 * 2 * square * slip / radii[i]);
        }
    }
}

/* ---- Chains ---- */

/* Four equal spheres in a row that closes through the cell, pressed by the overlap, each spinning against
 * its neighbours about `axis`: normal forces are constant, nothing slips, and contacts turn at 2 w. */
typedef struct {
    sw_dem *dem;
    double dt, stiffness, limit, inertia; /* of one contact: N m, N m; of a sphere: kg m^2 */
} chain;

static const double chain_radius = 1e-3, chain_spin = 2500;

static chain open_chain(int axis, double roll_stiffness, double twist_stiffness, double strength,
                        double damping)
{
    const double overlap = 2e-3 * chain_radius, pitch = 2 * chain_radius - overlap;
    sw_dem_material m = smooth(SW_DEM_LINEAR);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_packing pack = dem_pack(4, 4 * pitch, 8 * chain_radius, 8 * chain_radius);
    m.friction = 0.5;
    m.poisson = 0.5;
    m.roll_stiffness = roll_stiffness;
    m.twist_stiffness = twist_stiffness;
    m.roll_strength = m.twist_strength = strength;
    for (int i = 0; i < 4; i++) {
        pack.position[i][0] = pitch * (i + 0.3);
        pack.position[i][1] = pack.position[i][2] = 3 * chain_radius;
        pack.radius[i] = chain_radius;
        pack.spin[i][axis] = i % 2 ? -chain_spin : chain_spin;
    }
    const double kn = young * chain_radius;
    chain c = {.stiffness = (axis == 0 ? twist_stiffness : roll_stiffness) * chain_radius * chain_radius *
                            m.poisson * kn,
               .limit = strength * chain_radius * kn * overlap,
               .inertia = 0.4 * dem_mass(&m, chain_radius) * chain_radius * chain_radius};
    /* w^2 = 2 contacts, each turned by twice the angle */
    c.dt = c.stiffness > 0 ? 2e-3 / sqrt(4 * c.stiffness / c.inertia) : 1e-8;
    numerics.damping = damping;
    numerics.step_rule = SW_DEM_STEP_FIXED;
    numerics.step = c.dt;
    numerics.control_interval = 1;
    c.dem = dem_open(NULL, &pack, &m, &numerics, 0, NULL);
    sw_dem_packing_free(&pack);
    return c;
}

/* Spin of the first sphere after so many steps in all; the others mirror it, and the row stays where it is.
 */
static double spin_after(chain *c, int axis, int64_t steps)
{
    const sw_dem_rve *rve = sw_dem_get(c->dem, 0);
    const sw_dem_stage stage = dem_steps((double)(steps - rve->state->step));
    CHECK_OK(sw_dem_add_stage(c->dem, 0, &stage));
    rve = dem_finish(c->dem);
    assert_int_equal(rve->state->step, steps);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double expected = k != axis ? 0 : i % 2 ? -rve->spin[0][axis] : rve->spin[0][axis];
            CHECK_CLOSE(rve->spin[i][k], expected, 1e-9 * chain_spin);
            CHECK_CLOSE(rve->velocity[i][k], 0, 1e-9 * chain_spin * chain_radius);
        }
    return rve->spin[0][axis];
}

/* A moment 2 k angle up to its limit; then a constant one, which stops the spheres; then they swing back and
 * forth about where the springs are free. The spring counts from a step before the first one: velocities
 * after n steps are those of time (n + 1/2) dt. */
static void check_chain(int axis)
{
    chain c = open_chain(axis, 1.2, 0.9, 0.4, 0);
    const double w = sqrt(4 * c.stiffness / c.inertia), deceleration = 2 * c.limit / c.inertia;
    const double yields = asin(c.limit / (2 * c.stiffness) * w / chain_spin) / w,
                 spin = chain_spin * cos(w * yields), stops = yields + spin / deceleration;
    assert_true(yields * w < 1 && stops > 2 * yields);
    /* phases of the spring are exact to (w dt)^2 / 24, the onset of yielding to a part of w^2 dt^2 / 8 */
    const double tolerance = pow(w * c.dt, 2) * chain_spin + 1e-9 * chain_spin;
    const double when[] = {0.3 * yields, 0.9 * yields,  0.5 * (yields + stops),
                           0.99 * stops, stops + 1 / w, stops + 4 / w};
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        const int64_t n = (int64_t)(when[i] / c.dt);
        const double t = ((double)n + 0.5) * c.dt;
        const double expected = t < yields  ? chain_spin * cos(w * t)
                                : t < stops ? spin - deceleration * (t - yields)
                                            : -deceleration / w * sin(w * (t - stops));
        CHECK_CLOSE(spin_after(&c, axis, n), expected, tolerance);
    }
    /* What is left swings in the springs; all else has been dissipated, by no friction; four spheres. The
     * first step's turn is in the springs for nothing: less than 1e-5 of the energy. */
    const sw_dem_state *state = sw_dem_get(c.dem, 0)->state;
    const double begun = 4 * 0.5 * c.inertia * chain_spin * chain_spin;
    const double left = 4 * 0.5 * c.limit * c.limit / c.stiffness;
    CHECK_CLOSE(state->work[2], begun - left, 1e-5 * begun);
    CHECK_CLOSE(state->work[1], 0, 1e-12 * begun);
    sw_dem_close(c.dem);
}

static void rolling_is_resisted(void **state)
{
    (void)state;
    check_chain(1);
    check_chain(2);
}

static void twisting_is_resisted(void **state)
{
    (void)state;
    check_chain(0);
}

/* Turning is damped as moving is, and its energy found again: first the spheres yield, then they swing until
 * they are at rest. */
static void damped_rolling_comes_to_rest(void **state)
{
    (void)state;
    for (int axis = 0; axis < 2; axis++) {
        chain c = open_chain(axis, 1.2, 0.9, 0.4, 0.3);
        spin_after(&c, axis, 1);
        const double pressed = sw_dem_get(c.dem, 0)->state->sum[SW_DEM_SUM_ELASTIC] -
                               4 * 0.5 * c.stiffness * pow(2 * chain_spin * c.dt, 2);
        CHECK_CLOSE(spin_after(&c, axis, 40000), 0, 1e-3 * chain_spin); /* 1e-6 of the energy */
        const sw_dem_state *now = sw_dem_get(c.dem, 0)->state;
        const double begun = 4 * 0.5 * c.inertia * chain_spin * chain_spin;
        const double left = now->sum[SW_DEM_SUM_ELASTIC] - pressed;
        assert_true(now->work[3] > 0.1 * begun && now->work[2] > 0.1 * begun);
        CHECK_CLOSE(now->work[2] + now->work[3] + left, begun, 1e-5 * begun);
        sw_dem_close(c.dem);
    }
}

static void without_resistance_it_rolls_on(void **state)
{
    (void)state;
    /* rolling with and without twisting resistance, and the other way round */
    for (int axis = 0; axis < 2; axis++)
        for (int other = 0; other < 2; other++) {
            chain c = open_chain(axis, axis == 0 ? 1.2 * other : 0, axis == 0 ? 0 : 0.9 * other, 0.4, 0);
            CHECK_CLOSE(spin_after(&c, axis, 5000), chain_spin, 1e-9 * chain_spin);
            sw_dem_close(c.dem);
        }
}

/* ---- The laws themselves ---- */

/* A random walk of a spring with a limit: what goes in is stored or dissipated, to round-off. */
static void a_spring_closes_its_energy(void **state)
{
    (void)state;
    const double stiffness = 3e5;
    double force[3] = {0, 0, 0}, in = 0, out = 0, limit = 1;
    int slid = 0;
    for (int step = 0; step < 3000; step++) {
        double motion[3], before[3];
        int yields;
        for (int k = 0; k < 3; k++) {
            motion[k] = 1e-6 * dem_random(3, step, k);
            before[k] = force[k];
        }
        if (step % 7 == 0)
            limit = 1 + 0.5 * dem_random(3, step, 3); /* the normal force changes */
        const double lost = sw_dem_slide(stiffness, limit, motion, force, &yields);
        assert_true(lost >= 0 && (yields || lost == 0));
        CHECK_CLOSE(fmax(sqrt(sw_dem_dot(force, force)), limit), limit, 1e-14 * limit);
        for (int k = 0; k < 3; k++)
            in -= 0.5 * (before[k] + force[k]) * motion[k];
        out += lost;
        slid += yields;
    }
    assert_true(slid > 100 && slid < 2900);
    /* 3,000 sums of up to 1e-6 J */
    CHECK_CLOSE(in - out, 0.5 * sw_dem_dot(force, force) / stiffness, 3000 * 1e-16 * 10 * out);
}

static void touch(const sw_dem_material *m, double friction, double dt, const sw_dem_kinematics *k,
                  const sw_dem_stiffness *s, sw_dem_history *h, sw_dem_contact *c)
{
    const sw_dem_pair_material pair = sw_dem_pair_of(m, m, 1, 1);
    sw_dem_touch(&pair, friction, dt, k, s, h, c);
}

static void find_stiffnesses(const sw_dem_material *m, const sw_dem_kinematics *k, sw_dem_stiffness *s)
{
    const sw_dem_pair_material pair = sw_dem_pair_of(m, m, 1, 1);
    double law[SW_DEM_LAW_NUMBERS] = {0};
    sw_dem_stiffnesses(1, &pair, k, 0, law, s);
}

/* A pair that turns as one keeps its forces as they are to it: the force carried along a turn of 1.3 rad is
 * the turned force, to second order in the step's angle. */
static double turn_of_history(int steps, double *length)
{
    const double axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, angle = 1.3 / steps, dt = 1e-6;
    sw_dem_material m = smooth(SW_DEM_LINEAR);
    m.friction = 1e9;
    m.roll_stiffness = m.twist_stiffness = 1;
    m.roll_strength = m.twist_strength = 1e9;
    double n[3] = {1, 0, 0};
    sw_dem_history h = {{0, 3, 4}, {0, 4, -3}, 2, {0}};
    sw_dem_contact contact = {0};
    for (int s = 1; s <= steps; s++) {
        double turned[3];
        const double c = cos(angle), along = sw_dem_dot(axis, n);
        sw_dem_cross(axis, n, turned);
        for (int i = 0; i < 3; i++)
            n[i] = c * n[i] + sin(angle) * turned[i] + (1 - c) * along * axis[i];
        sw_dem_kinematics k = {.distance = 1.9e-3, .overlap = 1e-4, .radius_a = 1e-3, .radius_b = 1e-3};
        sw_dem_stiffness stiffness;
        memcpy(k.normal, n, sizeof n);
        for (int i = 0; i < 3; i++)
            k.turning[i] = angle / dt * axis[i];
        find_stiffnesses(&m, &k, &stiffness);
        touch(&m, m.friction, dt, &k, &stiffness, &h, &contact);
        CHECK_CLOSE(sw_dem_dot(h.tangential, n), 0, 1e-13 * 5);
        CHECK_CLOSE(sw_dem_dot(h.roll, n), 0, 1e-13 * 5);
    }
    assert_true(contact.friction_work == 0 && contact.rolling_work == 0 && h.twist == 2);
    const double start[3] = {0, 3, 4}, along = sw_dem_dot(axis, start), c = cos(1.3), s = sin(1.3);
    double turned[3], error[3];
    sw_dem_cross(axis, start, turned);
    for (int i = 0; i < 3; i++)
        error[i] = h.tangential[i] - (c * start[i] + s * turned[i] + (1 - c) * along * axis[i]);
    *length = sqrt(sw_dem_dot(h.tangential, h.tangential));
    return sqrt(sw_dem_dot(error, error)) / 5;
}

static void history_turns_with_its_pair(void **state)
{
    (void)state;
    double error[2], length;
    for (int i = 0; i < 2; i++) {
        error[i] = turn_of_history(1000 << i, &length);
        /* the turn's length is right to angle^4 / 8 a step, what its projection loses to angle^4 or so */
        CHECK_CLOSE(length, 5, (1000 << i) * pow(1.3e-3 / (1 + i), 4) * 5);
    }
    CHECK_CLOSE(error[0], 0, 1.3 * 1.3e-3 * 1.3e-3); /* angle^3 / 6 a step */
    CHECK_CLOSE(log2(error[0] / error[1]), 2, 0.1);
    print_message("history after a turn %g %g\n", error[0], error[1]);
}

/* Stiffnesses and limits of Eqs. 2, 7 and 8 for two sizes, and a job's names for the laws. */
static void stiffnesses_and_limits_are_known(void **state)
{
    (void)state;
    const sw_dem_kinematics k = {.overlap = 1e-6, .radius_a = 2e-3, .radius_b = 1e-3};
    sw_dem_material m = smooth(SW_DEM_LINEAR);
    sw_dem_stiffness s;
    m.roll_stiffness = 0.5;
    m.twist_stiffness = 0.25;
    find_stiffnesses(&m, &k, &s);
    CHECK_CLOSE(s.kn, 4.0 / 3 * 1e6, 1e-9 * s.kn);
    CHECK_CLOSE(s.kt, 0.4 * 1e6, 1e-9 * s.kt);
    CHECK_CLOSE(s.normal_force, 4.0 / 3, 1e-9 * s.normal_force);
    CHECK_CLOSE(s.k_roll, 0.5 * 0.4, 1e-9); /* least radius squared */
    CHECK_CLOSE(s.k_twist, 0.25 * 0.4, 1e-9);
    m.moment_radius = SW_DEM_MOMENT_PRODUCT;
    find_stiffnesses(&m, &k, &s);
    CHECK_CLOSE(s.k_roll, 0.5 * 0.8, 1e-9);
    CHECK_CLOSE(s.k_twist, 0.25 * 0.8, 1e-9);
    /* Mindlin: K_T / K_N = 2 (1 - nu) / (2 - nu) at every overlap; K_N is the normal force's slope */
    m.law = SW_DEM_HERTZ_MINDLIN;
    for (double overlap = 1e-8; overlap < 1e-4; overlap *= 3) {
        sw_dem_kinematics at = k;
        sw_dem_stiffness more;
        at.overlap = overlap;
        find_stiffnesses(&m, &at, &s);
        CHECK_CLOSE(s.kt / s.kn, 2 * 0.7 / 1.7, 1e-14);
        at.overlap = overlap * (1 + 1e-6);
        find_stiffnesses(&m, &at, &more);
        CHECK_CLOSE((more.normal_force - s.normal_force) / (1e-6 * overlap), s.kn, 1e-6 * s.kn);
    }
    /* limits, of the smaller radius, whichever sphere has it */
    m.law = SW_DEM_LINEAR;
    m.roll_strength = 0.3;
    m.twist_strength = 0.2;
    for (int swapped = 0; swapped < 2; swapped++) {
        sw_dem_kinematics at = k;
        sw_dem_history h = {{0}, {0}, 0, {0}};
        sw_dem_contact c;
        at.radius_a = swapped ? 1e-3 : 2e-3;
        at.radius_b = swapped ? 2e-3 : 1e-3;
        at.normal[0] = 1;
        at.relative_spin[0] = -3e9;
        at.relative_spin[1] = 4e9;
        find_stiffnesses(&m, &at, &s);
        touch(&m, 0.5, 1, &at, &s, &h, &c);
        assert_true(c.rolling && c.rolling_work > 0 && !c.sliding && c.friction_work == 0);
        CHECK_CLOSE(c.moment[0], 0.2 * 1e-3 * s.normal_force, 1e-15);
        CHECK_CLOSE(c.moment[1], -0.3 * 1e-3 * s.normal_force, 1e-15);
        CHECK_CLOSE(c.moment[2], 0, 1e-15);
    }
    assert_string_equal(sw_dem_laws[SW_DEM_LINEAR], "linear");
    assert_string_equal(sw_dem_laws[SW_DEM_HERTZ_MINDLIN], "hertz_mindlin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_impacts_are_half_an_oscillation),
        cmocka_unit_test(hertz_impacts_last_as_derived),
        cmocka_unit_test(damped_impacts_lose_what_is_derived),
        cmocka_unit_test(sliding_impacts_make_spin),
        cmocka_unit_test(sticking_impacts_are_two_oscillators),
        cmocka_unit_test(rolling_is_resisted),
        cmocka_unit_test(twisting_is_resisted),
        cmocka_unit_test(damped_rolling_comes_to_rest),
        cmocka_unit_test(without_resistance_it_rolls_on),
        cmocka_unit_test(a_spring_closes_its_energy),
        cmocka_unit_test(history_turns_with_its_pair),
        cmocka_unit_test(stiffnesses_and_limits_are_known),
    };
    return cmocka_run_group_tests_name("contacts of the DEM", tests, NULL, NULL);
}
