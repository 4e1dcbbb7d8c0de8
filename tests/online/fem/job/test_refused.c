/* Job files of `slipwave fem`: every way to say them wrongly. */
#include "texts.h"

typedef struct {
    const char *old, *new;
    const char *place, *key, *bound; /* parts of the message: file and line, key and value, what is needed */
} refusal;

static void refuse(const char *text, int n, const refusal *cases)
{
    for (const refusal *c = cases; c < cases + n; c++) {
        sw_fem_job *job;
        if (read_job(text, c->old, c->new, NO_OPTIONS, &job) != SW_ERR_INPUT)
            fail_msg("'%s' for '%s' was taken, or refused otherwise: %s", c->new, c->old, sw_error_message());
        assert_null(job);
        assert_message_has(c->place);
        assert_message_has(c->key);
        assert_message_has(c->bound);
    }
}

#define REFUSE(text, cases) refuse(text, (int)(sizeof(cases) / sizeof *(cases)), cases)

static void bad_jobs_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"  body: l_bracket", "  bodi: l_bracket", "job.yaml:2: ", "'mesh.bodi'", "did you mean 'mesh.body'"},
        {"  body: l_bracket", "  body: bracket", "job.yaml:2: ", "mesh.body = bracket", "need one of box"},
        {"  body: l_bracket\n", "", "job.yaml:1: ", "mesh.body is missing", "need body or file"},
        {"  arm: 0.5", "  file: part.inp", "job.yaml:6: ", "mesh.file beside mesh.body", "only one"},
        {"  cells: [4, 4, 2]\n", "", "job.yaml:1: ", "mesh.cells is missing", ""},
        {"[4, 4, 2]", "[4, 0, 2]", "job.yaml:3: ", "mesh.cells[1] = 0", "need 1 <= cells <= 1e5"},
        {"[4, 4, 2]", "[4]", "job.yaml:3: ", "mesh.cells has 1 entries", "need at least 2"},
        {"[4.0, 4.0, 1.0]", "[4.0, 4.0]", "job.yaml:4: ", "mesh.size has 2 numbers", "need 3"},
        {"[4.0, 4.0, 1.0]", "[4.0, -4.0, 1.0]", "job.yaml:4: ", "mesh.size[1] = -4", "1e-9 to 1e9"},
        {"  arm: 0.5", "  scale: 1.0e-3", "job.yaml:6: ", "mesh.scale", "goes with file"},
        {"[1.0, 0, -1.0]", "[1.0, 0]", "job.yaml:5: ", "mesh.origin has 2 numbers", "need 3"},
        {"arm: 0.5", "arm: 1.5", "job.yaml:6: ", "mesh.arm = 1.5", "need 0 < arm < 1"},
        {"arm: 0.5", "hole: 0.25", "job.yaml:6: ", "mesh.hole", "has no place beside body = l_bracket"},
        {"name: tip, kind: nodes", "name: tip, kind: node", "job.yaml:8: ", "mesh.sets[0].kind = node",
         "need one of nodes, elements, surface"},
        {"from: [5, 0, -1]", "from: [5, 0]", "job.yaml:8: ", "mesh.sets[0].from", "need 3 each"},
        {"to: [5, 2, 0]}", "to: [4, 2, 0]}", "job.yaml:8: ", "mesh.sets[0].from[0] = 5",
         "at most that of to, 4"},
        {"from: [5, 0, -1], to: [5, 2, 0]", "from: [5, 0.1, -1], to: [5, 0.2, 0]",
         "job.yaml:8: ", "mesh.sets[0].name = tip", "is empty"},
        {"name: top", "name: y_max", "job.yaml:9: ", "mesh.sets[1].name = y_max", "there is a surface"},
        {"solid", "solids", "job.yaml:12: ", "kinematics = solids", "need one of solid"},
        {"solid", "plane_strain", "job.yaml:12: ", "kinematics = plane_strain",
         "the mesh is of hex8: need solid"},
        {"b_bar: true", "b_bar: maybe", "job.yaml:13: ", "b_bar = maybe", "need yes or no"},
        {"b_bar: true", "thickness: 1.0", "job.yaml:13: ", "thickness", "goes with plane_stress"},
        {"young: 200.0e9", "young: 0", "job.yaml:15: ", "materials[0].young = 0", "Pa, from"},
        {"young: 200.0e9, ", "", "job.yaml:15: ", "materials[0].young is missing", ""},
        {"poisson: 0.3,", "poisson: 0.5,", "job.yaml:15: ", "materials[0].poisson = 0.5", "<= 0.4999"},
        {"elements: low", "elements: lower",
         "job.yaml:15: ", "materials[0].elements = lower: no such element set", "need one of all, low, high"},
        {" elements: low,", "", "job.yaml:15: ", "materials[0].elements is missing", "several materials"},
        {"elements: low", "elements: high", "job.yaml:19: ", "has materials[0] too", "one each"},
        {"from: [1, 1, -1]", "from: [1, 2, -1]", "job.yaml:14: ", "materials: 8 of 24 elements have none",
         "the first of them 5"},
        {"yield_stress: 450.0e6", "yield_stress: 0", "job.yaml:16: ", "materials[0].yield_stress = 0", "Pa"},
        {"     yield_stress: 450.0e6,\n", "", "job.yaml:15: ", "materials[0].yield_stress is missing",
         "'voce' needs it"},
        {"law: voce", "law: power", "job.yaml:17: ", "hardening.law = power", "need one of none, linear"},
        {"law: voce", "law: linear", "job.yaml:18: ", "materials[0].hardening.saturation",
         "has no place beside law = linear"},
        {"modulus: 1.0e8", "modulus: -1.0", "job.yaml:17: ", "hardening.modulus = -1", "Pa, from 0"},
        {"saturation: 600.0e6", "saturation: 400.0e6", "job.yaml:18: ", "saturation = 400000000",
         "Pa, at least yield_stress"},
        {", rate: 20", "", "job.yaml:17: ", "materials[0].hardening.rate is missing", "law = voce needs it"},
        {"[[0, 1.0e8]", "[[0.001, 1.0e8]", "job.yaml:21: ", "table[0][0] = 0.001",
         "need a plastic strain of 0"},
        {"[0.01, 1.5e8]", "[0, 1.5e8]", "job.yaml:21: ", "table[1][0] = 0", "ascend"},
        {"[0.01, 1.5e8]", "[0.01, 0.5e8]", "job.yaml:21: ", "table[1][1] = 50000000", "not descending"},
        {"{nodes: x_min", "{nodes: x_mim", "job.yaml:23: ", "boundary[0].nodes = x_mim: no such node set",
         "need one of x_min, x_max"},
        {"{nodes: x_min, ", "{nodes: x_min, surface: top, ",
         "job.yaml:23: ", "boundary[0].surface beside boundary[0].nodes", "only one"},
        {"{nodes: x_min, ", "{", "job.yaml:23: ", "boundary[0]", "need nodes or surface"},
        {"y: -0.01, ", "", "job.yaml:24: ", "boundary[1]", "need x, y or z"},
        {"y: -0.01", "temperature: 1", "job.yaml:24: ", "boundary[1].temperature",
         "not with kinematics: solid"},
        {"{nodes: tip, y", "{nodes: y_min, y", "job.yaml:24: ", "boundary[1].y = -0.01: node 1 at (1, 0, -1)",
         "has 0 from boundary[0]"},
        {"factors: [1, 1]", "factors: [1]", "job.yaml:24: ", "boundary[1].factors has 1 numbers", "need 2"},
        {"factors: [1, 1]", "factors: [1, 1.0e10]", "job.yaml:24: ", "boundary[1].factors[1] = 1.0e10",
         "1e9"},
        {"{surface: top", "{nodes: tip", "job.yaml:26: ", "loads[0].nodes", "traction goes with surface"},
        {"{surface: top, ", "{", "job.yaml:26: ", "loads[0]", "need surface"},
        {"{surface: top", "{surface: tip", "job.yaml:26: ", "loads[0].surface = tip: no such surface",
         "z_max, top"},
        {"traction: [0, 3.0, 0]", "traction: [0, 3.0]", "job.yaml:26: ", "loads[0].traction has 2 numbers",
         "need 3"},
        {"traction: [0, 3.0, 0]", "traction: [0, 3.0, 0], pressure: 1.0",
         "job.yaml:26: ", "loads[0].pressure beside loads[0].traction", "only one"},
        {", pressure: 2.0", "", "job.yaml:27: ", "loads[1]", "need traction, pressure, body_force or force"},
        {"pressure: 2.0", "flux: 2.0", "job.yaml:27: ", "loads[1].flux", "not with kinematics: solid"},
        {"pressure: 2.0", "pressure: 1.0e19", "job.yaml:27: ", "loads[1].pressure = 1.0e19", "1e18"},
        {"factor: 2.0", "faktor: 2.0", "job.yaml:31: ", "steps[0].faktor", "did you mean 'steps[0].factor'"},
        {"factor: 2.0", "factor: 2.0e9", "job.yaml:31: ", "steps[0].factor = 2.0e9", "1e9"},
        {"increments: 4", "increments: 0", "job.yaml:31: ", "steps[0].increments = 0", "1 <= increments"},
        {"device: cpu", "device: gpu", "job.yaml:33: ", "device = gpu", "need one of auto, cpu, cuda"},
        {"operator: ", "operator: e", "job.yaml:34: ", "solver.operator = e", "need one of points"},
        {"storage: own", "storage: all", "job.yaml:34: ", "solver.storage = all", "need one of own"},
        {"scatter: atomics", "staging: some", "job.yaml:34: ", "solver.staging = some",
         "all, matrix, nothing, elastic"},
        {"atomics", "atomic", "job.yaml:34: ", "solver.scatter = atomic", "need one of colours, atomics"},
        {"jacobi", "ilu", "job.yaml:35: ", "solver.preconditioner = ilu", "need one of jacobi"},
        {" tolerance: 1.0e-7", " tolerance: 1", "job.yaml:36: ", "solver.tolerance = 1", "<= 0.1"},
        {"1.0e-8", "0", "job.yaml:36: ", "solver.linear_tolerance = 0", "1e-14 <="},
        {"increment: 0.01", "increment: 2", "job.yaml:37: ", "solver.least_increment = 2", "<= 1"},
        {"newton: 10", "newton: 65", "job.yaml:38: ", "solver.newton = 65", "<= 64"},
        {"cg: 500", "cg: 0", "job.yaml:38: ", "solver.cg = 0", "1 <= cg"},
        {"forcing: fixed", "forcing: loose", "job.yaml:38: ", "solver.forcing = loose",
         "need one of residual, fixed"},
        {"line_search: 0", "line_search: -1", "job.yaml:38: ", "solver.line_search = -1",
         "0 <= line_search <= 100"},
        {"fields: [2, last]", "fields: [6]", "job.yaml:39: ", "output.fields[0] = 6", "from 1 to 5"},
        {"fields: [2, last]", "fields: [first]", "job.yaml:39: ", "output.fields[0] = first",
         "need all, last"},
        {"[all]", "[0]", "job.yaml:40: ", "output.restart[0] = 0", "from 1 to 5"},
        {"file: out.h5, ", "", "job.yaml:39: ", "output.file is missing", ""},
        {"yield_stress: 450.0e6", "conductivity: 1", "job.yaml:16: ", "materials[0].conductivity",
         "goes with kinematics: heat"},
        {"hardening: {law: table", "yield_stress: 1.0e8, hardening: {law: table",
         "job.yaml:20: ", "materials[1].yield_stress", "'table' does not read it"},
        {"{elements: all, body", "{nodes: tip, body", "job.yaml:28: ", "loads[2].nodes",
         "body_force goes with elements"},
        {"materials:", "matter:", "job.yaml:14: ", "unknown key 'matter'", "need one of upsetting, mesh"},
    };
    REFUSE(full, cases);
}

