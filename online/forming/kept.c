/* What an interrupted run leaves: the groups of finished tasks, in FILE.partial, with all that they depend on. */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/hash.h"
#include "common/files/text.h"
#include "online/polycrystal/identity.h"

static const char format[] = "slipwave-forming-tasks";

/* ---- Whose it is ---- */

enum { JOB, PROGRAM, DEVICE, CURVES, PARTS };
static const struct {
    const char *name, *what;
} part[PARTS] = {[JOB] = {"job", "another job file"},
                 [PROGRAM] = {"program", "another version"},
                 [DEVICE] = {"device", "another device"},
                 [CURVES] = {"curves", "other measured curves"}};

typedef struct {
    const char *text[PARTS];
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
    *own = (identity){.text = {[JOB] = sw_job_text(f->job->source),
                               [PROGRAM] = "slipwave " SW_VERSION,
                               [DEVICE] = o->device == SW_CUDA ? "GPU" : "CPU",
                               [CURVES] = own->curves}};
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
    sw_status status = SW_OK;
    for (int i = 0; i < PARTS && status == SW_OK; i++)
        if (!sw_h5_has_text(group, part[i].name, own.text[i]))
            status = sw_error(SW_ERR_FORMAT, "%s: belongs to a run with %s", f->kept.path, part[i].what);
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
    sw_status status = SW_OK;
    for (int i = 0; i < PARTS && status == SW_OK; i++)
        status = sw_h5_write_text(group, part[i].name, own.text[i]);
    if (status == SW_OK)
        status = sw_identity_write(group, &own.crystals);
    H5Gclose(group);
    return status;
}

/* ---- The file ---- */

sw_status sw_forming_kept_find(sw_forming *f)
{
    const size_t size = strlen(f->job->output.file) + sizeof ".partial";
    SW_TRY(SW_ALLOCATE(f->kept.path, (int64_t)size, "names"));
    snprintf(f->kept.path, size, "%s.partial", f->job->output.file);
    f->kept.is_there = access(f->kept.path, F_OK) == 0;
    return !f->kept.is_there || f->job->run.resume
               ? SW_OK
               : sw_error(
                     SW_ERR_INPUT,
                     "%s: is left from an earlier run: --resume goes on with it, removing it starts anew",
                     f->kept.path);
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
    sw_status status = sw_h5_begin(f->kept.path, &file);
    if (status == SW_OK)
        status = write_identity(f, file.file);
    if (status == SW_OK)
        status = copy_tasks(tasks, f->output.file, file.file, &n);
    if (status == SW_OK)
        status = sw_h5_commit(&file);
    sw_h5_abandon(&file);
    if (status != SW_OK)
        return status;
    f->kept.is_own = 1;
    f->kept.tasks = n;
    return SW_OK;
}

void sw_forming_kept_remove(sw_forming *f)
{
    if (f->kept.is_own)
        unlink(f->kept.path);
    f->kept.is_own = 0;
}

sw_status sw_forming_kept_tell(const sw_forming *f, sw_status status)
{
    char message[600];
    snprintf(message, sizeof message, "%.599s", sw_error_message());
    return sw_error(status, "%s; %d finished task%s kept in %s: --resume goes on", message, f->kept.tasks,
                    f->kept.tasks == 1 ? " is" : "s are", f->kept.path);
}
