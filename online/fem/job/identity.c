/* What a job is known by: a hash of its mesh, materials, boundary, loads and tools, over each byte after the other, which a
 * thread finds beside what comes next. */
#include <string.h>

#include "online/fem/contact/triangles.h"
#include "online/fem/mesh/mesh.h"
#include "parts.h"

static uint64_t hash_entries(uint64_t h, const sw_fem_entry *entry, int count)
{
    h = sw_hash(h, &count, sizeof count);
    for (const sw_fem_entry *e = entry; e != NULL && e < entry + count; e++) {
        h = sw_hash(h, e->label, strlen(e->label));
        h = sw_hash(h, e->node, (size_t)e->n_nodes * sizeof *e->node);
        h = sw_hash(h, e->fixes, sizeof e->fixes);
        h = sw_hash(h, e->at, sizeof e->at);
        h = sw_hash(h, e->total, sizeof e->total);
        if (e->follows.surface) /* the total of a closed surface is 0 */
            h = sw_hash(h, &e->follows.pressure, sizeof e->follows.pressure);
    }
    return h;
}

static uint64_t hash_tool(uint64_t h, const sw_fem_tool *tool, const sw_fem_entry *entry)
{
    const double number[] = {tool->shape,       tool->radius, tool->hollow, tool->friction,
                             tool->shear_limit, tool->sticks, tool->penalty};
    h = sw_hash(h, number, sizeof number);
    if (tool->edge > 0) /* files from before there was one stay known */
        h = sw_hash(h, &tool->edge, sizeof tool->edge);
    if (tool->triangles != NULL)
        h = sw_fem_triangles_hash(h, tool->triangles);
    h = sw_hash(h, tool->point, sizeof tool->point);
    h = sw_hash(h, tool->direction, sizeof tool->direction);
    for (int i = 0; i < tool->n_surfaces; i++)
        h = sw_hash(h, tool->surface[i]->member,
                    (size_t)tool->surface[i]->n * sizeof *tool->surface[i]->member);
    return hash_entries(h, entry, 1);
}

static void identify_crystals(sw_fem_job *job, const sw_fem_job_crystals *crystals)
{
    const int32_t *grain = crystals->is.grain;
    const size_t size = (size_t)job->mesh->n_elements * sizeof *grain;
    sw_polycrystal_identify(&crystals->made, grain != NULL ? sw_hash(SW_HASH_START, grain, size) : 0,
                            &job->crystals_identity);
}

/* Of all that a state depends on but the steps, so that a run can go on with other ones. */
static void *identify(void *opaque)
{
    const sw_fem_job *job = opaque;
    const sw_fem_mesh *mesh = job->mesh;
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    const double kind[3] = {(double)job->problem.kinematics, sw_fem_has_b_bar(&job->problem),
                            job->problem.thickness};
    uint64_t h = sw_hash(SW_HASH_START, kind, sizeof kind);
    if (job->problem.strain != SW_FEM_SMALL) /* files from before there was a choice stay known */
        h = sw_hash(h, &(const int32_t){job->problem.strain}, sizeof(int32_t));
    h = sw_hash(h, mesh->position, (size_t)(mesh->n_nodes * shape->dimension) * sizeof *mesh->position);
    h = sw_hash(h, mesh->node, (size_t)(mesh->n_elements * shape->n_nodes) * sizeof *mesh->node);
    h = sw_hash(h, job->material_of, (size_t)mesh->n_elements);
    for (int i = 0; i < job->materials_count; i++) {
        const sw_fem_material *m = &job->material[i];
        const double number[] = {m->young, m->poisson, m->yield_stress, m->hardening, m->n_rows};
        h = sw_hash(h, number, sizeof number);
        h = sw_hash(h, m->parameter, sizeof m->parameter);
        h = sw_hash(h, m->row, (size_t)m->n_rows * sizeof *m->row);
    }
    h = hash_entries(h, job->fixed, job->boundary_count);
    h = hash_entries(h, job->loaded, job->loads_count);
    for (int t = 0; t < job->tools_count; t++)
        h = hash_tool(h, &job->tool[t], &job->tooled[t]);
    if (job->problem.periodic) {
        h = sw_hash(h, job->mean.gradient, sizeof job->mean.gradient);
        h = sw_hash(h, job->mean.stress, sizeof job->mean.stress);
    }
    sw_hash_text(h, job->identity->text);
    return NULL;
}

sw_status sw_fem_identify(sw_fem_job *job)
{
    for (int i = 0; i < job->materials_count; i++)
        if (job->material[i].crystals)
            identify_crystals(job, &job->crystals[i]);
    SW_TRY(SW_FEM_TAKE(job, job->identity, 1, "the job's identity"));
    job->identity->is_sought = pthread_create(&job->identity->thread, NULL, identify, job) == 0;
    if (!job->identity->is_sought)
        identify(job);
    return SW_OK;
}

const char *sw_fem_job_identity(const sw_fem_job *job)
{
    if (job->identity->is_sought)
        pthread_join(job->identity->thread, NULL);
    job->identity->is_sought = 0;
    return job->identity->text;
}