static void bad_plane_and_heat_jobs_are_refused(void **state)
{
    (void)state;
    static const refusal of_least[] = {
        {"body: box", "body: cylinder", "job.yaml:1: ", "mesh: cells along x = 2, along y = 1",
         "body cylinder needs as many of both"},
        {"x: 0, y: 0, z: 0", "x: 0, y: 0.0, z: 0.0, factors: [1, 2]",
         "job.yaml:3: ", "boundary[0].factors has 2 numbers", "need 1"},
        {"loads: [{surface: x_max, traction: [1.0, 0, 0]}]\n", "", "job.yaml: ", "loads: nothing is loaded",
         ""},
        {"output: {file: out.h5}", "", "job.yaml: ", "output.file is missing", ""},
    };
    static const refusal of_plane[] = {
        {"kinematics: plane_stress\n", "", "job.yaml: ", "kinematics is missing", "need plane_stress"},
        {"plane_stress", "solid", "job.yaml:2: ", "kinematics = solid", "the mesh is of quad4"},
        {"plane_stress", "axisymmetric", "job.yaml:3: ", "thickness", "goes with plane_stress"},
        {"plane_stress", "plane_stress\nstrain: finite", "job.yaml:3: ",
         "strain = finite: not with plane_stress", "need solid, plane_strain or axisymmetric"},
        {"plane_stress", "plane_stress\nstrain: large", "job.yaml:3: ", "strain = large",
         "need one of small, finite"},
        {"plane_stress", "plane_stress\nb_bar: true", "job.yaml:3: ", "b_bar = yes", "not with plane_stress"},
        {"thickness: 0.5", "thickness: 0", "job.yaml:3: ", "thickness = 0", "m, from 1e-9"},
        {"y: 0}]", "z: 0}]", "job.yaml:5: ", "boundary[1].z", "not with kinematics: plane_stress"},
        {"[4.0, 0]}", "[4.0, 0, 0]}", "job.yaml:6: ", "loads[0].traction has 3 numbers", "need 2"},
        {"size: [3.0, 2.0]}\nkinematics: plane_stress\nthickness: 0.5",
         "size: [3.0, 2.0], origin: [-1.0, 0]}\nkinematics: axisymmetric",
         "job.yaml:2: ", "kinematics = axisymmetric: node 1 is at x = -1", "radii >= 0"},
    };
    static const refusal of_heat[] = {
        {"kinematics: heat", "kinematics: heat\nstrain: finite",
         "job.yaml:3: ", "strain = finite: not with heat", "need solid"},
        {"conductivity: 2.0", "young: 2.0", "job.yaml:3: ", "materials[0].young",
         "not with kinematics: heat"},
        {"conductivity: 2.0", "name: clay", "job.yaml:3: ", "materials[0].conductivity is missing", "heat"},
        {"temperature: 300", "x: 0", "job.yaml:4: ", "boundary[0].x", "not with kinematics: heat"},
        {"flux: 7.0", "pressure: 7.0", "job.yaml:5: ", "loads[0].pressure", "not with kinematics: heat"},
        {"nodes: y_max", "elements: all", "job.yaml:6: ", "loads[2].elements",
         "flow goes with nodes or surface"},
    };
    REFUSE(least, of_least);
    REFUSE(plane, of_plane);
    REFUSE(heat, of_heat);
}

