/* What an interrupted run leaves: the groups of finished tasks, in FILE.partial, with all that they depend on. */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/hash.h"
#include "common/job/partial.h"
#include "common/files/text.h"
#include "online/polycrystal/identity.h"

static const char format[] = "slipwave-forming-tasks";

/* ---- Whose it is ---- */

typedef struct {
    sw_partial_text text[5];
    char curves[SW_HASH_TEXT];
    sw_identity crystals;
} identity;

static sw_status hash_curves(const sw_forming_job *job, uint64_t *h)
{
    *h = SW_HASH_START;
    for (unsigned k = 0; k < job->fit.curves_count; k++) {
        char *text;
        SW_TRY(sw_read_text(job->fit.curves[k].file, &text));
        *h = sw_hash(*h, text, strlen(text));
        free(text);
    }
    return SW_OK;
}

static sw_status identify(const sw_forming *f, identity *own)
{
    const sw_response_options *o = &f->choice.options;
    uint64_t curves;
    SW_TRY(hash_curves(f->job, &curves));
    *own = (identity){.text = {{"job", sw_job_text(f->job->source), "another job file"},
                               {"program", "slipwave " SW_VERSION, "another version"},
                               {"device", o->device == SW_CUDA ? "GPU" : "CPU", "another device"},
                               {"curves", own->curves, "other measured curves"}}};
    sw_hash_text(curves, own->curves);
    sw_identity_add(&own->crystals, o, f->population.hash);
    return SW_OK;
}

static sw_status check_identity(const sw_forming *f, hid_t file)
{
    identity own;
    if (!sw_h5_has_text(file, "format", format) || !sw_h5_exists(file, "identity"))
        return sw_error(SW_ERR_FORMAT, "%s: is nothing that an interrupted run of `slipwave forming` left",
                        f->kept.path);
    SW_TRY(identify(f, &own));
    hid_t group = H5Gopen2(file, "identity", H5P_DEFAULT);
    sw_status status = sw_partial_check_texts(group, f->kept.path, own.text);
    if (status == SW_OK)
        status = sw_identity_check(group, f->kept.path, &own.crystals);
    H5Gclose(group);
    return status;
}

static sw_status write_identity(const sw_forming *f, hid_t file)
{
    identity own;
    hid_t group;
    SW_TRY(identify(f, &own));
    SW_TRY(sw_h5_write_text(file, "format", format));
    SW_TRY(sw_h5_group(file, "identity", &group));
    sw_status status = sw_partial_write_texts(group, own.text);
    if (status == SW_OK)
        status = sw_identity_write(group, &own.crystals);
    H5Gclose(group);
    return status;
}

/* ---- The file ---- */

sw_status sw_forming_kept_find(sw_forming *f)
{
    f->kept.path = sw_file_name("%s.partial", f->job->output.file);
    if (f->kept.path == NULL)
        return SW_ERR_MEMORY;
    f->kept.is_there = sw_file_is_there(f->kept.path);
    return sw_partial_meet(f->kept.path, f->kept.is_there, f->job->run.resume);
}

/* Groups of tasks from one file to another. Returns how many in *tasks. */
static sw_status copy_tasks(const char *const *name, hid_t from, hid_t to, int *tasks)
{
    *tasks = 0;
    for (; *name != NULL; name++) {
        *tasks += sw_h5_exists(from, *name);
        SW_TRY(sw_h5_copy(from, *name, to));
    }
    return SW_OK;
}

sw_status sw_forming_kept_read(sw_forming *f, const char *const *tasks)
{
    hid_t file;
    if (!f->kept.is_there)
        return SW_OK;
    SW_TRY(sw_h5_open(f->kept.path, 0, &file));
    sw_status status = check_identity(f, file);
    if (status == SW_OK)
        status = copy_tasks(tasks, file, f->output.file, &f->kept.tasks);
    H5Fclose(file);
    f->kept.is_own = status == SW_OK;
    if (status == SW_OK)
        sw_note("resume: %d tasks kept", f->kept.tasks);
    return status;
}

sw_status sw_forming_kept_write(sw_forming *f, const char *const *tasks)
{
    sw_h5_output file = {.file = H5I_INVALID_HID};
    int n = 0;
    if (!sw_partial_is_kept())
        return SW_OK;
    sw_status status = sw_h5_begin(f->kept.path, &file);
    if (status == SW_OK)
        status = write_identity(f, file.file);
    if (status == SW_OK)
        status = copy_tasks(tasks, f->output.file, file.file, &n);
    SW_TRY(sw_h5_end(&file, status));
    f->kept.is_own = 1;
    f->kept.tasks = n;
    return SW_OK;
}

void sw_forming_kept_remove(sw_forming *f)
{
    if (f->kept.is_own)
        sw_file_remove(f->kept.path);
    f->kept.is_own = 0;
}

sw_status sw_forming_kept_tell(const sw_forming *f, sw_status status)
{
    return sw_partial_tell(status, f->kept.path, "%d finished task%s", f->kept.tasks,
                           f->kept.tasks == 1 ? " is" : "s are");
}
