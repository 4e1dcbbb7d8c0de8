#include <stdlib.h>

#include "commands.h"
#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "common/files/seal.h"

static sw_status print_accuracy(hid_t file, const char *path, int outputs, FILE *out)
{
    int64_t shape[2];
    if (!sw_h5_exists(file, "accuracy/terms")) {
        fprintf(out, "accuracy        not measured: slipwave-db validate does\n");
        return SW_OK;
    }
    SW_TRY(sw_h5_shape(file, "accuracy/rms_error", 2, shape));
    if (shape[0] < 1 || shape[0] > 64 || shape[1] != outputs)
        return sw_error(SW_ERR_FORMAT, "%s: accuracy/rms_error is %lld x %lld: need 1 to 64 x %d", path,
                        (long long)shape[0], (long long)shape[1], outputs);
    int64_t pairs[64];
    double rms[64 * SW_OUTPUTS_MOST];
    SW_TRY(sw_h5_read(file, "accuracy/terms", H5T_NATIVE_INT64, 1, shape, pairs));
    SW_TRY(sw_h5_read(file, "accuracy/rms_error", H5T_NATIVE_DOUBLE, 2, shape, rms));
    fprintf(out, "accuracy        RMS error over RMS value at random points\n%16s", "terms");
    for (int c = 0; c < outputs; c++)
        fprintf(out, " %9s", sw_output_names[c]);
    for (int64_t i = 0; i < shape[0]; i++) {
        if (pairs[i] > 0)
            fprintf(out, "\n%16lld", (long long)sw_terms_of_pairs(pairs[i]));
        else
            fprintf(out, "\n%16s", "grid");
        for (int c = 0; c < outputs; c++)
            fprintf(out, " %9.5f", rms[i * outputs + c]);
    }
    fprintf(out, "\n");
    return SW_OK;
}

sw_status sw_inspect(const char *path, FILE *out)
{
    sw_database *database;
    hid_t file;
    char *creator = NULL, *created = NULL, name[SW_LINE];
    SW_TRY(sw_database_read(path, 0, &database));
    const int64_t *n = database->shape;
    sw_status status = sw_h5_open(path, 0, &file);
    if (status != SW_OK)
        goto closed;
    SW_TRY_GOTO(status, sw_h5_read_text(file, "creator", &creator), done);
    SW_TRY_GOTO(status, sw_h5_read_text(file, "created", &created), done);
    const double points = (double)n[0] * (double)n[1] * (double)n[2] * (double)n[3];
    fprintf(out, "%s: slipwave database, version %d, by %s, %s\n", sw_plain(path, name), SW_DATABASE_VERSION,
            creator, created);
    fprintf(out, "material        %s (%s)\n", database->material.name,
            sw_material_lattice(&database->material)->name);
    fprintf(out, "grid            %lld x %lld x %lld x %lld (phi1, Phi, phi2, theta) = %.4g points\n",
            (long long)n[0], (long long)n[1], (long long)n[2], (long long)n[3], points);
    fprintf(out, "increment       strain %g at %g 1/s from slip resistance %g MPa\n",
            database->strain_increment, database->strain_rate, database->initial_slip_resistance * 1e-6);
    fprintf(out, "terms           %lld, %lld conjugate pairs stored: %.4g of the grid's\n",
            (long long)sw_database_terms(database), (long long)database->n_pairs,
            (double)sw_database_terms(database) / points);
    fprintf(out, "captured        fraction of the variance of each output\n");
    for (int c = 0; c < sw_database_outputs(database); c++)
        fprintf(out, "%16s %.6f\n", sw_output_names[c], database->captured_variance[c]);
    status = print_accuracy(file, path, sw_database_outputs(database), out);
done:
    free(creator);
    free(created);
    H5Fclose(file);
closed:
    sw_database_free(database);
    return status;
}

sw_status sw_verify(const char *path, FILE *out)
{
    int sealed;
    hid_t file;
    char name[SW_LINE];
    SW_TRY(sw_seal_check(path, &sealed));
    if (!sealed) {
        SW_TRY(sw_h5_open(path, 0, &file)); /* which knows whether it had a seal */
        H5Fclose(file);
        return sw_error(
            SW_ERR_FORMAT,
            "%s: has no seal: it is not of this program, of an older version, or of a run that has not ended",
            path);
    }
    fprintf(out, "%s: as it was written\n", sw_plain(path, name));
    return SW_OK;
}

sw_status sw_reseal(const char *path, FILE *out)
{
    char name[SW_LINE];
    SW_TRY(sw_h5_seal(path));
    fprintf(out, "%s: sealed as it is\n", sw_plain(path, name));
    return SW_OK;
}