static void bad_tools_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"strain: finite\n", "", "job.yaml:7: ", "tools[0]", "goes with strain: finite"},
        {"finite", "small", "job.yaml:8: ", "tools[0]", "goes with strain: finite"},
        {"shape: plane", "shape: plate", "job.yaml:8: ", "tools[0].shape = plate",
         "need one of plane, cylinder, sphere"},
        {"[y_max, x_max]", "[top, x_max]", "job.yaml:8: ", "tools[0].surfaces[0] = top: no such surface",
         "need one of x_min, x_max"},
        {"[y_max, x_max]", "[y_max, y_max]", "job.yaml:8: ", "tools[0].surfaces[1] = y_max",
         "is there already"},
        {"surfaces: [y_max, x_max]", "surfaces: []", "job.yaml:8: ", "tools[0].surfaces", "at least 1"},
        {"point: [0, 0.015], ", "", "job.yaml:8: ", "tools[0].point is missing", ""},
        {"[0, 0.015]", "[0, 0.015, 0]", "job.yaml:9: ", "tools[0].point has 3 numbers", "need 2"},
        {" normal: [0, -2.0],", "", "job.yaml:8: ", "tools[0].normal is missing", "shape = plane needs it"},
        {"[0, -2.0]", "[0, 0]", "job.yaml:9: ", "tools[0].normal = (0, 0)", "need a direction that is not 0"},
        {"[0, -2.0]", "[0, 0, -2.0]", "job.yaml:9: ", "tools[0].normal has 3 numbers", "need 2"},
        {"normal: [0, -2.0]", "normal: [0, -2.0], hollow: true", "job.yaml:9: ", "tools[0].hollow",
         "of a plane needs an edge"},
        {"normal: [0, -2.0]", "normal: [0, -2.0], edge: 0.01", "job.yaml:9: ", "tools[0].edge = 0.01",
         "need a radius"},
        {"normal: [0, -2.0]", "normal: [0, -2.0], edge: 0.01, radius: 0.01",
         "job.yaml:9: ", "tools[0].edge = 0.01", "need a radius that is larger"},
        {"radius: 0.01", "radius: 0.01, edge: 0.001", "job.yaml:13: ", "tools[1].edge",
         "has no place beside shape = cylinder"},
        {"normal: [0, -2.0]", "normal: [0, -2.0], axis: [0, 1]", "job.yaml:9: ", "tools[0].axis",
         "has no place beside shape = plane"},
        {"[0, -0.0075]", "[-0.0075]", "job.yaml:10: ", "tools[0].move has 1 entries", "at least 2"},
        {"move: [0, -0.0075]", "move: [0, -0.0075], force: [0, -5.0]",
         "job.yaml:10: ", "tools[0].force[1] = -5: move[1] = -0.0075", "need one of them"},
        {"friction: 0.1", "friction: -0.1", "job.yaml:11: ", "tools[0].friction = -0.1",
         "need 0 <= friction <= 1000"},
        {"friction: 0.1", "friction: .nan", "job.yaml:11: ", "tools[0].friction = .nan", "number"},
        {"4.0e8", "0", "job.yaml:11: ", "tools[0].shear_limit = 0", "Pa"},
        {"shear_limit: 4.0e8", "sticks: true", "job.yaml:11: ", "tools[0].sticks = yes: beside friction",
         "need one of them"},
        {"friction: 0.1, ", "sticks: true, ", "job.yaml:11: ", "tools[0].sticks = yes: beside shear_limit",
         "need one of them"},
        {"friction: 0.1", "penalty: 0", "job.yaml:11: ", "tools[0].penalty = 0", "1 <= penalty"},
        {"[0.5, 1]", "[1]", "job.yaml:11: ", "tools[0].factors has 1 numbers", "need 2, one a step"},
        {"name: roll", "name: plate", "job.yaml:12: ", "tools[1].name = plate: tools[0] has it",
         "need names that differ"},
        {"name: roll, ", "", "job.yaml:12: ", "tools[1].name is missing", ""},
        {"[x_max],\n     point: [0.02", "[side],\n     point: [0.02",
         "job.yaml:12: ", "tools[1].surfaces[0] = side: no such surface", "need one of"},
        {", radius: 0.01", "", "job.yaml:12: ", "tools[1].radius is missing", "shape = cylinder needs it"},
        {"radius: 0.01", "radius: 0", "job.yaml:13: ", "tools[1].radius = 0", "m"},
        {"radius: 0.01", "radius: 0.01, normal: [1, 0]", "job.yaml:13: ", "tools[1].normal",
         "has no place beside shape = cylinder"},
    };
    static const refusal in_space[] = {
        {"axis: [0, 3.0, 0], ", "", "job.yaml:5: ", "tools[0].axis is missing", "need the cylinder's axis"},
        {"[0, 3.0, 0]", "[0, 0, 0]", "job.yaml:6: ", "tools[0].axis = (0, 0, 0)", "need a direction"},
        {"[0, 3.0, 0]", "[0, 3.0]", "job.yaml:6: ", "tools[0].axis has 2 numbers", "need 3"},
        {"move: [0, 0, -0.1]", "move: [0, 0, 0]", "job.yaml: ", "loads: nothing is loaded",
         "tools that move"},
    };
    REFUSE(tools, cases);
    REFUSE(pressed, in_space);
}

