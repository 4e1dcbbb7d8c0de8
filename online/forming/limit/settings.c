#include "settings.h"

const double sw_limit_ratios[SW_LIMIT_RATIOS] = {-0.5, -0.4, -0.3, -0.2, -0.1, -0.05, 0, 0.05,
                                                 0.1,  0.2,  0.35, 0.5,  0.65, 0.8,   1};

const char *const sw_band_names[2] = {"rotates", "fixed"};

sw_status sw_limit_settings_check(const sw_job *job, const char *prefix, const sw_limit_settings *s)
{
    char key[SW_KEY_SIZE];
    if (s->angles.count > 1 && !(s->angles.last > s->angles.first))
        return sw_job_error(job, sw_key_path(key, "%sangles.last", prefix), " = %g: need more than first, %g",
                            s->angles.last, s->angles.first);
    return s->strain_increment <= 0.5 * s->strain_limit
               ? SW_OK
               : sw_job_error(job, sw_key_path(key, "%sstrain_increment", prefix),
                              " = %g: need at most half of strain_limit, %g", s->strain_increment,
                              s->strain_limit);
}