static void bad_upsettings_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"radius: 0.01", "radius: 0", "job.yaml:2: ", "upsetting.radius = 0", "m, more than 0"},
        {"  radius: 0.01\n", "", "job.yaml:1: ", "upsetting.radius is missing", ""},
        {"height: 0.03", "height: -1", "job.yaml:3: ", "upsetting.height = -1", "m, more than 0"},
        {"reduction: 0.5", "reduction: 0", "job.yaml:4: ", "upsetting.reduction = 0",
         "need 0 < reduction < 1"},
        {"reduction: 0.5", "reduction: 1", "job.yaml:4: ", "upsetting.reduction = 1",
         "need 0 < reduction < 1"},
        {"reduction: 0.5", "reduction: 1.5", "job.yaml:4: ", "upsetting.reduction = 1.5",
         "need 0 < reduction < 1"},
        {"  reduction: 0.5\n", "", "job.yaml:1: ", "upsetting.reduction is missing", ""},
        {"[4, 6]", "[4]", "job.yaml:5: ", "upsetting.cells has 1 entries", "at least 2"},
        {"[4, 6]", "[4, 4, 6, 1]", "job.yaml:5: ", "upsetting.cells has 4 entries", "at most 3"},
        {"[4, 6]", "[4, 5, 6]", "job.yaml:5: ", "upsetting.cells[1] = 5", "need 4, as many as the first"},
        {"[4, 6]", "[4, 0]", "job.yaml:5: ", "upsetting.cells[1] = 0", "1 <= cells"},
        {"friction: 0.1", "friction: -0.1", "job.yaml:6: ", "upsetting.friction = -0.1",
         "need 0 <= friction <= 1000"},
        {"friction: 0.1", "sticks: true", "job.yaml:6: ", "upsetting.sticks = yes: beside shear_limit",
         "need one of them"},
        {"shear_limit: 4.0e8", "sticks: true", "job.yaml:7: ", "upsetting.sticks = yes: beside friction",
         "need one of them"},
        {"increments: 4", "increments: 0", "job.yaml:8: ", "upsetting.increments = 0", "1 <= increments"},
        {"materials", "mesh: {body: box, cells: [1, 1]}\nmaterials",
         "job.yaml:9: ", "mesh.cells beside upsetting", "need one of them"},
        {"materials", "mesh: {file: part.inp}\nmaterials", "job.yaml:9: ", "mesh beside upsetting",
         "need one of them"},
        {"materials", "kinematics: solid\nmaterials", "job.yaml:9: ", "kinematics beside upsetting",
         "need one of them"},
        {"materials", "strain: small\nmaterials", "job.yaml:9: ", "strain beside upsetting",
         "need one of them"},
        {"materials", "boundary: [{nodes: x_min, x: 0}]\nmaterials",
         "job.yaml:9: ", "boundary beside upsetting", "need one of them"},
        {"materials", "loads: [{surface: side, pressure: 1}]\nmaterials",
         "job.yaml:9: ", "loads beside upsetting", "need one of them"},
        {"materials", "tools: [{name: a, shape: sphere, surfaces: [a], point: [0, 0], radius: 1}]\nmaterials",
         "job.yaml:9: ", "tools beside upsetting", "need one of them"},
        {"materials", "steps: [{factor: 1}]\nmaterials", "job.yaml:9: ", "steps beside upsetting",
         "need one of them"},
        {"materials", "thickness: 1\nmaterials", "job.yaml:9: ", "thickness beside upsetting",
         "need one of them"},
    };
    static const refusal of_none[] = {
        {"mesh: {body: box, cells: [2, 1, 1]}\n", "", "job.yaml: ", "mesh is missing",
         "need it, or upsetting"},
        {"boundary: [{nodes: x_min, x: 0, y: 0, z: 0}]\n", "", "job.yaml: ", "boundary is missing",
         "need it, upsetting or periodic"},
    };
    static const option cells[] = {{"cells", "8x8"}}, increments[] = {{"increments", "3"}};
    sw_fem_job *job;
    REFUSE(upset, cases);
    REFUSE(least, of_none);
    assert_int_equal(read_job(upset, NULL, NULL, 1, cells, &job), SW_ERR_INPUT);
    assert_message_has("--cells beside upsetting");
    assert_int_equal(read_job(least, NULL, NULL, 1, increments, &job), SW_ERR_INPUT);
    assert_message_has("upsetting.");
}

static void bad_crystals_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"strain: finite\n", "", "job.yaml:3: ", "materials[0].crystals", "need strain: finite"},
        {"material: material.yaml, ", "", "job.yaml:4: ", "materials[0].crystals.material is missing",
         "need a material or a database"},
        {"rigid_plastic", "grid", "job.yaml:4: ", "materials[0].crystals.database is missing",
         "the solver 'grid' needs one"},
        {"rigid_plastic", "iterative", "job.yaml:6: ", "materials[0].crystals.solver = iterative",
         "need one of terms, grid, rigid_plastic, elastoplastic"},
        {"rigid_plastic", "exact", "job.yaml:6: ", "materials[0].crystals.solver = exact",
         "need one of terms"},
        {"file: grains.ori, count: 5", "seed: 7", "job.yaml:5: ", "materials[0].crystals.seed", "twice"},
        {"file: grains.ori, count: 5", "refinement: 1",
         "job.yaml:4: ", "materials[0].crystals.count is missing", "need count, grains or file"},
        {"file: grains.ori, ", "phase: 1, ", "job.yaml:4: ", "materials[0].crystals.phase = 1",
         "random crystals have none"},
        {"count: 5", "count: 0", "job.yaml:4: ", "materials[0].crystals.count = 0", "need 1 <= count <= 1e6"},
        {"seed: 7", "seed: -7", "job.yaml:5: ", "materials[0].crystals.seed = -7", "need seed >= 0"},
        {"5.0e7", "50", "job.yaml:5: ", "materials[0].crystals.initial_slip_resistance = 50", "1e4 to 1e11"},
        {"rotated", "turned", "job.yaml:5: ", "'materials[0].crystals.turned'", ""},
        {"boundary", "    young: 1.0e9\nboundary", "job.yaml:7: ", "materials[0].young beside crystals",
         "need only one of them"},
        {"time: 20", "time: 0", "job.yaml:8: ", "steps[0].time = 0", "1e-12 to 1e15"},
        {"textures: [all]", "textures: [rim]", "job.yaml:9: ", "output.textures[0] = rim", "need one of all"},
    };
    static const refusal of_none[] = {
        {"out.h5", "out.h5, textures: [all]", "job.yaml:5: ", "output.textures[0] = all",
         "its elements have no crystals"},
    };
    write_crystals();
    REFUSE(crystals, cases);
    REFUSE(least, of_none);
    remove_crystals();
}

static void bad_options_are_named(void **state)
{
    (void)state;
    static const struct {
        option given;
        const char *message;
    } cases[] = {
        {{"tolerance", "1"}, "--tolerance = 1: need 1e-12 <= tolerance <= 0.1"},
        {{"factor", "1e10"}, "--factor = 1e10: need -1e9 <= factor <= 1e9"},
        {{"factor", "x"}, "--factor = x: need a number"},
        {{"cells", "4x0x2"}, "--cells = 0: need 1 <= cells <= 1e5"},
        {{"cells", "4"}, "--cells has 1 entries: need at least 2"},
        {{"cells", "4x4x4x4"}, "--cells has 4 entries: need at most 3"},
        {{"output", ""}, "--output = '': need a text"},
        {{"device", "abacus"}, "--device = abacus: need one of auto, cpu, cuda"},
        {{"operator", "matrix"}, "--operator = matrix: need one of points"},
        {{"storage", "none"}, "--storage = none: need one of own"},
        {{"scatter", "random"}, "--scatter = random: need one of colours, atomics"},
        {{"preconditioner", "ilu"},
         "--preconditioner = ilu: need one of jacobi, block_jacobi, multigrid, amg, none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fem_job *job;
        assert_int_equal(read_job(full, NULL, NULL, 1, &cases[i].given, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(cases[i].message);
    }
    static const option factor[] = {{"factor", "2"}}, both[] = {{"resume", ""}, {"restart", "x.h5"}};
    sw_fem_job *job;
    assert_int_equal(read_job(least, NULL, NULL, 1, factor, &job), SW_ERR_INPUT);
    assert_message_has("--factor = 2: the file has no steps");
    assert_int_equal(read_job(full, NULL, NULL, 2, both, &job), SW_ERR_INPUT);
    assert_message_has("--restart beside --resume");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_jobs_are_refused_with_their_place),
        cmocka_unit_test(bad_plane_and_heat_jobs_are_refused),
        cmocka_unit_test(bad_tools_are_refused),
        cmocka_unit_test(bad_upsettings_are_refused),
        cmocka_unit_test(bad_crystals_are_refused),
        cmocka_unit_test(bad_options_are_named),
    };
    return cmocka_run_group_tests(tests, make_job_folder, remove_job_folder);
}
